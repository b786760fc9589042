"""Who runs the operators of a flow: the words, and what they need.

>>> Threading.of("conveyor", 2)
Threading(model='conveyor', threads=2)
>>> Threading.of("manual", 2)
Traceback (most recent call last):
    ...
penstock.errors.FlowError: the manual model has one thread, the caller's; leave out threads=2 or \
choose dedicated, dynamic or conveyor
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from penstock.errors import FlowError, did_you_mean

ModelName: TypeAlias = Literal["manual", "dedicated", "dynamic", "conveyor"]
MODELS: tuple[str, ...] = get_args(ModelName)
MOST_THREADS = 1024


@dataclass(frozen=True)
class Threading:
    """A threading model and its number of threads; 0 threads mean as many as there are cores."""

    model: str = "manual"
    threads: int = 1

    @classmethod
    def of(cls, model: str, threads: int | None = None) -> Threading:
        """Check what a user asks for."""
        if model not in MODELS:
            raise FlowError(
                f"{model!r} is not a threading model; {did_you_mean(str(model), MODELS)}"
            )
        if threads is not None and not (type(threads) is int and 1 <= threads <= MOST_THREADS):
            raise FlowError(f"threads must be an int from 1 to {MOST_THREADS}, got {threads!r}")
        if model == "manual" and threads not in (None, 1):
            raise FlowError(
                f"the manual model has one thread, the caller's; leave out threads={threads} or "
                "choose dedicated, dynamic or conveyor"
            )
        if model == "dedicated" and threads is not None:
            raise FlowError(
                "the dedicated model has a thread for each operator; leave out "
                f"threads={threads} or choose dynamic or conveyor"
            )
        return cls(model, 1 if model == "manual" else threads or 0)

    def __str__(self) -> str:
        if self.model == "manual":
            return "manual, the caller's thread"
        if self.model == "dedicated":
            return "dedicated, a thread for each operator"
        return f"{self.model}, {self.threads or 'a thread for each core'}" + (
            " threads" if self.threads else ""
        )


MANUAL = Threading()
