"""Random flows with a region: what they are made of, and how Hypothesis draws and shrinks them.

Every function here works on each row for itself, so a flow over one batch of all rows says what it
makes of any tuples.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import strategies as st
from tests.prop.bodies import Refused

from penstock import Elastic, Flow, agg, flow
from penstock.functions import MapFunction

# Few of each, so that keys come again; the first of each is the one that is hot.
KEYS: dict[str, tuple[Any, ...]] = {
    "long": (0, None, -1, 1, 2**40),
    "string": ("a", None, "", "b", "long enough to lie elsewhere"),
    "double": (math.nan, None, 0.0, -0.0, 1.5, math.inf),
}
MOST_ROWS = 150
WIDTHS = (1, 4, 2, 3, 8, 1)
PARITY = pc.bit_wise_and(pc.field("j"), 3)

Add = Callable[[Flow], Flow]
Order = Literal["stream", "key"] | None


@dataclass(frozen=True)
class RegionCase:
    """A flow with one region, and its input.

    Attributes:
        flow: What is run.
        table: All rows.
        by: Columns whose rows keep their order among themselves.
        order: What the region promises.
        steps: What the region holds, in words, for who reads a failing case.
    """

    flow: Flow
    table: pa.Table = field(repr=False)
    by: tuple[str, ...]
    order: str | None
    steps: tuple[str, ...]

    @property
    def batch(self) -> pa.RecordBatch:
        """All rows at once."""
        whole = self.table.combine_chunks().to_batches()
        return whole[0] if whole else pa.RecordBatch.from_pylist([], self.table.schema)


def changed(batch: pa.RecordBatch, n: pa.Array) -> pa.RecordBatch:
    """Replace the column n."""
    return batch.set_column(batch.schema.get_field_index("n"), "n", n)


def times_three(batch: pa.RecordBatch) -> pa.RecordBatch:
    return changed(batch, pc.bit_wise_and(pc.multiply(batch["n"], 3), 0xFFFF))


def copies(most: int) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    """Make a function that repeats each row 0 to `most` times, by its value."""

    def function(batch: pa.RecordBatch) -> pa.RecordBatch:
        times = [value % (most + 1) for value in batch["n"].to_pylist()]
        return batch.take(pa.array([i for i, t in enumerate(times) for _ in range(t)], pa.int64()))

    return function


def refusing(value: int) -> MapFunction:
    """Make a function that raises at one value."""

    def function(batch: pa.RecordBatch) -> pa.RecordBatch:
        if value in batch["n"].to_pylist():
            raise Refused(f"{value} is refused")
        return batch

    return function


# Those that leave it provable what the columns are, and those that do not.
PROVABLE: dict[str, Add] = {
    "drop all": lambda rows: rows.filter(pc.field("n") < 0),
    "halve": lambda rows: rows.filter(pc.bit_wise_and(pc.field("n"), 1) == 0),
    "by null": lambda rows: rows.filter(pc.field("j") > 1),
    "count up": lambda rows: rows.with_column("n", pc.field("n") + 1),
    "turn": lambda rows: rows.select(*reversed(rows.schema.names)),
}
OPAQUE: dict[str, Add] = {
    "map": lambda rows: rows.map(times_three),
    "few": lambda rows: rows.flat_map(copies(2)),
    "many": lambda rows: rows.flat_map(copies(1000)),
}
KEYED = "keyed"


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Draw rows of which a key or two may hold nine out of ten."""
    kind = draw(st.sampled_from(sorted(KEYS)))
    keys = KEYS[kind] if draw(st.booleans()) else (KEYS[kind][0],) * 9 + KEYS[kind][1:2]
    count = draw(st.integers(0, MOST_ROWS))
    random = draw(st.randoms(use_true_random=False))
    schema = flow("f", f"k {kind}, j long, n long NOT NULL").input_schema
    rows = {
        "k": [random.choice(keys) for _ in range(count)],
        "j": [random.choice((None, 0, 1, 2, 3, 4, 9)) for _ in range(count)],
        "n": [random.randrange(3000) for _ in range(count)],
    }
    return pa.table([pa.array(rows[f.name], f.type) for f in schema], schema=schema)


BY: dict[str, tuple[Any, tuple[str, ...]]] = {
    "none": (None, ()),
    "column": ("k", ("k",)),
    "columns": (("j", "k"), ("k", "j")),
    "expression": (PARITY, ("j",)),
}


def keyed(rows: Flow, columns: tuple[str, ...]) -> Flow:
    """Add an operator that remembers something, under names of its own."""
    number = len(rows.schema.names)
    made: dict[str, Any] = {f"rows{number}": agg.count(), f"sum{number}": agg.sum("n")}
    return rows.key_by(*columns).running(**made)


@st.composite
def cases(draw: st.DrawFn, *, failing: bool = False, order: Order = "stream") -> RegionCase:
    """Draw a case; `failing` has one operator of the region, called 'picky', refuse a value."""
    table = draw(tables())
    words = [word for word in BY if order == "stream" or word != "none"]
    by, columns = BY[draw(st.sampled_from(words))]
    most = draw(st.integers(1, 8))
    fixed = draw(st.booleans()) or by is PARITY
    steps = draw(
        st.lists(st.sampled_from([*PROVABLE, *([KEYED] * 3 if columns else [])]), max_size=3)
    )
    opaque = draw(st.lists(st.sampled_from(sorted(OPAQUE)), max_size=2))
    if opaque.count("many") > 1 or table.num_rows > 40:
        opaque = [word for word in opaque if word != "many"]
    steps = [*steps, *opaque] or ["turn"]
    # Likely one that comes, though operators before it may change it.
    refused = draw(st.sampled_from(table["n"].to_pylist() or [0])) if failing else 0
    place = draw(st.integers(0, len(steps))) if failing else -1

    def body(rows: Flow) -> Flow:
        for at, step in enumerate(steps):
            if at == place:
                # Behind it nothing is proven, so it stands behind all that need proof.
                rows = rows if step == KEYED or step in PROVABLE else _picky(rows, refused)
            rows = keyed(rows, columns) if step == KEYED else (PROVABLE | OPAQUE)[step](rows)
        has_picky = any(one.name == "picky" for one in rows.operators)
        return rows if place < 0 or has_picky else _picky(rows, refused)

    made = Flow("f", table.schema).parallel(
        body,
        by=by,
        channels=most if fixed else Elastic(1, 8),
        order=order,
        name="r",
    )
    if order == "stream" and draw(st.booleans()):
        made = keyed(made, ("j",))
    return RegionCase(made, table, columns, order, tuple(steps))


def _picky(rows: Flow, value: int) -> Flow:
    return rows.map(refusing(value), name="picky")
