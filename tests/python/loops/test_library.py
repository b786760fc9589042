"""Driver loops of a user's own library, compiled here and run in flows."""

from __future__ import annotations

import pickle
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.python.library.build import build
from tests.python.loops.loops import Driver, numbers, sides, tuples

import penstock
from penstock import FlowError, OperatorError, _native, flow, wait_all, wait_any
from penstock.loops import library as loop_library
from penstock.threading_model import MODELS

SOURCE = Path(__file__).with_name("loops.cpp")
DOCS = Path(__file__).parents[3] / "docs/loops.md"
MIXED = [n if n % 3 else -n for n in range(1, 400)]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("loops") / "loops.so"
    return build(made, "-std=c++20", source=SOURCE)


def barrier(left: Any, right: Any, out: Any) -> Driver:
    while (yield wait_all(left=1, right=1)):
        count = min(len(left), len(right))
        out.push({"left": left.take(count)["n"], "right": right.take(count)["n"]})


def gate(data: Any, control: Any, out: Any) -> Driver:
    is_open = True
    while (yield wait_any(data=1, control=1)):
        if control:
            is_open = control.take()["n"][-1].as_py() > 0
        rows = data.take()
        if is_open:
            out.push(rows)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [0, 1, 7])
@pytest.mark.parametrize("wake", ["rows", "tuples"])
def test_a_barrier_does_what_the_same_in_python_does(
    library: str, model: Any, rows: int, wake: Any
) -> None:
    left, right = sides()
    made = []
    for both in (
        left.loop(f"{library}:barrier", right=right, wake=wake),
        left.loop(barrier, right=right, out="left long, right long", wake=wake),
    ):
        flowing = both if model == "manual" else both.threading(model)
        made.append(flowing.run(numbers(MIXED), settings=tuples(rows)).to_pylist())
    assert made[0] == made[1]
    assert len(made[0]) == sum(n < 0 for n in MIXED)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [0, 1, 7])
def test_a_gate_does_what_the_same_in_python_does(library: str, model: Any, rows: int) -> None:
    table = pa.table({"ts": range(len(MIXED)), "n": MIXED})
    data, other = flow("f", "ts long, n long").split(pc.field("n") > 0)
    # It reads one column of what comes there.
    control = other.with_columns(n=pc.bit_wise_and(pc.field("ts"), 1))
    made = []
    for function in (f"{library}:gate", gate):
        passed = penstock.loop(function, control=control, data=data)
        flowing = passed if model == "manual" else passed.threading(model)
        made.append(flowing.run(table, settings=tuples(rows)).to_pylist())
    assert made[0] == made[1]
    assert 0 < len(made[0]) < sum(n > 0 for n in MIXED)


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_values_of_all_kinds_come_in_and_go_out(library: str, rows: int) -> None:
    table = pa.table(
        {
            "other": [[1], [2], None, []],
            "text": ["a", None, "long " * 9, ""],
            "n": pa.array([1, 2, None, 3], pa.int32()),
        }
    )
    repeated = flow("f", "other array<bigint>, text string, n int").loop(f"{library}:repeat")
    made = repeated.run(table.slice(0), settings=tuples(rows)).to_pylist()
    assert made == [
        {"text": text, "half": time / 2, "first": time == 0, "nothing": None}
        for text, n in (("a!", 1), (None, 2), ("!", 3))
        for time in range(n)
    ]


def test_several_outputs_are_a_flow_each_and_a_loop_may_end_early(library: str) -> None:
    parts = flow("f", "n long").loop(f"{library}:part")
    assert list(parts) == ["even", "odd"]
    values = [*range(10), 100, *range(10)]
    assert parts["even"].run(numbers(values)).to_pylist() == [{"n": n} for n in range(0, 10, 2)]
    odd = parts["odd"].run(numbers(values)).to_pylist()
    assert odd == [{"text": str(n)} for n in range(1, 10, 2)]


def test_inputs_of_a_flow_come_to_the_ports_of_their_names(library: str) -> None:
    left, right = penstock.inputs("f", left="n long", right="n long")
    given = {"left": numbers([1, 2, 3]), "right": numbers([4, 5]), "order_by": None}
    same = left.loop(f"{library}:barrier", right=right)
    assert [tuple(row.values()) for row in same.run(**given).to_pylist()] == [(1, 4), (2, 5)]
    turned = penstock.loop(f"{library}:barrier", left=right, right=left)
    assert [tuple(row.values()) for row in turned.run(**given).to_pylist()] == [(4, 1), (5, 2)]
    # One step less where the rows are told apart as the library counts its ports.
    assert len(same.operators) < len(turned.operators)


