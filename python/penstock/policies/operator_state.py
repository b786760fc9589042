"""An operator at one moment, in plain numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from penstock.errors import SettingError, did_you_mean

MOST = 2**63 - 1
MOST_WORKERS = 2**31 - 1
WHOLE = frozenset({"worklist", "workers", "max_parallelism", "output_queue", "room"})
MAY_BE_NONE = frozenset({"max_parallelism", "output_queue", "room"})


@dataclass(frozen=True)
class OperatorState:
    """An operator as a policy sees it. Times are seconds of one clock.

    Attributes:
        selectivity: Tuples that it makes of one.
        cost: Seconds that one takes.
        worklist: Tuples that wait for it.
        workers: That are at it now.
        max_parallelism: Workers that may be at it: 1 with state, as many as there are partitions by
            key, None for any number without state.
        window_time: Seconds spent at it in the current window of measurement.
        source: Whether it needs nothing that waits.
        last_run: When a worker last took it.
        oldest: When that came which waits longest.
        read_rate: Tuples that it takes in a second of running; 0 if that is not known.
        write_rate: Tuples that it makes in a second of running.
        output_queue: Tuples that wait behind it; None for the worklist of the next operator.
        room: How many more may wait there; None for any number.

    >>> OperatorState(worklist=-1)
    Traceback (most recent call last):
        ...
    penstock.errors.SettingError: worklist is -1; it must be 0 or more
    """

    selectivity: float = 1.0
    cost: float = 0.0
    worklist: int = 0
    workers: int = 0
    max_parallelism: int | None = 1
    window_time: float = 0.0
    source: bool = False
    last_run: float = 0.0
    oldest: float = 0.0
    read_rate: float = 0.0
    write_rate: float = 0.0
    output_queue: int | None = None
    room: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))


KEYS: tuple[str, ...] = tuple(field.name for field in fields(OperatorState))


def state_of(given: object, place: int, needed: tuple[str, ...]) -> OperatorState:
    """Take what a caller gives for an operator, checked; `needed` must be in a mapping."""
    what = f"operators[{place}]"
    if isinstance(given, OperatorState):
        return given
    if not isinstance(given, Mapping):
        raise SettingError(f"{what} is {given!r}; it must be an OperatorState or a mapping")
    for key in given:
        if key not in KEYS:
            raise SettingError(f"{what} has {key!r}; {did_you_mean(str(key), KEYS)}")
    for key in needed:
        if key not in given and not (key == "worklist" and given.get("source")):
            raise SettingError(f"{what} does not say its {key!r}, which this policy looks at")
    try:
        return OperatorState(**given)
    except SettingError as error:
        raise SettingError(f"{what}: {error}") from None


def _check(name: str, value: object) -> None:
    if name == "source":
        if value not in (True, False):
            raise SettingError(f"source is {value!r}; it must be True or False")
        return
    if value is None and name in MAY_BE_NONE:
        return
    whole = name in WHOLE
    kinds = (int,) if whole else (int, float)
    if not isinstance(value, kinds) or isinstance(value, bool) or not math.isfinite(value):
        kind = "whole number" if whole else "number"
        raise SettingError(f"{name} is {value!r}; it must be a {kind}")
    if value < 0:
        raise SettingError(f"{name} is {value!r}; it must be 0 or more")
    most = MOST_WORKERS if name in ("workers", "max_parallelism") else MOST
    if whole and value > most:
        raise SettingError(f"{name} is {value!r}; it must be {most} or less")
