"""apply(): what it takes, what it refuses where it is written, and that it can be shipped."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from pyspark import cloudpickle

from penstock import flow, state
from penstock.errors import FlowError
from penstock.rows import Row
from penstock.spec import FlowSpec
from penstock.worker import run

SCHEMA = "sensor string, value double"


class Threshold:
    """The paper's example of partitioned state."""

    last = state.Value("double")

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def process(self, row: Row) -> Iterator[Row]:
        if not self.last.has() or abs(row.value - self.last.get()) > self.limit:
            yield row
        self.last.put(row.value)


class Twice:
    def process(self, row: Row) -> list[Row]:
        return [row, row]


class Counts:
    def __init__(self) -> None:
        self.rows = 0

    def process(self, row: Row) -> list[Row]:
        self.rows += 1
        return [row] * self.rows


def double(row: Row) -> Any:
    return [(row.sensor, row.value * 2)]


def test_the_kind_follows_from_what_can_be_remembered() -> None:
    kinds = [
        flow("f", SCHEMA).apply(double),
        flow("f", SCHEMA).apply(Twice()),
        flow("f", SCHEMA).apply(Counts()),
        flow("f", SCHEMA).key_by("sensor").apply(Threshold(1)),
        flow("f", SCHEMA).key_by("sensor").apply(double),
    ]
    assert [made.operators[0].kind for made in kinds] == [
        "stateless",
        "stateless",
        "stateful",
        "keyed",
        "stateless",
    ]


def test_explain_names_the_class_and_its_key() -> None:
    text = flow("f", SCHEMA).key_by("sensor").apply(Threshold(1), name="jumps").explanation()
    assert f"apply {__name__}:Threshold by sensor" in text
    assert "keyed, holds the GIL" in text


def test_out_is_the_schema_given_unless_it_is_declared() -> None:
    assert flow("f", SCHEMA).apply(double).schema == flow("f", SCHEMA).schema
    assert flow("f", SCHEMA).apply(double, "n int").schema.names == ["n"]


def test_an_operator_can_be_applied_to_one_batch_on_its_own() -> None:
    made = flow("f", SCHEMA).key_by("sensor").apply(Threshold(0.5)).operators[0]
    batch = pa.RecordBatch.from_pydict({"sensor": ["a", "a", "b"], "value": [1.0, 1.2, 9.0]})
    for _ in range(2):
        kept = made.process(batch)
        assert kept is not None
        assert kept.to_pydict() == {"sensor": ["a", "b"], "value": [1.0, 9.0]}


def test_a_flow_with_state_is_shipped_as_spark_does_it() -> None:
    shipped = pickle.loads(
        pickle.dumps(FlowSpec.of(flow("f", SCHEMA).key_by("sensor").apply(Threshold(0.5))))
    )
    batch = pa.RecordBatch.from_pydict({"sensor": ["a", "a"], "value": [1.0, 1.2]})
    assert [made.to_pydict() for made in run(shipped, iter([batch]))] == [
        {"sensor": ["a"], "value": [1.0]}
    ]


def test_a_class_that_a_notebook_defines_is_shipped_with_its_state() -> None:
    class Local(Threshold):
        seen = state.Map("string", "bigint")

        def process(self, row: Row) -> Iterator[Row]:
            self.seen.put("rows", self.seen.get("rows", 0) + 1)
            if self.seen.get("rows") == 2:
                yield from super().process(row)

    built = FlowSpec.of(flow("f", SCHEMA).key_by("sensor").apply(Local(0.5)))
    shipped = pickle.loads(cloudpickle.dumps(built))
    batch = pa.RecordBatch.from_pydict({"sensor": ["a", "a"], "value": [1.0, 1.2]})
    assert [made.to_pydict() for made in run(shipped, iter([batch]))] == [
        {"sensor": ["a"], "value": [1.2]}
    ]


class NoProcess:
    pass


class TwoArguments:
    def process(self, row: Row, other: Row) -> None: ...


class ProcessIsNoMethod:
    process = 3


class Finishes(Threshold):
    def finish(self) -> None: ...


class FinishIsNoMethod(Twice):
    finish = 3


class ClashesWithAKey(Twice):
    sensor = state.Value("int")


@pytest.mark.parametrize(
    ("operator", "words"),
    [
        (Threshold, r"got its class; write Threshold\(\.\.\.\)"),
        (
            NoProcess(),
            r"apply needs an object with process\(row\), or a function of a row, got NoP",
        ),
        (3, "got int 3"),
        (TwoArguments(), r"cannot be called with one row: missing a required argument: 'other'"),
        (lambda: None, "cannot be called with one row"),
        (ProcessIsNoMethod(), "got ProcessIsNoMethod"),
        (Threshold(1), r"declares state for each key \(last\), so it needs keys: write key_by"),
        (FinishIsNoMethod(), "FinishIsNoMethod.finish must be a method, got 3"),
    ],
)
def test_what_cannot_be_applied_is_refused_on_the_driver(operator: Any, words: str) -> None:
    with pytest.raises(FlowError, match=f"flow 'f', operator 'apply_1': .*{words}"):
        flow("f", SCHEMA).apply(operator)


@pytest.mark.parametrize(
    ("key", "operator", "words"),
    [
        ("sensr", Threshold(1), "unknown key column 'sensr'; did you mean 'sensor'"),
        ("tags", Threshold(1), "key column 'tags' is array<int>, which cannot be a key"),
        ("sensor", Finishes(1), "Finishes.finish cannot be called by key"),
        ("sensor", ClashesWithAKey(), "'sensor' is the name of another store or key column"),
    ],
)
def test_what_cannot_go_by_key_is_refused_on_the_driver(
    key: str, operator: Any, words: str
) -> None:
    with pytest.raises(FlowError, match=f"flow 'f', operator 'apply_1': .*{words}"):
        flow("f", SCHEMA + ", tags array<int>").key_by(key).apply(operator)


def test_a_bad_out_is_refused_on_the_driver() -> None:
    with pytest.raises(FlowError, match="flow 'f', operator 'apply_1'"):
        flow("f", SCHEMA).apply(double, "n itn")


@pytest.mark.parametrize(
    "declare",
    [
        lambda: state.Value("double2"),
        lambda: state.List(3),
        lambda: state.Map("string", "nothing"),
    ],
)
def test_state_of_no_type_is_refused_where_it_is_declared(declare: Any) -> None:
    with pytest.raises(FlowError):
        declare()
