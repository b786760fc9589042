"""Whatever the cut of the input into batches and tuples, the rows are those of plain Python."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock import flow

ROWS = st.lists(
    st.tuples(st.none() | st.integers(-100, 100), st.none() | st.text(max_size=5)), max_size=30
)
SCHEMA = pa.schema([("n", pa.int64()), ("s", pa.string())])


def twice_if_named(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
    rows = batch.to_pylist()
    return [
        pa.RecordBatch.from_pylist([row] * (2 if row["s"] else 1), schema=batch.schema)
        for row in rows
    ]


def shout(batch: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {"n": batch["n"], "s": pc.utf8_upper(batch["s"]), "m": batch["m"]}
    )


FLOW = (
    flow("mixed", "n long, s string")
    .filter(pc.field("n") >= 0, name="positive")
    .flat_map(twice_if_named, "n long, s string")
    .with_column("m", pc.field("n") * 2)
    .map(shout)
    .select("s", "m")
)


def expected(rows: list[tuple[int | None, str | None]]) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for n, s in rows:
        if n is None or n < 0:
            continue
        upper = None if s is None else pc.utf8_upper(s).as_py()
        made += [{"s": upper, "m": n * 2}] * (2 if s else 1)
    return made


@st.composite
def layouts(draw: st.DrawFn) -> tuple[list[tuple[int | None, str | None]], list[pa.RecordBatch]]:
    """Rows, and the same rows as batches that are cut and sliced anyhow."""
    rows = draw(ROWS)
    padding = [(1, "never seen")] * draw(st.integers(0, 3))
    columns = zip(*[*padding, *rows, *padding], strict=True)
    arrays = [pa.array(values, kind) for values, kind in zip(columns, SCHEMA.types, strict=False)]
    if not arrays:
        return rows, []
    whole = pa.RecordBatch.from_arrays(arrays, schema=SCHEMA).slice(len(padding), len(rows))
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=5)))
    edges = [0, *cuts, len(rows)]
    return rows, [whole.slice(a, b - a) for a, b in pairwise(edges)]


@settings(deadline=None)
@given(layout=layouts(), rows_per_tuple=st.integers(0, 7))
def test_any_cut_of_the_input_gives_the_rows_of_plain_python(
    layout: tuple[list[tuple[int | None, str | None]], list[pa.RecordBatch]], rows_per_tuple: int
) -> None:
    rows, batches = layout
    made = FLOW.run(batches, settings={"spark.penstock.tuple.rows": rows_per_tuple})
    assert made.to_pylist() == expected(rows)