def test_rows_that_a_loop_holds_are_pushed_at_the_end_and_let_go_if_it_fails(library: str) -> None:
    kept = flow("f", "n long").loop(f"{library}:last")
    assert kept.run(numbers(range(9)), settings=tuples(2)).to_pylist() == [{"n": 8}]
    before = pa.total_allocated_bytes()
    broken = kept.loop(f"{library}:mistaken")
    with pytest.raises(OperatorError):
        broken.run(numbers([6]))
    del broken
    assert pa.total_allocated_bytes() <= before + 4096


@pytest.mark.parametrize(
    ("n", "message"),
    [
        (0, "cannot take 1000 rows of port 'rows', where 0 wait"),
        (1, "column 0 has Arrow's format 'l', and is used as int32"),
        (2, "there is no column 1 of 1"),
        (3, "column 0 has Arrow's format 'l', and is used as float64"),
        (4, "a row has 1 columns, and 2 values are given"),
        (5, "there is no output port 7"),
        (6, "six is too many"),
        (7, "an exception that is no std::exception"),
        (8, "waits for port 5, but it has the ports 0 to 0"),
        (9, "it awaits something that is no wait of its ports"),
        (10, "there is no input port 3"),
        (11, "cannot take 1 rows of port 'rows'"),
    ],
)
def test_mistakes_of_a_loop_name_it_and_the_row(library: str, n: int, message: str) -> None:
    mistaken = flow("f", "n long").loop(f"{library}:mistaken", name="wrong")
    got: list[int] = []

    def read() -> None:
        for batch in mistaken.stream(numbers([20, 21, n, 22]), settings=tuples(3)):
            got.extend(batch["n"].to_pylist())

    with pytest.raises(OperatorError, match=re.escape(message)) as caught:
        read()
    assert (caught.value.operator, caught.value.row) == ("wrong", 2)
    assert "loops.so:mistaken" in str(caught.value) or "loop 'wrong'" in str(caught.value)
    assert got == [20, 21]


@pytest.mark.parametrize("model", MODELS)
def test_an_exception_ends_a_flow_in_which_another_loop_waits_for_its_rows(
    library: str, model: Any
) -> None:
    left, right = flow("f", "n long").split(pc.field("n") < 100)
    failing = left.loop(f"{library}:mistaken", name="wrong")
    both = failing.loop(f"{library}:barrier", right=right)
    if model != "manual":
        both = both.threading(model)
    got: list[int] = []

    def read() -> None:
        # The barrier holds 102 and waits for what the other makes of 6.
        for batch in both.stream(numbers([20, 101, 102, 6, 21, 103]), settings=tuples(1)):
            got.extend(batch["right"].to_pylist())

    with pytest.raises(OperatorError, match="six is too many") as caught:
        read()
    assert (caught.value.operator, caught.value.row) == ("wrong", 3)
    assert got == [101]


@pytest.mark.parametrize(
    ("symbol", "message"),
    [
        ("none", "has no symbol 'none'; define it with PENSTOCK_LOOP(none, ...)"),
        ("newer", "was built against version 3 of penstock_loop.h, this is version 2"),
        ("empty", "is not whole; define it with PENSTOCK_LOOP(empty, ...)"),
        ("unnamed", "declares its inputs as 'n int'; write each port once"),
        ("twice", "has both an input and an output 'a'"),
        ("barrier", "has an input 'right'; give the flow it reads as right="),
        ("repeat", "port 'rows', reads column 'text' (string), which is not there"),
    ],
)
def test_a_library_that_does_not_fit_is_refused(library: str, symbol: str, message: str) -> None:
    with pytest.raises(FlowError, match=re.escape(message)) as caught:
        flow("f", "n int").loop(f"{library}:{symbol}")
    assert "flow 'f'" in str(caught.value)


