"""What the native operators of the library have in common: how the engine is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from penstock.operators import Operator


@dataclass(frozen=True)
class NativeOperator(Operator):
    """An operator that the engine has; this describes it.

    Attributes:
        factory: What of the engine makes it: `factory(input, output, **arguments)` with the
            addresses of both schemas, and `most_bytes=` and `shared=` where it remembers something.
    """

    native: ClassVar[bool] = True
    factory: ClassVar[str]

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know besides the schemas."""
        return {}

    @property
    def kept(self) -> Mapping[str, str]:
        """By output column the input column that it is, in the row from which a row was made."""
        return {}
