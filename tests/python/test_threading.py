from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock import Flow, FlowError, OperatorError, SettingError, flow
from penstock.spec import FlowSpec
from penstock.threading_model import MODELS, Threading

ALL = "spark.penstock.flow."
KEY = "spark.penstock.flow.numbers"


def twice(batch: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"n": pc.multiply(batch["n"], 2), "odd": batch["odd"]})


def numbers() -> Flow:
    return (
        flow("numbers", "n long")
        .with_column("odd", pc.equal(pc.bit_wise_and(pc.field("n"), 1), 1))
        .filter(pc.field("n") != 13, name="unlucky")
        .map(twice, name="twice")
        .flat_map(lambda batch: batch, name="same")
        .select("odd", "n")
    )


def carried(model: str, threads: int) -> Callable[[Flow], Flow]:
    given = None if model in ("manual", "dedicated") else threads
    return lambda made: made.threading(model, threads=given)  # type: ignore[arg-type]


def threads_now() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=25, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 40), max_size=12),
    threads=st.integers(1, 6),
    rows=st.integers(0, 7),
    capacity=st.integers(1, 8),
)
def test_every_model_gives_the_rows_of_one_thread_in_their_order(
    model: str, sizes: list[int], threads: int, rows: int, capacity: int
) -> None:
    first = [sum(sizes[:place]) for place in range(len(sizes))]
    batches = [
        pa.RecordBatch.from_pydict({"n": pa.array(range(start, start + size), pa.int64())})
        for start, size in zip(first, sizes, strict=True)
    ]
    expected = [{"odd": n % 2 == 1, "n": 2 * n} for n in range(sum(sizes)) if n != 13]
    chosen = {"spark.penstock.tuple.rows": rows, "spark.penstock.queue.capacity": capacity}
    made = carried(model, threads)(numbers()).run(batches, settings=chosen)
    assert made.to_pylist() == expected


@pytest.mark.parametrize("model", MODELS)
def test_a_failure_names_its_row_and_comes_after_the_rows_before_it(model: str) -> None:
    def fail_at_37(batch: pa.RecordBatch) -> pa.RecordBatch:
        if 37 in batch["n"].to_pylist():
            raise ValueError("37 it is")
        return batch

    batches = [pa.RecordBatch.from_pydict({"n": [*range(k, k + 10)]}) for k in range(0, 100, 10)]
    made = carried(model, 3)(flow("numbers", "n long").map(fail_at_37, name="picky"))
    seen: list[int] = []

    def read() -> None:
        for batch in made.stream(batches):
            seen.extend(batch["n"].to_pylist())

    with pytest.raises(OperatorError, match="'picky', input row 37 ") as caught:
        read()
    assert seen == [*range(37)]
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("model", MODELS)
def test_no_thread_is_left_when_a_run_ends_or_is_given_up(model: str) -> None:
    batches = [pa.RecordBatch.from_pydict({"n": [*range(50)]})] * 20
    made = carried(model, 4)(numbers())
    made.run(batches)
    before = threads_now()
    for _ in range(20):
        assert made.run(batches).num_rows == 49 * 20
        started = made.stream(batches, settings={"spark.penstock.tuple.rows": 5})
        next(started)
        started.close()  # type: ignore[attr-defined]
    assert threads_now() == before


