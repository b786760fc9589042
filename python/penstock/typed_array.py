"""Python values as an Arrow array of a type, or an error: never another value than was given.

>>> typed_array([1, None], pa.int64()).to_pylist()
[1, None]
>>> typed_array([1.5], pa.int64())
Traceback (most recent call last):
    ...
TypeError: 1.5 is a float, which is no whole number or time; convert it yourself
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyarrow import types as is_

# What pyarrow and this module raise for a value that does not fit.
UNFIT = (pa.ArrowException, TypeError, ValueError, OverflowError)


def typed_array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Make an array; raises one of UNFIT for what does not fit."""
    # pyarrow cuts off what is behind the point.
    if is_.is_integer(kind) or is_.is_temporal(kind):
        floats = [found for found in set(map(type, values)) if issubclass(found, float)]
        if floats:
            first = next(value for value in values if type(value) in floats)
            raise TypeError(
                f"{first!r} is a float, which is no whole number or time; convert it yourself"
            )
    return pa.array(values, kind)
