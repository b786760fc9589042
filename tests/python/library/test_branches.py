"""Flows that part and come together: split, union, and what is refused."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, FlowError, OperatorError, agg, flow
from penstock.library.branches import Branches

START = flow("f", "k string, n long")
N = pc.field("n")


def table(*numbers: int | None) -> pa.Table:
    keys = [None if n is None else "ab"[n % 2] for n in numbers]
    return pa.table({"k": pa.array(keys, pa.string()), "n": pa.array(numbers, pa.int64())})


def numbers(made: Flow, *given: int | None, **more: Any) -> list[int | None]:
    return list(made.run(table(*given), **more).table["n"].to_pylist())


def test_a_split_loses_and_doubles_nothing() -> None:
    big, rest = START.split(N > 10)
    assert numbers(big, 1, None, 20, 3, 30) == [20, 30]
    assert numbers(rest, 1, None, 20, 3, 30) == [1, None, 3]
    assert numbers(big.union(rest), 1, None, 20, 3, 30) == [1, None, 20, 3, 30]


@pytest.mark.parametrize("rows", [1, 2, 3, 1024])
def test_a_union_goes_by_input_row_and_then_by_branch(rows: int) -> None:
    def twice(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        return [batch, batch]

    minus = START.with_column("n", pc.negate(N))
    doubled = START.filter(N != 2).flat_map(twice)
    chosen = {"spark.penstock.tuple.rows": rows}
    made = numbers(minus.union(doubled, START), 1, 2, 3, settings=chosen)
    assert made == [-1, 1, 1, 1, -2, 2, -3, 3, 3, 3]


@pytest.mark.parametrize("model", ["manual", "dynamic", "conveyor", "dedicated"])
def test_operators_that_remember_see_all_rows_of_their_branch(model: Any) -> None:
    first, rest = START.split(pc.field("k") == "a")
    totals = first.key_by("k").running(total=agg.sum("n"))
    both = totals.union(rest.with_column("total", pc.scalar(0)))
    if model in {"dynamic", "conveyor"}:
        both = both.threading(model, threads=2)
    elif model == "dedicated":
        both = both.threading(model)
    made = both.run(table(*range(100)), settings={"spark.penstock.tuple.rows": 7}).table
    assert made["n"].to_pylist() == list(range(100))
    sums = [sum(range(0, n + 1, 2)) if n % 2 == 0 else 0 for n in range(100)]
    assert made["total"].to_pylist() == sums


def test_rows_that_an_operator_makes_at_the_end_leave_by_branch() -> None:
    class Count:
        def __init__(self) -> None:
            self.rows = 0

        def process(self, row: Any) -> None:
            self.rows += row is not None

        def finish(self) -> Any:
            yield {"k": "count", "n": self.rows}

    even = START.filter(pc.field("k") == "a").apply(Count())
    all_rows = START.apply(Count())
    assert numbers(all_rows.union(even), 1, 2, 3) == [3, 1]


def test_branches_may_part_again() -> None:
    low, high = START.split(N < 10)
    lowest, middle = low.split(N < 5)
    made = lowest.with_column("n", N + 100).union(middle).union(high)
    assert numbers(made, 1, 20, 7, 3, 11) == [101, 20, 7, 103, 11]


def test_what_branches_remember_is_saved_and_restored() -> None:
    first, rest = START.split(pc.field("k") == "a")
    counted = first.key_by("k").running(seen=agg.count(), name="seen")
    both = counted.union(rest.with_column("seen", pc.scalar(0)))
    before = both.run(table(0, 1, 2), checkpoint=True)
    assert list(before.states) == ["seen"]
    after = both.run(table(4, 5), restore=before.states)
    assert after.table["seen"].to_pylist() == [3, 0]


def test_a_failure_names_the_operator_and_the_row() -> None:
    def refuse(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 13 in batch["n"].to_pylist():
            raise ValueError("13 is not allowed")
        return batch

    bad = START.filter(N > 10).map(refuse, name="refuse").union(START)
    made: list[int] = []
    with pytest.raises(OperatorError, match="13 is not allowed") as caught:
        made.extend(n for b in bad.stream(table(1, 11, 12, 13, 14)) for n in b["n"].to_pylist())
    assert (caught.value.operator, caught.value.row) == ("refuse", 3)
    assert made == [1, 11, 11, 12, 12]


def test_names_that_nobody_chose_do_not_clash() -> None:
    both = (
        START.select("n").filter(N > 1).union(START.select(n=N).filter(N <= 1), START.select("n"))
    )
    names = [one.name for one in both.operators[-1].inner]
    assert len(set(names)) == len(names)
    assert numbers(both, 1, 2) == [1, 1, 2, 2]


def test_a_branch_of_branches_is_one_operator_that_says_what_is_inside() -> None:
    big, rest = START.split(N > 10, name="big")
    both = big.union(rest, name="both")
    operator = both.operators[-1]
    assert isinstance(operator, Branches)
    assert operator.body == "union of 2 branches: filter big, filter big.rest"
    text = both.explanation()
    assert "    branch 2\n      big.rest\n" in text
    assert "both: 2 branches, each in the order of the rows" in text


def test_the_reference_is_what_runs() -> None:
    big, rest = START.split(N > 2)
    both = big.with_column("n", N * 10).union(rest, START)
    batch = table(1, 2, 3, 4).to_batches()[0]
    reference = both.operators[-1].process(batch)
    assert reference is not None
    assert reference["n"].to_pylist() == numbers(both, 1, 2, 3, 4)


def test_stateless_branches_may_be_inside_a_region() -> None:
    def body(rows: Flow) -> Flow:
        big, rest = rows.split(N > 2)
        return big.with_column("n", N * 10).union(rest)

    made = START.parallel(body, by="k", channels=2)
    assert numbers(made, 1, 2, 3, 4, 5) == [1, 2, 30, 40, 50]


REFUSED: list[tuple[Any, str]] = [
    (START.union, "union needs another flow"),
    (lambda: START.union(7), "union takes another flow with the same beginning, got int"),  # type: ignore[arg-type]
    (lambda: START.union(flow("g", "k string, n long")), "'g' starts on its own"),
    (lambda: START.union(START.select("k")), "column 'n' is missing in the other"),
    (lambda: START.select("k").union(START), "column 'n' is missing in the first"),
    (lambda: START.union(START.select("n", "k")), "column 1 is 'k' in one and 'n' in the other"),
    (
        lambda: START.union(START.with_column("n", N.cast(pa.int32()))),
        "column 'n' is int64 in one and int32 in the other; use select",
    ),
    (
        lambda: START.filter(N > 1, name="x").union(START.filter(N < 1, name="x")),
        "operator 'x': two branches that come together in union have an operator of this name",
    ),
    (
        lambda: START.union(START.parallel(lambda rows: rows.filter(N > 1), by="k")),
        "operator 'parallel_1' is a region, which cannot be inside a branch",
    ),
    (
        lambda: START.union(START.filter(N > 1).threading("conveyor")),
        "threading is chosen for the whole flow",
    ),
    (lambda: START.split(N), "a filter needs a boolean"),
    (
        lambda: START.union(START.filter(N > 1, name="u"), name="u"),
        "another operator has this name",
    ),
]


@pytest.mark.parametrize(("build", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_what_cannot_be_is_refused_where_it_is_written(build: Any, message: str) -> None:
    with pytest.raises(FlowError) as caught:
        build()
    assert message in str(caught.value)
