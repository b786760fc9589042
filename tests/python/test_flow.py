from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark import cloudpickle

from penstock import Flow, FlowError, flow

SCHEMA = "host string, tries int"


def same(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch


def logins() -> Flow:
    return flow("logins", SCHEMA)


def test_continuing_a_flow_leaves_it_untouched() -> None:
    start = logins()
    one, other = start.select("host"), start.select("tries")
    assert start.operators == ()
    assert (one.schema.names, other.schema.names) == (["host"], ["tries"])


def test_flows_are_values() -> None:
    def built() -> Flow:
        return logins().filter(pc.field("tries") > 3).map(same).select(h=pc.field("host"))

    assert built() == built()
    assert hash(built()) == hash(built())
    assert built() != built().select("h")
    assert logins().filter(pc.field("tries") > 3) != logins().filter(pc.field("tries") > 4)


def test_a_flow_survives_pickling() -> None:
    built = logins().filter(pc.field("tries") > 3).map(same).with_column("t", pc.field("tries") + 1)
    assert pickle.loads(pickle.dumps(built)) == built


def test_a_pickled_flow_runs_in_another_process() -> None:
    word = "?"
    built = logins().map(
        lambda batch: pa.RecordBatch.from_pydict(
            {"loud": pc.binary_join_element_wise(batch["host"], word, "")}
        )
    )
    program = (
        "import pickle, sys, pyarrow as pa\n"
        "flow = pickle.load(sys.stdin.buffer)\n"
        "data = pa.table({'host': ['a'], 'tries': pa.array([1], pa.int32())})\n"
        "print(flow.run(data).to_pylist())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], input=cloudpickle.dumps(built), capture_output=True, check=True
    )  # fmt: skip
    assert ran.stdout.decode().strip() == "[{'loud': 'a?'}]"


def test_operators_are_named_by_kind_and_position_unless_told() -> None:
    built = (
        logins()
        .filter(pc.field("tries") > 3)
        .map(same, name="m")
        .flat_map(same)
        .with_column("x", pc.field("tries") + 1)
        .select("x")
    )
    names = [operator.name for operator in built.operators]
    assert names == ["filter_1", "m", "flat_map_3", "with_column_4", "select_5"]


def test_a_flow_says_its_steps_on_one_line() -> None:
    built = logins().filter(pc.field("tries") > 3, name="many").select("host")
    assert str(built) == "logins: filter many -> select select_2"
    assert str(logins()) == "logins: no operators"


def test_plain_columns_and_renamed_ones_are_native() -> None:
    built = logins().select("tries", h=pc.field("host"))
    assert built.operators[0].native
    assert built.schema.names == ["tries", "h"]
    assert logins().select(n=pc.field("tries") + 1).operators[0].native
    assert not logins().select(n=pc.utf8_length(pc.field("host"))).operators[0].native


def test_a_column_is_added_last_or_replaced_in_place() -> None:
    assert logins().with_column("x", pc.field("tries") > 1).schema.names == ["host", "tries", "x"]
    replaced = logins().with_column("host", pc.field("tries")).schema
    assert replaced == pa.schema([("host", pa.int32()), ("tries", pa.int32())])


def test_the_schema_of_what_a_function_returns_is_found_by_trying_it() -> None:
    built = logins().map(lambda batch: pa.RecordBatch.from_pydict({"n": batch["tries"]}))
    assert built.schema == pa.schema([("n", pa.int32())])


def test_a_declared_output_is_believed_when_the_function_needs_rows() -> None:
    built = logins().map(
        lambda batch: pa.RecordBatch.from_pydict({"n": [batch["host"][0].as_py()]}), "n string"
    )
    assert built.schema == pa.schema([("n", pa.string())])


def test_a_flat_map_that_returns_nothing_needs_a_declared_output() -> None:
    with pytest.raises(FlowError, match=r"returned nothing when tried .* give out="):
        logins().flat_map(lambda _: [])
    assert logins().flat_map(lambda _: [], "n int").schema.names == ["n"]


def lengths(batch: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"n": [len(host.as_py()) for host in batch["host"]]})


def test_a_column_without_a_type_in_the_trial_needs_a_declared_output() -> None:
    with pytest.raises(FlowError, match=r"gave column 'n' no type .* give out="):
        logins().map(lengths)
    data = pa.table({"host": ["ab"], "tries": pa.array([1], pa.int32())})
    assert logins().map(lengths, "n long").run(data).to_pylist() == [{"n": 2}]


def test_a_type_that_only_speaks_of_nulls_is_a_type() -> None:
    kind = pa.struct([pa.field("null", pa.int32(), nullable=False)])
    built = logins().map(lambda b: pa.record_batch([pa.nulls(b.num_rows, kind)], ["s"]))
    assert built.schema.field("s").type == kind


