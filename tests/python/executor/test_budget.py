from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import penstock
from penstock import worker
from penstock.executor import budget
from penstock.executor.budget import Budget, join
from penstock.executor.ledger import places
from penstock.metrics import Decision, FlowMetrics
from penstock.settings import Settings
from penstock.spec import FlowSpec

SESSION = {"spark.master": "local[2]"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The local folder of an executor, as Spark tells its workers."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    monkeypatch.setattr(budget, "_told", set())
    return tmp_path


def test_a_flow_takes_a_seat_in_the_folder_of_its_executor(folder: Path) -> None:
    joined = join(Settings.of({"spark.penstock.executor.cores": 1}), SESSION)
    assert joined is not None
    assert (joined.most, joined.shared) == (1, 1)
    assert len(places(folder / "penstock/threads")) == 1


def test_outside_of_an_executor_there_is_nobody_to_share_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    assert join(Settings(), SESSION) is None


def test_sharing_can_be_turned_off(folder: Path) -> None:
    assert join(Settings.of({"spark.penstock.executor.share": "false"}), SESSION) is None
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("folder")
def test_a_task_without_a_context_has_the_cores_that_the_session_says() -> None:
    joined = join(Settings(), SESSION | {"spark.task.cpus": "3"})
    assert joined is not None
    assert joined.seat is not None
    assert joined.seat.guaranteed == 3


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda folder: folder.chmod(0o755), "has mode 755, not 700"),
        (lambda folder: (folder / "threads").write_bytes(b"x"), "has 1 bytes instead of 32768"),
        (lambda folder: (folder / "threads").mkdir(), "Is a directory"),
        (lambda folder: (folder / "threads").symlink_to("/etc/passwd"), "is a link"),
    ],
)
def test_a_flow_that_cannot_join_has_the_cores_of_its_task_and_says_so_once(
    folder: Path, caplog: pytest.LogCaptureFixture, spoil: object, problem: str
) -> None:
    (folder / "penstock").mkdir(mode=0o700)
    spoil(folder / "penstock")  # type: ignore[operator]
    for file in (folder / "penstock").glob("threads"):
        if file.is_file() and not file.is_symlink():
            file.chmod(0o600)
    with caplog.at_level(logging.WARNING, "penstock"):
        assert join(Settings(), SESSION) == Budget(1)
        assert join(Settings(), SESSION) == Budget(1)
    assert Budget(1).shared is None, "it shares nothing"
    [record] = caplog.records
    assert problem in record.getMessage()
    assert "flows of this executor use 1 thread for each task" in record.getMessage()


def test_what_a_flow_asks_for_is_bounded_by_the_cores_there_are() -> None:
    assert [Budget(2).threads(asked) for asked in (0, 1, 2, 9)] == [2, 1, 2, 2]


def without_end() -> Iterator[pa.RecordBatch]:
    while True:
        yield from batches(1)


def batches(count: int) -> list[pa.RecordBatch]:
    return [pa.RecordBatch.from_pydict({"a": [n]}) for n in range(count)]


@pytest.mark.parametrize("model", ["manual", "dedicated", "dynamic", "conveyor", "automatic"])
def test_every_model_keeps_to_it_and_leaves_its_seat_in_the_end(folder: Path, model: str) -> None:
    flow = penstock.flow("f", "a long").select("a").filter(pc.field("a") >= 0)
    spec = FlowSpec.of(flow, SESSION | {"spark.penstock.flow.*.threading": model})
    joined = join(Settings(), SESSION)
    assert joined is not None
    file = folder / "penstock/threads"
    made = worker.run(spec, iter(batches(50)), budget=joined)
    rows = [next(made).to_pydict()["a"][0]]
    [place] = places(file)
    if model == "dedicated":
        assert place.guaranteed == place.in_use > 1, "a thread for each operator, counted honestly"
    else:
        assert 1 <= place.in_use <= joined.most
    rows += [batch.to_pydict()["a"][0] for batch in made]
    assert rows == list(range(50))
    assert places(file) == []


def test_a_flow_that_is_dropped_half_way_leaves_its_seat(folder: Path) -> None:
    spec = FlowSpec.of(penstock.flow("f", "a long").select("a"), SESSION)
    made = worker.run(spec, iter(batches(9)), budget=join(Settings(), SESSION))
    next(made)
    made.close()  # type: ignore[attr-defined]
    assert places(folder / "penstock/threads") == []


def test_a_flow_gives_back_what_others_need_and_says_why(folder: Path) -> None:
    settings = {
        "spark.penstock.flow.*.threading": "conveyor",
        "spark.penstock.elastic.period": "10ms",
        "spark.penstock.executor.cores": 2,
    }
    told: list[tuple[Decision, ...]] = []

    def report(_: FlowMetrics | None, decisions: tuple[Decision, ...]) -> None:
        told.append(decisions)

    joined = join(Settings.of(settings), SESSION)
    assert joined is not None
    if joined.most < 2:
        pytest.skip("one core cannot be shared")
    spec = FlowSpec.of(penstock.flow("f", "a long").select("a"), SESSION | settings)
    file = folder / "penstock/threads"
    made = worker.run(spec, without_end(), budget=joined, report=report)
    next(made)
    assert places(file)[0].in_use == 2
    other = join(Settings.of(settings), SESSION)
    assert other is not None
    assert other.seat is not None
    while places(file)[0].in_use == 2:
        next(made)
    assert other.seat.raise_to(2) == 1
    other.seat.leave()
    while places(file)[0].in_use == 1:
        next(made)
    made.close()  # type: ignore[attr-defined]
    texts = [decision.text for decision in told[0] if decision.reason == "budget"]
    assert texts[:2] == [
        "2 -> 1 thread: 2 tasks share 2 cores",
        "1 -> 2 threads: 1 task has 2 cores",
    ]
