"""Random circles against plain lists: tuple by tuple and mark by mark, on any threads."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from penstock import Flow, flow, wait_all, wait_mark

MODELS = ("manual", "dedicated", "dynamic", "conveyor", "automatic")
MODULUS = 1_000_003


def mixes(n: Any, before: Any, out: Any, *, factor: int) -> Generator[Any, Any, Any]:
    """Makes of each row another, with what came round in between."""
    known = 1
    while (yield wait_all(n=1)):
        for value in before.take()["n"].to_pylist():
            known = (known * 31 + value) % MODULUS
        out.push({"n": [(n.take(1)["n"][0].as_py() * factor + known) % MODULUS]})


def sums(n: Any, out: Any, back: Any, *, most: int) -> Generator[Any, Any, Any]:
    """Lets rows leave, and sends back a sum at each mark, so many times."""
    total = 0
    for _ in range(most):
        if not (yield wait_mark()):
            break
        rows = n.take()
        total += sum(rows["n"].to_pylist())
        back.push({"n": [total]})
        out.push(rows)
    out.push({"n": [-total]})


def marked(batches: list[list[int]], every: int) -> Iterator[list[int] | None]:
    """What comes to the circle: rows, up to a mark, and None for that."""
    since = 0
    for batch in batches:
        here: list[int] = []
        for value in batch:
            here.append(value)
            since += 1
            if since == every:
                yield here
                yield None
                here, since = [], 0
        if here:
            yield here


def expected(batches: list[list[int]], every: int, factor: int, most: int) -> list[int]:
    made: list[int] = []
    came: list[int] = []
    held: list[int] = []
    known, total, marks = 1, 0, 0
    for item in marked(batches, every):
        if marks == most:
            break
        if item is None:
            total += sum(held)
            made += held
            held, marks = [], marks + 1
            came.append(total)
            continue
        for value in item:
            for one in came:
                known = (known * 31 + one) % MODULUS
            came = []
            held.append((value * factor + known) % MODULUS)
    return [*made, -total]


@given(
    batches=st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=9), max_size=6),
    every=st.integers(1, 7),
    factor=st.integers(1, 9),
    most=st.integers(0, 6),
    model=st.sampled_from(MODELS),
)
def test_a_random_circle_makes_what_plain_lists_make(
    batches: list[list[int]], every: int, factor: int, most: int, model: Any
) -> None:
    def round_trip(rows: Flow) -> Any:
        mixed = rows.loop(partial(mixes, factor=factor), control="before", name="mixes")
        return mixed.loop(
            partial(sums, most=most), {"out": "n long", "back": "n long"}, name="sums"
        )

    made = flow("f", "n long").punctuate(every=every).circle(round_trip).threading(model)
    rows = [pa.record_batch({"n": pa.array(batch, pa.int64())}) for batch in batches]
    given_rows = rows or [pa.record_batch({"n": pa.array([], pa.int64())})]
    assert made.run(given_rows).table["n"].to_pylist() == expected(batches, every, factor, most)