def test_a_trial_that_raises_is_the_cause_of_the_error() -> None:
    with pytest.raises(FlowError, match=r"raised IndexError .* give out=") as raised:
        logins().map(lambda batch: batch["host"][0])
    assert isinstance(raised.value.__cause__, IndexError)


def test_a_column_type_arrow_cannot_compare_is_named() -> None:
    with pytest.raises(FlowError, match=r"operator 'filter_1': .*no kernel") as raised:
        logins().filter(pc.field("host") > 3)
    assert isinstance(raised.value.__cause__, pa.ArrowNotImplementedError)


not_a_function: Any = 3
no_arguments: Any = lambda: 1

MISTAKES: list[tuple[Any, str]] = [
    (lambda: flow("a b", SCHEMA), "'a b' cannot name a flow; it must match"),
    (lambda: flow("", SCHEMA), "cannot name a flow"),
    (lambda: flow("f", "a strin"), "flow 'f': unknown type 'strin'"),
    (lambda: logins().filter(pc.field("trys") > 1), "'filter_1': unknown column 'trys'; did you"),
    (lambda: logins().filter(pc.field("tries")), r"'filter_1': tries is int, but a filter needs a"),
    (lambda: logins().filter(True), "got bool; a Python comparison has already been decided"),
    (lambda: logins().filter(len), "or give the function to map or flat_map"),
    (lambda: logins().filter(pc.sum(pc.field("tries")) > 1), "does not give one value per row"),
    (lambda: logins().select("hots"), "'select_1': unknown column 'hots'; did you mean 'host'"),
    (lambda: logins().select(), "'select_1': name at least one column; Known: 'host', 'tries'"),
    (lambda: logins().select("host", "host"), "column 'host' would occur twice in the output"),
    (lambda: logins().select("host", host=pc.field("tries")), "'host' would occur twice"),
    (lambda: logins().select(pc.field("host")), "selected by name, got Expression; give an"),
    (lambda: logins().select(x="host"), r"got the string 'host'; write pc.field\('host'\)"),
    (lambda: logins().select(x=pc.field("y")), "'select_1': column 'x': unknown column 'y'"),
    (lambda: logins().with_column("x", pc.field("y")), "'with_column_1': column 'x': unknown colu"),
    (lambda: logins().with_column("x", "host"), "got the string 'host'"),
    (lambda: logins().with_column("x", 3), "a pyarrow.compute expression is needed, got int"),
    (lambda: logins().with_column("", pc.field("host")), "a column needs a name, got ''"),
    (lambda: logins().map(not_a_function), "'map_1': a function of one RecordBatch is needed, got int 3"),
    (lambda: logins().map(no_arguments), "cannot be called with one RecordBatch"),
    (lambda: logins().map(lambda _: None), "must return a RecordBatch, got NoneType"),
    (lambda: logins().map(lambda _: pa.table({"a": [1]})), "must return a RecordBatch, got Tab"),
    (lambda: logins().map(lambda _: pa.RecordBatch.from_pydict({"a": [1]})), "returned 1 rows for 0; .* use flat"),
    (lambda: logins().map(same, "host int, tries int"), "column 'host' was declared int but is str"),
    (lambda: logins().map(same, "host string"), "'host' were declared but 'host', 'tries' came"),
    (lambda: logins().map(same, "tries int, host string"), "'tries', 'host' were declared but 'ho"),
    (lambda: logins().map(same, out=3), "got int"),
    (lambda: logins().flat_map(lambda _: "x"), "'flat_map_1': .* must return .* got str"),
    (lambda: logins().map(same, name="1st"), "'1st' cannot name an operator"),
    (lambda: logins().map(same, name="m").map(same, name="m"), "'m': another operator has this name"),
    (lambda: logins().map(same, name="map_2").map(same), "'map_2': another operator has this name"),
]  # fmt: skip


@pytest.mark.parametrize(("write", "problem"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_a_mistake_is_found_where_it_is_written(write: Any, problem: str) -> None:
    with pytest.raises(FlowError, match=problem):
        write()


EMPTY: list[Any] = [
    lambda empty: empty.run(pa.table({"host": ["a"]})),
    lambda empty: empty.stream([]),
    lambda empty: empty.explain(),
]


@pytest.mark.parametrize("use", EMPTY, ids=["run", "stream", "explain"])
def test_a_flow_without_operators_does_nothing_but_complain(use: Any) -> None:
    with pytest.raises(FlowError, match=r"flow 'logins' has no operators; add one"):
        use(logins())
