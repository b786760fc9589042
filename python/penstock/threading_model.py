"""Who runs the operators of a flow: the words, and what they need.

>>> Threading.of("conveyor", 2)
Threading(model='conveyor', threads=2, elastic=False)
>>> str(Threading.of("automatic"))
'automatic, 1 thread up to one for each core'
>>> Threading.of("manual", 2)
Traceback (most recent call last):
    ...
penstock.errors.FlowError: the manual model has one thread, the caller's; leave out threads=2 or \
choose dynamic, conveyor or automatic
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from penstock.errors import FlowError, did_you_mean

ModelName: TypeAlias = Literal["manual", "dedicated", "dynamic", "conveyor", "automatic"]
MODELS: tuple[str, ...] = get_args(ModelName)
# What has always one thread, or always one for each operator, and why nothing can be chosen.
FIXED = {
    "manual": "has one thread, the caller's",
    "dedicated": "has a thread for each operator",
}
MOST_THREADS = 1024


@dataclass(frozen=True)
class Threading:
    """A threading model, its number of threads, and whether that number may change.

    Attributes:
        model: One of `MODELS`.
        threads: 0 means as many as there are cores. An elastic model has at most so many.
        elastic: Whether a control loop chooses how many threads are used.
    """

    model: str = "manual"
    threads: int = 1
    elastic: bool = False

    @classmethod
    def of(cls, model: str, threads: int | None = None, elastic: bool | None = None) -> Threading:
        """Check what a user asks for."""
        if model not in MODELS:
            raise FlowError(
                f"{model!r} is not a threading model; {did_you_mean(str(model), MODELS)}"
            )
        if threads is not None and not (type(threads) is int and 1 <= threads <= MOST_THREADS):
            raise FlowError(f"threads must be an int from 1 to {MOST_THREADS}, got {threads!r}")
        if elastic is not None and type(elastic) is not bool:
            raise FlowError(f"elastic must be True or False, got {elastic!r}")
        if model in FIXED:
            return cls._fixed(model, threads, elastic)
        return cls(model, threads or 0, elastic if elastic is not None else model == "automatic")

    @classmethod
    def _fixed(cls, model: str, threads: int | None, elastic: bool | None) -> Threading:
        given = []
        if threads is not None and not (model == "manual" and threads == 1):
            given.append(f"threads={threads}")
        if elastic:
            given.append("elastic=True")
        if given:
            raise FlowError(
                f"the {model} model {FIXED[model]}; leave out {' and '.join(given)} or choose "
                "dynamic, conveyor or automatic"
            )
        return cls(model, 1 if model == "manual" else 0)

    def __str__(self) -> str:
        if self.model == "manual":
            return "manual, the caller's thread"
        if self.model == "dedicated":
            return "dedicated, a thread for each operator"
        if self.elastic:
            return f"{self.model}, 1 thread up to {self.threads or 'one for each core'}"
        return f"{self.model}, {self.threads or 'a thread for each core'}" + (
            " threads" if self.threads else ""
        )


MANUAL = Threading()
