"""Running totals of each key: how many values there were, their sum, the least and the largest."""

from __future__ import annotations

from typing import Any

from penstock import agg
from penstock.bench.headline.job import Divided, Job, Made
from penstock.flow import Flow, flow

KEYS = 500
DATA = (
    "id AS seq",
    f"pmod(xxhash64(id, 1L), {KEYS}L) AS key",
    "pmod(xxhash64(id, 2L), 100000L) - 50000L AS value",
)
OUTPUT = "seq long, key long, n long, total long, least long, most long"
MADE = OUTPUT.replace(" long", "").split(", ")


def totals() -> Flow:
    """The job as a flow."""
    return (
        flow("totals", "seq long, key long, value long")
        .key_by("key")
        .running(
            n=agg.count(), total=agg.sum("value"), least=agg.min("value"), most=agg.max("value")
        )
        .select(*MADE)
        .threading("automatic")
    )


class OfKey:
    """What is known of one key: how many, sum, least, largest."""

    def __init__(self) -> None:
        self.known: list[int] = []

    def row(self, seq: int, key: int, value: int) -> Made:
        """Take one more value of the key."""
        n, total, least, most = self.known or (0, 0, value, value)
        self.known = [n + 1, total + value, min(least, value), max(most, value)]
        return [(seq, key, *self.known)]


class Totals:
    """The sequential program."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[int, int, int, int]] = {}

    def row(self, seq: int, key: int, value: int) -> Made:
        """Take one more value."""
        n, total, least, most = self.known.get(key) or (0, 0, value, value)
        now = (n + 1, total + value, min(least, value), max(most, value))
        self.known[key] = now
        return [(seq, key, *now)]


def vectorised(rows: Any, memory: dict[str, Any]) -> Any:
    """One DataFrame after another; what is known of a key goes in as rows before it."""
    import pandas as pd  # noqa: PLC0415 - only this contender needs it

    before = memory.get("last")
    if before is None:
        before = pd.DataFrame({name: pd.Series(dtype="int64") for name in MADE})
    given = rows.assign(n=1, total=rows["value"], least=rows["value"], most=rows["value"])
    together = pd.concat([before, given[MADE]], ignore_index=True)
    by = together.groupby("key", sort=False)
    made = together[["seq", "key"]].assign(
        n=by["n"].cumsum(),
        total=by["total"].cumsum(),
        least=by["least"].cummin(),
        most=by["most"].cummax(),
    )
    memory["last"] = made.groupby("key", sort=False).tail(1)
    return made.iloc[len(before) :]


def group(rows: Any) -> Any:
    """All rows of one key."""
    value = rows["value"]
    return rows[["seq", "key"]].assign(
        n=range(1, len(rows) + 1),
        total=value.cumsum(),
        least=value.cummin(),
        most=value.cummax(),
    )


SQL = """
SELECT seq, key, count(*) OVER w AS n, sum(value) OVER w AS total, min(value) OVER w AS least,
       max(value) OVER w AS most
FROM {rows} WINDOW w AS (PARTITION BY key ORDER BY seq ROWS UNBOUNDED PRECEDING) ORDER BY seq
"""

RUNNING_TOTALS = Job(
    name="running totals",
    rows=6_000_000,
    rows_by_key=1_500_000,
    data=DATA,
    output=OUTPUT,
    order=("seq",),
    flow=totals,
    program=Totals,
    vectorised=vectorised,
    keyed="SELECT * FROM {rows}",
    key="key",
    of_key=OfKey,
    group=group,
    state="known array<bigint>",
    sql=SQL,
    divided=Divided(lambda *row: [row], Totals, key=1),
)