def test_threads_really_run_operators_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # As in a free-threaded Python: with a GIL one thread alone goes into the lane.
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    # Each call waits until the other has begun, so one thread alone would never get through.
    reader, writer = os.pipe()

    def meet(batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:
            if batch["n"][0].as_py() == 0:
                os.read(reader, 1)
            else:
                os.write(writer, b"x")
        return batch

    made = flow("numbers", "n long").map(meet).threading("conveyor", threads=2)
    batches = [pa.RecordBatch.from_pydict({"n": [n]}) for n in (0, 1)]
    assert made.run(batches).to_pylist() == [{"n": 0}, {"n": 1}]
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize(
    ("model", "threads", "elastic", "why"),
    [
        ("conveyer", None, None, "did you mean 'conveyor'"),
        ("conveyor", 0, None, "threads must be an int from 1 to 1024, got 0"),
        ("dynamic", 1025, None, "threads must be an int from 1 to 1024"),
        ("dynamic", True, None, "threads must be an int"),
        ("dynamic", 2, "yes", "elastic must be True or False, got 'yes'"),
        ("manual", 2, None, "the manual model has one thread, the caller's; leave out threads=2"),
        ("manual", None, True, "leave out elastic=True or choose dynamic"),
        ("dedicated", 2, True, "a thread for each operator; leave out threads=2 and elastic=True"),
    ],
)
def test_an_impossible_choice_is_refused_where_it_is_written(
    model: str, threads: int | None, elastic: bool | None, why: str
) -> None:
    with pytest.raises(FlowError, match=f"flow 'numbers': .*{why}"):
        numbers().threading(model, threads=threads, elastic=elastic)  # type: ignore[arg-type]


def test_a_setting_overrides_what_the_flow_says_and_its_own_name_overrides_the_star() -> None:
    made = numbers().threading("dynamic", threads=3)

    def chosen(**values: object) -> Threading:
        return FlowSpec.of(
            made, {f"{KEY[:-7]}{key}": value for key, value in values.items()}
        ).threading

    assert chosen() == Threading("dynamic", 3)
    assert chosen(**{"numbers.threads": 5}) == Threading("dynamic", 5)
    assert chosen(**{"numbers.threading": "conveyor"}) == Threading("conveyor", 0)
    assert chosen(**{"*.threading": "manual"}) == Threading("manual", 1)
    assert chosen(**{"*.threading": "manual", "numbers.threading": "dedicated"}) == Threading(
        "dedicated", 0
    )
    assert chosen(**{"others.threading": "manual"}) == Threading("dynamic", 3)
    assert chosen(**{"numbers.elastic": True}) == Threading("dynamic", 3, elastic=True)
    assert chosen(**{"*.threading": "automatic"}) == Threading("automatic", 0, elastic=True)
    assert chosen(**{"*.threading": "automatic", "numbers.elastic": False}) == Threading(
        "automatic", 0, elastic=False
    )
    assert chosen(**{"*.elastic": True, "*.threading": "manual"}) == Threading("manual", 1)
    with pytest.raises(SettingError, match=r"threading=fast is not possible; allowed is flow or"):
        chosen(**{"numbers.threading": "fast"})


@pytest.mark.parametrize(
    ("model", "key", "value", "instead"),
    [
        ("manual", "threads", 4, "numbers.threads=0"),
        ("dedicated", "threads", 1, "numbers.threads=0"),
        ("manual", "elastic", True, "numbers.elastic=flow"),
        ("dedicated", "elastic", True, "numbers.elastic=flow"),
    ],
)
def test_what_is_set_for_a_flow_that_cannot_follow_it_is_an_error(
    model: str, key: str, value: object, instead: str
) -> None:
    own = f"spark.penstock.flow.numbers.{key}"
    word = str(value).lower()
    for made, conf in (
        (numbers().threading(model), {own: value}),  # type: ignore[arg-type]
        (numbers().threading("conveyor"), {own: value, f"{KEY}.threading": model}),
    ):
        with pytest.raises(SettingError) as caught:
            FlowSpec.of(made, conf)
        said = str(caught.value)
        assert f"{own}={word} would do nothing: flow 'numbers' runs in {model}" in said
        assert said.endswith(f"numbers.threading=dynamic, conveyor or automatic, or {ALL}{instead}")


def test_what_is_set_for_all_flows_or_says_nothing_new_is_none() -> None:
    def chosen(**values: object) -> Threading:
        return FlowSpec.of(
            numbers(), {f"{ALL}{key}": value for key, value in values.items()}
        ).threading

    for values in (
        {"*.threads": 4, "*.elastic": True},
        {"numbers.threads": 1},
        {"numbers.threads": 0, "*.threads": 4},
        {"numbers.elastic": False},
        {"others.threads": 4},
    ):
        assert chosen(**values) == Threading("manual", 1)


def test_explain_says_who_runs_the_operators() -> None:
    assert "  threading  manual, the caller's thread\n" in numbers().explanation()
    made = numbers().threading("conveyor", threads=2)
    assert "  threading  conveyor, 2 threads\n" in made.explanation()
    assert "conveyor, a thread for each core\n" in numbers().threading("conveyor").explanation()
    assert "automatic, 1 thread up to 3\n" in (
        numbers().threading("automatic", threads=3).explanation()
    )
