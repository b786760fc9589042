from __future__ import annotations

import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, FlowError, OperatorError, flow
from penstock.spec import FlowSpec
from penstock.worker import run


def batches(*sizes: int) -> list[pa.RecordBatch]:
    """Batches of these sizes whose column n counts the rows through."""
    made, first = [], 0
    for size in sizes:
        made.append(
            pa.RecordBatch.from_pydict({"n": pa.array(range(first, first + size), pa.int64())})
        )
        first += size
    return made


def failing_at(row: int, error: BaseException) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    def fail(batch: pa.RecordBatch) -> pa.RecordBatch:
        if row in batch["n"].to_pylist():
            raise error
        return batch

    return fail


def numbers() -> Flow:
    return flow("numbers", "n long")


def watched() -> tuple[list[int], Callable[[pa.RecordBatch], pa.RecordBatch]]:
    """A list, and a function that notes there how many rows it is called with."""
    sizes: list[int] = []

    def watch(batch: pa.RecordBatch) -> pa.RecordBatch:
        sizes.append(batch.num_rows)
        return batch

    return sizes, watch


def drain(stream: Iterator[pa.RecordBatch]) -> tuple[list[int], BaseException | None]:
    """Read a stream to its end or its error, keeping what came before it."""
    rows: list[int] = []
    try:
        for batch in stream:
            rows += batch["n"].to_pylist()
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is looked at
        return rows, error
    return rows, None


@pytest.mark.parametrize("rows_per_tuple", [0, 1, 3])
@pytest.mark.parametrize("row", [0, 1, 4, 5, 8, 11])
def test_the_row_that_fails_is_named_and_the_rows_before_it_come_first(
    row: int, rows_per_tuple: int
) -> None:
    mistake = ValueError("no good")
    built = numbers().map(failing_at(row, mistake), name="parse")
    settings = {"spark.penstock.tuple.rows": rows_per_tuple}
    rows, error = drain(built.stream(batches(5, 0, 4, 3), settings=settings))
    assert rows == list(range(row))
    assert isinstance(error, OperatorError)
    assert (error.flow, error.operator, error.row, error.last_row) == ("numbers", "parse", row, row)
    assert error.reason == "ValueError: no good"
    assert error.__cause__ is mistake


def test_the_row_is_counted_in_the_input_whatever_was_filtered_before() -> None:
    built = (
        numbers()
        .filter(pc.field("n") > 3)
        .flat_map(lambda batch: [batch, batch])
        .map(failing_at(7, KeyError("seven")))
    )
    rows, error = drain(built.stream(batches(10)))
    assert rows == [4, 5, 6, 4, 5, 6]
    assert isinstance(error, OperatorError)
    assert (error.row, error.last_row) == (7, 7)


def test_without_locating_the_rows_of_the_tuple_are_named() -> None:
    built = numbers().map(failing_at(7, ValueError("x")))
    settings = {"spark.penstock.error.locateRow": False, "spark.penstock.tuple.rows": 4}
    rows, error = drain(built.stream(batches(10), settings=settings))
    assert rows == [0, 1, 2, 3]
    assert isinstance(error, OperatorError)
    assert (error.row, error.last_row) == (4, 7)


def test_the_traceback_leads_to_the_line_of_the_user() -> None:
    _, error = drain(numbers().map(failing_at(0, ValueError("x"))).stream(batches(1)))
    assert error is not None
    cause = error.__cause__
    assert cause is not None
    assert [frame.name for frame in traceback.extract_tb(cause.__traceback__)][-1] == "fail"