def test_what_the_library_says_itself_is_not_said_again(library: str) -> None:
    left, right = sides()
    with pytest.raises(FlowError, match="leave out= out"):
        left.loop(f"{library}:barrier", right=right, out="n long")  # type: ignore[call-overload]
    with pytest.raises(FlowError, match="has no input 'rigth'; did you mean 'right'"):
        left.loop(f"{library}:barrier", rigth=right)
    with pytest.raises(FlowError, match=r"names no operator|there is no library 'no.so'"):
        left.loop("no.so:barrier", right=right)


def test_it_is_found_again_elsewhere_and_must_be_the_same(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "here" / "moved.so"
    shipped.parent.mkdir()
    shutil.copy(library, shipped)
    kept = flow("f", "n long").loop(f"{shipped}:last", name="kept")
    other = pickle.loads(pickle.dumps(kept))
    shipped.rename(tmp_path / "moved.so")
    with pytest.raises(FlowError, match=r"operator 'kept': there is no library .* spark-submit"):
        other.run(numbers([1]))
    monkeypatch.chdir(tmp_path)
    assert other.run(numbers([1, 2])).to_pylist() == [{"n": 2}]
    changed = tmp_path / "other" / "changed.cpp"
    changed.parent.mkdir()
    ports = 'PENSTOCK_LOOP(last, "rows: n '
    changed.write_text(SOURCE.read_text().replace(f"{ports}bigint", f"{ports}int"))
    build(changed.with_name("moved.so"), "-std=c++20", source=changed)
    monkeypatch.chdir(changed.parent)
    with pytest.raises(FlowError, match=r"operator 'kept': .* has other ports than the one"):
        other.run(numbers([1]))


def test_a_port_has_the_room_that_was_given(library: str) -> None:
    left, right = sides()
    full = left.loop(f"{library}:barrier", right=right, capacity=3, name="full")
    with pytest.raises(OperatorError, match="has 9 rows waiting at port 'left', which may hold 3"):
        full.run(numbers([-1] * 9))
    grows = left.loop(f"{library}:barrier", right=right, grow=True)
    assert grows.run(numbers([-1] * 9 + [1])).to_pylist() == [{"left": -1, "right": 1}]


@pytest.mark.parametrize("rows", [1, 2, 5, 100])
def test_rows_of_a_loop_inside_a_branch_keep_their_places(library: str, rows: int) -> None:
    start = flow("f", "other array<bigint>, text string, n int")
    table = pa.table(
        {"other": [[n] for n in range(9)], "text": ["a"] * 9, "n": pa.array(range(9), pa.int32())}
    )
    half = start.loop(f"{library}:repeat").select(n=pc.field("half"))
    both = half.union(start.select(n=pc.field("n").cast(pa.float64())))
    made = both.run(table, settings=tuples(rows)).table["n"].to_pylist()
    assert made == [n for row in range(9) for n in (*(time / 2 for time in range(row)), row)]


def test_a_port_is_closed_where_the_branch_before_it_ends(library: str) -> None:
    left, right = sides()
    both = left.take(2).loop(f"{library}:barrier", right=right, capacity=9)
    read: list[int] = []

    def endless() -> Any:
        for n in range(1, 100_000):
            read.append(n)
            yield pa.RecordBatch.from_pydict({"n": [-n, n]})

    assert [tuple(row.values()) for row in both.run(endless()).to_pylist()] == [(-1, 1), (-2, 2)]
    assert len(read) < 50_000


def test_it_is_explained(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    left, right = sides()
    left.loop(f"{library}:barrier", right=right, name="both").explain()
    text = capsys.readouterr().out
    assert f"does     library loop {library}:barrier from left, right to out" in text
    assert "kind     stateful, native" in text


def test_the_header_and_both_sides_of_the_engine_have_one_version() -> None:
    header = (Path(penstock.include_dir()) / "penstock_loop.h").read_text()
    assert f"#define PENSTOCK_LOOP_ABI {loop_library.ABI}\n" in header
    assert _native.loop_abi == loop_library.ABI


def test_the_loop_of_the_page_compiles_and_runs(tmp_path: Path) -> None:
    found = re.search(r"```cpp\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert found is not None
    source = tmp_path / "mine.cpp"
    source.write_text(found[1])
    mine = build(tmp_path / "mine.so", "-std=c++20", source=source)
    left, right = sides()
    made = left.loop(f"{mine}:larger", right=right).run(numbers([-1, 5, -2, 7]))
    assert made.to_pylist() == [{"n": 5, "is_left": False}, {"n": 7, "is_left": False}]
