from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, OperatorError, flow
from penstock.metrics import FlowMetrics, LevelChange, OperatorMetrics, WorkerMetrics
from penstock.spec import FlowSpec
from penstock.threading_model import MODELS
from penstock.worker import run

ON = {"spark.penstock.tuple.rows": 10}


def batches(count: int, rows: int = 50) -> list[pa.RecordBatch]:
    return [
        pa.RecordBatch.from_pydict({"n": pa.array(range(k * rows, (k + 1) * rows), pa.int64())})
        for k in range(count)
    ]


def numbers(model: str = "manual") -> Flow:
    made = (
        flow("numbers", "n long")
        .filter(pc.field("n") < 300, name="small")
        .map(lambda batch: batch, name="same")
        .flat_map(lambda batch: [batch, batch], name="twice")
    )
    threads = None if model in ("manual", "dedicated") else 3
    return made.threading(model, threads=threads)  # type: ignore[arg-type]


def measured(made: Flow, data: Any, **settings: object) -> FlowMetrics:
    metrics = made.run(data, settings={**ON, **settings}).metrics
    assert metrics is not None
    return metrics


@pytest.mark.parametrize("model", MODELS)
def test_rows_are_counted_as_the_operators_let_them_through(model: str) -> None:
    metrics = measured(numbers(model), batches(10))
    counted = [(one.name, one.tuples, one.rows_in, one.rows_out) for one in metrics.operators]
    assert counted == [("small", 50, 500, 300), ("same", 30, 300, 300), ("twice", 30, 300, 600)]
    assert metrics.runs == 50
    assert metrics.tuples == 110


@pytest.mark.parametrize("model", MODELS)
def test_nobody_is_busy_for_longer_than_the_run_takes(model: str) -> None:
    start = time.perf_counter()
    metrics = measured(numbers(model), batches(10))
    took = time.perf_counter() - start
    assert 0 < metrics.seconds <= took
    assert metrics.workers[0].name == "feeder"
    assert metrics.workers[0].busy > 0
    for worker in metrics.workers:
        assert 0 <= worker.busy + worker.blocked <= metrics.seconds + 1e-9
        assert 0 <= worker.utilisation <= 1
    assert 0 < metrics.utilisation <= 1
    assert metrics.levels[0].level >= 1


def test_a_python_function_is_timed_at_every_call() -> None:
    def slow(batch: pa.RecordBatch) -> pa.RecordBatch:
        end = time.perf_counter() + 1e-4 * bool(batch.num_rows)
        while time.perf_counter() < end:
            pass
        return batch

    metrics = measured(flow("f", "n long").map(slow, name="slow"), batches(4))
    assert metrics.operator("slow").busy >= 20 * 1e-4


def test_the_time_of_whoever_makes_the_input_is_not_the_flows() -> None:
    waited = 0.0

    def source() -> Iterator[pa.RecordBatch]:
        nonlocal waited
        for batch in batches(3):
            start = time.perf_counter()
            while time.perf_counter() < start + 0.01:
                pass
            waited += time.perf_counter() - start
            yield batch

    metrics = measured(numbers(), source())
    assert metrics.workers[0].blocked >= waited
    assert metrics.workers[0].busy <= metrics.seconds - waited


def test_metrics_are_left_out_when_the_setting_says_so() -> None:
    result = numbers().run(batches(1), settings={"spark.penstock.metrics.enabled": False})
    assert result.metrics is None
    assert result == numbers().run(batches(1))


def test_rows_are_counted_over_time() -> None:
    metrics = measured(numbers(), batches(10))
    assert metrics.pace
    seconds, rows = zip(*metrics.pace, strict=True)
    assert list(seconds) == sorted(seconds)
    assert list(rows) == sorted(rows)
    assert 0 < rows[-1] <= 500
    assert seconds[-1] <= metrics.seconds


def test_a_run_without_input_has_metrics_of_nothing() -> None:
    metrics = measured(numbers(), [])
    assert metrics.tuples == metrics.runs == 0
    assert [one.name for one in metrics.operators] == ["small", "same", "twice"]


def test_metrics_are_reported_once_however_a_run_ends() -> None:
    def fail(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 25 in batch["n"].to_pylist():
            raise ValueError("25")
        return batch

    spec = FlowSpec.of(flow("f", "n long").map(fail, name="fail"), ON)
    seen: list[FlowMetrics | None] = []
    stream = run(spec, iter(batches(2, rows=20)), report=lambda metrics, _: seen.append(metrics))
    assert seen == []
    with pytest.raises(OperatorError):
        list(stream)
    closed = run(spec, iter(batches(2, rows=20)), report=lambda metrics, _: seen.append(metrics))
    next(closed)
    closed.close()  # type: ignore[attr-defined]
    assert [one and one.operators[0].tuples for one in seen] == [3, 2]


SAMPLE = FlowMetrics(
    operators=(
        OperatorMetrics("parse", 4, 4000, 3000, busy=1.5, waiting_mean=2.25, waiting_most=7),
        OperatorMetrics("a_longer_name", 4, 3000, 10, busy=0.000012),
    ),
    workers=(
        WorkerMetrics(0, busy=1.0, blocked=0.5, seconds=2.0),
        WorkerMetrics(1, busy=0.0123, blocked=1.9, pieces=3, seconds=2.0),
    ),
    levels=(LevelChange(0.0001, 1), LevelChange(0.25, 2)),
    seconds=2.0,
    runs=4,
)


def test_printing_shows_a_table() -> None:
    assert str(SAMPLE).splitlines() == [
        "operator       tuples  rows in  rows out    busy  waiting",
        "parse               4     4000      3000  1.50 s      2.2",
        "a_longer_name       4     3000        10   12 us      0.0",
        "thread       busy  blocked  utilisation",
        "feeder     1.00 s   500 ms         50 %",
        "worker 1  12.3 ms   1.90 s          1 %",
        "2.00 s, 1 thread, 2 from 250 ms on",
    ]
    assert repr(SAMPLE) == "FlowMetrics(2 operators, 4 runs, 2 threads 25% busy, 2.00 s)"


def test_a_dictionary_of_it_is_json() -> None:
    made = json.loads(json.dumps(SAMPLE.to_dict()))
    assert made["operators"][0]["rows_out"] == 3000
    assert made["workers"][0]["utilisation"] == 0.5
    assert made["levels"] == [{"at": 0.0001, "level": 1}, {"at": 0.25, "level": 2}]
    assert made["tuples"] == 8


def test_an_operator_is_found_by_its_name() -> None:
    assert SAMPLE.operator("parse").waiting_most == 7
    with pytest.raises(KeyError, match="nobody"):
        SAMPLE.operator("nobody")


def test_metrics_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        SAMPLE.runs = 5  # type: ignore[misc]
