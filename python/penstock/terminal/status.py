"""The status files that PEs in Spark's workers write, version 1: read as if anybody had written them.

>>> said = status_of({"version": 1, "flow": "f", "pid": 7, "state": "running", "rows_in": 5})
>>> said.flow, said.pid, said.rows_in, said.operators
('f', 7, 5, ())
>>> status_of({"version": 2})
Traceback (most recent call last):
    ...
ValueError: version 2, not 1
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from penstock.plain_text import shortened, visible

VERSION = 1
MOST_BYTES = 1 << 20
MOST_ITEMS = 4096  # of any list
LONGEST_TEXT = 500
STATES = ("running", "done", "failed")


@dataclass(frozen=True)
class OperatorStatus:
    """What one operator did so far; as in `penstock.metrics`."""

    name: str
    kind: str
    gil: bool
    tuples: int
    rows_in: int
    rows_out: int
    busy: float
    waiting_mean: float
    waiting_most: int


@dataclass(frozen=True)
class Status:
    """One PE: a flow over one partition.

    Attributes:
        flow: Name of the flow.
        pid: Process that runs it.
        host: Where.
        executor: Spark's name of the executor.
        application: Spark's name of the application.
        stage: Of the task.
        partition: Of the task.
        attempt: Of the task.
        task: Spark's number of the attempt.
        started: Unix time.
        seconds: For which it ran, when the file was written.
        state: One of `STATES`.
        error: Why it failed, if it did.
        threads: That may be at work.
        rows_in: Rows read so far.
        rows_out: Rows made so far.
        operators: In the order of the flow.
        channels: By region.
    """

    flow: str
    pid: int
    host: str
    executor: str
    application: str
    stage: int
    partition: int
    attempt: int
    task: int
    started: float
    seconds: float
    state: str
    error: str
    threads: int
    rows_in: int
    rows_out: int
    operators: tuple[OperatorStatus, ...]
    channels: Mapping[str, int]

    @property
    def busiest(self) -> tuple[OperatorStatus, float] | None:
        """The operator that took the most time, and its part of the time of all."""
        whole = sum(one.busy for one in self.operators)
        if not whole:
            return None
        found = max(self.operators, key=lambda one: one.busy)
        return found, found.busy / whole

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return asdict(self) | {"channels": dict(self.channels)}


def read_status(path: Path) -> Status:
    """Read one file; ValueError or OSError say why that cannot be done."""
    # Not through a link, and without waiting for whoever would write to a pipe.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("not a plain file")
        if found.st_uid != os.geteuid():
            raise ValueError(f"belongs to user {found.st_uid}")
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes")
    try:
        return status_of(json.loads(data, parse_constant=_no_number))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def status_of(data: Any) -> Status:
    """Check what a file says; ValueError names what is wrong."""
    if not isinstance(data, dict):
        raise ValueError(f"a {type(data).__name__}, not an object")  # noqa: TRY004 - as all else
    version = data.get("version")
    if version != VERSION:
        raise ValueError(f"version {shortened(visible(str(version)), 20)}, not {VERSION}")
    state = _text(data, "state")
    if state not in STATES:
        raise ValueError(f"state {state!r} is not one of {', '.join(STATES)}")
    return Status(
        flow=_text(data, "flow"),
        pid=_whole(data, "pid"),
        host=_text(data, "host"),
        executor=_text(data, "executor"),
        application=_text(data, "application"),
        stage=_whole(data, "stage", least=-1),
        partition=_whole(data, "partition", least=-1),
        attempt=_whole(data, "attempt", least=-1),
        task=_whole(data, "task", least=-1),
        started=_number(data, "started"),
        seconds=_number(data, "seconds"),
        state=state,
        error=_text(data, "error"),
        threads=_whole(data, "threads"),
        rows_in=_whole(data, "rows_in"),
        rows_out=_whole(data, "rows_out"),
        operators=tuple(map(_operator, _items(data, "operators"))),
        channels=_channels(data.get("channels")),
    )


def _operator(data: Any) -> OperatorStatus:
    if not isinstance(data, dict):
        raise ValueError("operators must be objects")  # noqa: TRY004 - as all else
    return OperatorStatus(
        name=_text(data, "name"),
        kind=_text(data, "kind"),
        gil=data.get("gil") is True,
        tuples=_whole(data, "tuples"),
        rows_in=_whole(data, "rows_in"),
        rows_out=_whole(data, "rows_out"),
        busy=_number(data, "busy"),
        waiting_mean=_number(data, "waiting_mean"),
        waiting_most=_whole(data, "waiting_most"),
    )


def _channels(data: Any) -> dict[str, int]:
    """By region, or one number where there is one region."""
    if isinstance(data, dict):
        wanted = {_clean(str(name)): {"channels": count} for name, count in data.items()}
    else:
        wanted = {} if data is None else {"": {"channels": data}}
    if len(wanted) > MOST_ITEMS:
        raise ValueError("channels has too many entries")
    return {name: _whole(one, "channels") for name, one in wanted.items()}


def _items(data: Mapping[str, Any], key: str) -> list[Any]:
    found = data.get(key, [])
    if not isinstance(found, list) or len(found) > MOST_ITEMS:
        raise ValueError(f"{key} must be a list of {MOST_ITEMS:,} items at most")
    return found


def _text(data: Mapping[str, Any], key: str) -> str:
    found = data.get(key)
    if found is None:
        return ""
    if not isinstance(found, (str, int)) or isinstance(found, bool):
        raise ValueError(f"{key} must be text")  # noqa: TRY004 - as all else
    return _clean(str(found))


def _clean(text: str) -> str:
    return shortened(visible(text[: 4 * LONGEST_TEXT]), LONGEST_TEXT)


def _whole(data: Mapping[str, Any], key: str, least: int = 0) -> int:
    found = data.get(key)
    if found is None:
        return least
    if type(found) is not int or not least <= found < 2**63:
        raise ValueError(f"{key} must be a whole number from {least}")
    return found


def _number(data: Mapping[str, Any], key: str) -> float:
    found = data.get(key)
    if found is None:
        return 0.0
    if type(found) not in (int, float) or not 0 <= found < 1e18 or not math.isfinite(found):
        raise ValueError(f"{key} must be a number from 0")
    return float(found)


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")