def test_inside_spark_the_lines_of_the_user_are_in_the_message() -> None:
    # In a process of its own, because it will end with its parent from then on.
    program = """if True:
        import pyarrow as pa
        from penstock import OperatorError, flow
        from penstock.spec import FlowSpec
        from penstock.partition import run_partition

        def fail(batch):
            raise ValueError("no good")

        spec = FlowSpec.of(flow("f", "n long").map(fail, "n long"))
        try:
            list(run_partition(spec, iter([pa.RecordBatch.from_pydict({"n": [1]})])))
        except OperatorError as error:
            print(str(error), repr(error.__cause__))
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    said = ran.stdout.decode()
    assert "operator 'map_1', input row 0" in said
    assert "line 8, in fail\n" in said
    assert "bodies.py" not in said
    assert said.endswith("ValueError('no good')\n")


WRONG: list[tuple[Any, str]] = [
    (lambda batch: batch if not batch.num_rows else None, "must return a RecordBatch, got NoneType"),
    (lambda batch: batch.slice(0, 1), "returned 1 rows for 3; .* use flat_map"),
    (lambda batch: pa.record_batch([batch["n"]], ["m" if batch.num_rows else "n"]), "'n' were declared but 'm'"),
    (lambda batch: pa.RecordBatch.from_pydict({"n": ["x"] * 3}) if batch.num_rows else batch,
     "column 'n' was declared bigint but is string"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "problem"), WRONG, ids=[text for _, text in WRONG])
def test_a_function_that_returns_the_wrong_thing_is_told_what(function: Any, problem: str) -> None:
    settings = {"spark.penstock.error.locateRow": False}
    _, error = drain(numbers().map(function, name="bad").stream(batches(3), settings=settings))
    assert isinstance(error, OperatorError)
    assert error.operator == "bad"
    with pytest.raises(OperatorError, match=problem):
        raise error


def test_a_flat_map_that_returns_the_wrong_schema_is_told() -> None:
    built = numbers().flat_map(
        lambda batch: [pa.RecordBatch.from_pydict({"m": batch["n"]})], "m long"
    )
    assert built.run(batches(2)).num_rows == 2
    wrong = numbers().flat_map(lambda b: [b] if b.num_rows else [], "m long", name="w")
    with pytest.raises(OperatorError, match=r"'w', .*flat_map .* returned another schema: .*'m'"):
        wrong.run(batches(2))


def broken(batch: pa.RecordBatch) -> pa.RecordBatch:
    offsets = pa.array([0, 90, 2], pa.int32()).buffers()[1]
    text = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab")])
    return pa.record_batch([text], ["s"]) if batch.num_rows else pa.record_batch([text[:0]], ["s"])


def test_offsets_that_lead_astray_are_caught_by_the_full_check() -> None:
    built = numbers().flat_map(broken, "s string", name="astray")
    with pytest.raises(OperatorError, match=r"'astray', .*returned a broken batch: .*ffset"):
        built.run(batches(2), settings={"spark.penstock.check.batches": "full"})


def test_what_the_input_raises_comes_out_as_the_very_same_object() -> None:
    mistake = ConnectionResetError("gone")

    def source() -> Iterator[pa.RecordBatch]:
        yield from batches(3)
        raise mistake

    rows, error = drain(numbers().map(lambda batch: batch).stream(source()))
    assert rows == [0, 1, 2]
    assert error is mistake
    assert mistake.__context__ is None
    assert mistake.__cause__ is None


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), SystemExit(3)])
def test_an_interrupt_is_not_the_failure_of_an_operator(interrupt: BaseException) -> None:
    _, error = drain(numbers().map(failing_at(1, interrupt)).stream(batches(3)))
    assert error is interrupt


def test_the_input_is_read_no_further_than_the_output() -> None:
    pulled = []

    def source() -> Iterator[pa.RecordBatch]:
        for batch in batches(*[1] * 100):
            pulled.append(batch)
            yield batch

    stream = numbers().map(lambda batch: batch).stream(source())
    assert pulled == []
    next(stream)
    assert len(pulled) == 1


def test_the_input_is_pulled_on_the_thread_that_reads() -> None:
    threads = set()

    def source() -> Iterator[pa.RecordBatch]:
        for batch in batches(1, 1, 1):
            threads.add(threading.get_ident())
            yield batch

    numbers().map(lambda batch: batch).run(source())
    assert threads == {threading.get_ident()}


def test_a_closed_stream_lets_go_of_everything() -> None:
    before = pa.total_allocated_bytes()
    stream = numbers().map(lambda batch: batch).stream(iter(batches(1000, 1000, 1000)))
    assert next(stream).num_rows == 1000
    stream.close()  # type: ignore[attr-defined]
    assert pa.total_allocated_bytes() == before
    assert list(stream) == []


def test_a_stream_that_was_never_read_can_be_closed() -> None:
    numbers().map(lambda batch: batch).stream(batches(1)).close()  # type: ignore[attr-defined]


def test_after_an_error_there_is_nothing_more() -> None:
    stream = numbers().map(failing_at(0, ValueError("x"))).stream(batches(1, 1))
    assert isinstance(drain(stream)[1], OperatorError)
    assert drain(stream) == ([], None)


@pytest.mark.parametrize("sizes", [(), (0,), (0, 0, 0)])
def test_an_input_without_rows_gives_no_batches_and_calls_nobody(sizes: tuple[int, ...]) -> None:
    called, watch = watched()
    built = numbers().map(watch).flat_map(watch)
    called.clear()  # the trial where the flow was written
    assert built.run(batches(*sizes)).batches == ()
    assert called == []
    assert built.run(batches(2, 0, 1)).num_rows == 3
    assert 0 not in called


def test_an_operator_is_not_called_when_nothing_is_left_for_it() -> None:
    called, watch = watched()
    built = numbers().filter(pc.field("n") < 0).map(watch)
    called.clear()
    assert built.run(batches(3)).num_rows == 0
    assert called == []


def test_tuples_have_at_most_the_rows_that_are_set() -> None:
    sizes, watch = watched()
    built = numbers().map(watch)
    sizes.clear()
    made = built.run(batches(7, 2), settings={"spark.penstock.tuple.rows": 3})
    assert sizes == [3, 3, 1, 2]
    assert made.table["n"].to_pylist() == list(range(9))


def test_a_run_inside_an_operator_is_a_run_of_its_own() -> None:
    inner = numbers().filter(pc.field("n") > 1)
    outer = numbers().flat_map(lambda batch: inner.run(batch).table)
    assert outer.run(batches(4)).table["n"].to_pylist() == [2, 3]


def test_an_input_batch_of_another_schema_stops_the_run_where_it_comes() -> None:
    spec = FlowSpec.of(numbers().map(lambda batch: batch))
    rows, error = drain(run(spec, iter([*batches(2), pa.RecordBatch.from_pydict({"n": ["x"]})])))
    assert rows == [0, 1]
    assert isinstance(error, FlowError)
    assert "flow 'numbers', input: column 'n' was declared bigint but is string" in str(error)
