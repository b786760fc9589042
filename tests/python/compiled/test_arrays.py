"""Fields of a state that are arrays of a fixed length."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

import pyarrow as pa
import pytest
from tests.prop.asking import Asking

from penstock import Elastic, Flow, FlowError, OperatorError, compiled, flow
from penstock.compiled.layout import MOST_RECORD_BYTES, Record
from penstock.compiled.plain import State
from penstock.threading_model import FIXED, MODELS

ROWS = 1500
KEYS = 13
LAST = 4
TABLE = pa.table(
    {
        "k": [i * i % KEYS for i in range(ROWS)],
        "x": [float(i * 7919 % 101) for i in range(ROWS)],
    }
)
STATE = f"seen long, last array<double, {LAST}>"
OUT = "k long, seen long, mean double"


def moving_mean(state: Any, row: Any, out: Any) -> None:
    state.last[state.seen % len(state.last)] = row.x
    state.seen += 1
    count = min(state.seen, len(state.last))
    total = 0.0
    for place in range(count):
        total += state.last[place]
    out.emit(row.k, state.seen, total / count)


MEANS = flow("f", "k long, x double").key_by("k").process(moving_mean, out=OUT, state=STATE)


def by_hand(table: pa.Table) -> list[dict[str, Any]]:
    last: dict[int, deque[float]] = defaultdict(lambda: deque(maxlen=LAST))
    seen: dict[int, int] = defaultdict(int)
    made = []
    for row in table.to_pylist():
        key = row["k"]
        last[key].append(row["x"])
        seen[key] += 1
        made.append({"k": key, "seen": seen[key], "mean": sum(last[key]) / len(last[key])})
    return made


@pytest.mark.parametrize("model", MODELS)
def test_each_key_has_an_array_of_its_own_on_any_number_of_threads(model: Any) -> None:
    threads = None if model in FIXED else 3
    made = MEANS.threading(model, threads=threads)
    settings = {"spark.penstock.tuple.rows": 16}
    assert made.run(TABLE, settings=settings).to_pylist() == by_hand(TABLE)


def test_the_plain_function_is_the_reference() -> None:
    made = MEANS.operators[0].process(TABLE.combine_chunks().to_batches()[0])
    assert made is not None
    assert made.to_pylist() == by_hand(TABLE)


def test_arrays_move_with_their_keys_when_channels_change() -> None:
    asking = Asking()

    def means(rows: Flow) -> Flow:
        return rows.key_by("k").process(moving_mean, out=OUT, state=STATE)

    asks = flow("f", "k long, x double").map(asking)
    wide = asks.parallel(means, by="k", channels=Elastic(1, 8), name="r")
    made = asking.run(wide, TABLE, "conveyor", 3, rows_per_tuple=7)
    assert made.to_pylist() == by_hand(TABLE)


def test_a_run_goes_on_from_the_arrays_of_a_checkpoint() -> None:
    half = ROWS // 2
    first = MEANS.run(TABLE.slice(0, half), checkpoint=True)
    second = MEANS.run(TABLE.slice(half), restore=first.states)
    assert first.to_pylist() + second.to_pylist() == by_hand(TABLE)


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("boolean", True, True),
        ("tinyint", -128, -128),
        ("int", 2**31 - 1, 2**31 - 1),
        ("float", 0.5, 0.5),
        ("timestamp", 7, 7),
        ("decimal(9,2)", 999_999_999, 999_999_999),
    ],
)
def test_an_array_has_values_of_any_type_of_a_field(kind: str, value: Any, kept: Any) -> None:
    def last(state: Any, row: Any, out: Any) -> None:
        state.guard = 7
        state.values[row.k] = value
        state.behind = 9
        same = state.values[row.k - 3] == kept and state.values[0] != kept
        out.emit(state.guard == 7 and state.behind == 9 and same)

    made = (
        flow("f", "k long")
        .key_by("k")
        .process(
            last,
            out="right boolean",
            state=f"guard tinyint, values array<{kind}, 3>, behind tinyint",
        )
    )
    assert made.run(pa.table({"k": [2, 1]})).table["right"].to_pylist() == [True, True]


@pytest.mark.parametrize("place", [-LAST - 1, LAST, 2**62, -(2**63)])
def test_a_place_that_is_not_there_is_an_error_of_the_row(place: int) -> None:
    def reads(state: Any, row: Any, out: Any) -> None:
        if state.last[row.place] > 0:
            out.keep()

    def writes(state: Any, row: Any, out: Any) -> None:
        state.last[row.place] = 1.0
        out.keep()

    for function in (reads, writes):
        made = flow("f", "k long, place long").key_by("k").process(function, state=STATE)
        with pytest.raises(OperatorError, match=r"input row 1 .*'last' has 4 values, none of this"):
            made.run(pa.table({"k": [1, 1], "place": [-LAST, place]}))


def test_a_value_that_does_not_fit_is_an_error_of_the_row() -> None:
    def writes(state: Any, row: Any, out: Any) -> None:
        state.small[0] = row.k
        out.keep()

    made = flow("f", "k long").key_by("k").process(writes, state="small array<tinyint, 2>")
    with pytest.raises(OperatorError, match=r"input row 1 .*'small' does not fit into a 8-bit"):
        made.run(pa.table({"k": [127, 128]}))


@pytest.mark.parametrize(
    "write",
    [
        "state.counts[0] = 1.7",
        "state.counts[row.k] = row.x",
        "state.counts[0] += 0.5",
        "counts = state.counts; counts[-1] = float(row.k)",
        "stored(state.counts, row.x)",
        "state.flags[0] = 1.7",
    ],
)
def test_a_double_for_a_whole_number_is_refused_where_the_flow_is_written(write: str) -> None:
    given = {"stored": stored}
    source = f"def writes(state, row, out):\n    {write}\n    out.keep()\n"
    exec(source, given)  # noqa: S102 - ways to write it, in a function that is not compiled before
    name = "flags" if "flags" in write else "counts"
    reason = f"state.{name} is a .*, but a double is assigned to it; write int"
    keyed = flow("f", "k long not null, x double").key_by("k")
    with pytest.raises(FlowError, match=reason):
        keyed.process(given["writes"], state="counts array<long, 2>, flags array<boolean, 2>")


def test_the_plain_state_refuses_such_a_double_too() -> None:
    state: Any = State(Record.of("n long, counts array<long, 2>, b boolean").slots)
    for write in (
        lambda: state.counts.__setitem__(0, 1.7),
        lambda: setattr(state, "n", 1.0),
        lambda: setattr(state, "b", float("nan")),
    ):
        with pytest.raises(TypeError, match=r"got the double .*; write int"):
            write()


@compiled
def stored(counts: Any, value: float) -> int:
    counts[0] = value
    return 1


def test_an_array_is_not_set_as_a_whole() -> None:
    def sets(state: Any, row: Any, out: Any) -> None:
        state.last = row.k
        out.keep()

    with pytest.raises(FlowError, match=r"set them one by one, as in state.last\[0\]"):
        flow("f", "k long").key_by("k").process(sets, state=STATE)
    with pytest.raises(FlowError, match=r"set them one by one, as in state.last\[0\]"):
        State(Record.of(STATE).slots).last = 1


def test_what_has_no_fixed_size_comes_with_advice() -> None:
    with pytest.raises(FlowError, match="say how many values there are, as in array<int, 64>"):
        Record.of("n array<int>")
    with pytest.raises(FlowError, match="'names' is a string or binary"):
        Record.of("names array<string, 4>")
    with pytest.raises(
        FlowError, match=f"takes {8 * 2**18} bytes, more than the {MOST_RECORD_BYTES}"
    ):
        Record.of(f"n array<long, {2**18}>")
    with pytest.raises(FlowError, match="at least one value"):
        Record.of("n array<long, 0>")
