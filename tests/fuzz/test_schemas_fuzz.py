"""Batches whose columns drift in the middle of a partition (T8).

Each batch of a partition may have its columns in another encoding, of another type, with another
name, twice, elsewhere or not at all. Which of these are the same values is written down here, and
not asked of the code: they come through as declared, and anything else is refused with its column
where it comes, behind all rows before it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from tests.fuzz.amount import share

from penstock import FlowError, OperatorError, flow
from penstock.partition import run_partition
from penstock.spec import FlowSpec

DDL = "n long, s string, l array<int>"
N, S, L = [1, None, 3], ["a", "é", None], [[1], None, [2, 3]]
PLAIN = {
    "n": pa.array(N, pa.int64()),
    "s": pa.array(S, pa.string()),
    "l": pa.array(L, pa.list_(pa.int32())),
}
EMPTY = pa.RecordBatch.from_pydict(PLAIN).slice(0, 0)
SAME: dict[str, list[Any]] = {
    "n": [PLAIN["n"], PLAIN["n"].dictionary_encode()],
    "s": [
        PLAIN["s"],
        pa.array(S, pa.large_string()),
        PLAIN["s"].dictionary_encode(),
        pa.array(S, pa.large_string()).dictionary_encode(),
    ],
    "l": [
        PLAIN["l"],
        pa.array(L, pa.large_list(pa.int32())),
        pa.array(L, pa.list_(pa.field("other", pa.int32(), nullable=False))),
    ],
}
OTHER: dict[str, list[Any]] = {
    "n": [
        pa.array(N, pa.int32()),
        pa.array(N, pa.uint64()),
        pa.array(N, pa.float64()),
        pa.array(N, pa.duration("s")),
        pa.array(["1", None, "3"]),
    ],
    "s": [pa.array([b"a", b"b", None]), pa.array(N, pa.int64()), pa.array([["a"], None, ["b"]])],
    "l": [pa.array(L, pa.list_(pa.int64())), pa.array(S), pa.array(N, pa.int32())],
}
ROUNDS = share(0.006)


class Drift:
    """A batch that may have drifted.

    Attributes:
        batch: The batch.
        wrong: The column at fault; empty if there is none.
    """

    def __init__(self, chance: random.Random, *, by_name: bool) -> None:
        self.wrong = ""
        columns = [(name, chance.choice(SAME[name])) for name in PLAIN]
        place = chance.randrange(len(columns))
        name, values = columns[place]
        what = chance.choice(
            ["nothing"] * 6 + ["type", "name", "twice", "missing", "more", "order"]
        )
        if what == "type":
            columns[place] = (name, chance.choice(OTHER[name]))
        elif what == "name":
            columns[place] = (name.upper(), values)
        elif what == "twice":
            columns.append((name, values))
        elif what == "missing":
            del columns[place]
        elif what == "more":
            columns.insert(place, ("x", values))
        elif what == "order":
            columns.append(columns.pop(0))
        if what in ("type", "name", "twice", "missing") or (
            what in ("more", "order") and not by_name
        ):
            self.wrong = name
        self.batch = pa.RecordBatch.from_arrays(
            [values for _, values in columns], names=[name for name, _ in columns]
        )


def drifts(chance: random.Random, *, by_name: bool) -> list[Drift]:
    """The batches of a partition."""
    return [Drift(chance, by_name=by_name) for _ in range(chance.randrange(1, 6))]


def good_rows(batches: list[Drift]) -> tuple[int, str]:
    """How many rows come before the first column at fault, and which that is."""
    for count, each in enumerate(batches):
        if each.wrong:
            return 3 * count, each.wrong
    return 3 * len(batches), ""


@pytest.mark.parametrize("model", ["manual", "dynamic", "conveyor"])
def test_what_a_function_returns_is_what_was_declared_or_refused(model: str) -> None:
    chance = random.Random(f"functions {model}")
    given: Iterator[Drift]

    def drifting(batch: pa.RecordBatch) -> pa.RecordBatch:
        return next(given).batch if batch.num_rows else EMPTY

    made = flow("f", DDL).map(drifting, DDL, name="drifts").threading(model)  # type: ignore[arg-type]
    refused = 0
    for _ in range(ROUNDS):
        batches = drifts(chance, by_name=False)
        rows, wrong = good_rows(batches)
        given = iter(batches)
        run = made.stream(
            [pa.RecordBatch.from_pydict(PLAIN)] * len(batches),
            settings={"spark.penstock.tuple.rows": 3, "spark.penstock.error.locateRow": "false"},
        )
        message = f"'drifts'.*another schema.*'{wrong}'"
        check(run, rows, OperatorError if wrong else None, message)
        refused += bool(wrong)
    assert ROUNDS // 10 < refused < 0.95 * ROUNDS


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_what_comes_in_is_what_was_declared_or_refused(model: str) -> None:
    chance = random.Random(f"inputs {model}")
    refused = 0
    made = flow("f", DDL).select("n", "s", "l").threading(model)  # type: ignore[arg-type]
    spec = FlowSpec.of(made, {"spark.penstock.tuple.rows": 3})
    for _ in range(ROUNDS):
        batches = drifts(chance, by_name=True)
        rows, wrong = good_rows(batches)
        run = run_partition(spec, iter([each.batch for each in batches]))
        check(run, rows, FlowError if wrong else None, f"flow 'f'.*column '{wrong}'")
        refused += bool(wrong)
    assert ROUNDS // 10 < refused < 0.95 * ROUNDS


def check(
    run: Iterator[pa.RecordBatch], rows: int, fails: type[Exception] | None, message: str
) -> None:
    """What comes out is all rows before the fault, as declared, and then the failure."""
    found: list[dict[str, Any]] = []

    def take_all() -> None:
        for batch in run:
            assert [str(one) for one in batch.schema.types] == ["int64", "string", LIST]
            found.extend(batch.to_pylist())

    if fails is None:
        take_all()
    else:
        with pytest.raises(fails, match=f"(?s){message}"):
            take_all()
    wanted = [dict(zip("nsl", row, strict=True)) for row in zip(N, S, L, strict=True)]
    assert found == wanted * (rows // 3)


LIST = str(PLAIN["l"].type)
