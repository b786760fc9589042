"""A worker whose task Spark gave up is gone, whatever its operators do, and no other one is (G5)."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from penstock import Flow, _native, flow
from penstock.executor import peer
from penstock.spec import FlowSpec

PROGRAM = Path(__file__).with_name("worker_in_small.py")
FLOW: Flow = flow("f", "a long").select("a")
HANGS = 60  # seconds: the end of a test that does
ENDED_BY_US = 1
GIVEN_UP = 3


class Worker:
    """The program, and the end of its connection that would be Spark's."""

    def __init__(self, process: subprocess.Popen[str], spark: socket.socket) -> None:
        self.process = process
        self.spark = spark

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self, given: str | None = None) -> tuple[int, str, str]:
        out, err = self.process.communicate(given, timeout=HANGS)
        return self.process.returncode, out.strip(), err


@contextmanager
def worker(model: str, way: str, family: int = socket.AF_UNIX) -> Iterator[Worker]:
    spark, its = connected(family)
    command = [sys.executable, str(PROGRAM), str(its.fileno()), model, way]
    with (
        spark,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=[its.fileno()],
        ) as process,
    ):
        its.close()
        try:
            yield Worker(process, spark)
        finally:
            process.kill()


def connected(family: int) -> tuple[socket.socket, socket.socket]:
    if family == socket.AF_UNIX:
        return socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        return one, server.accept()[0]


def closed(spark: socket.socket) -> None:
    spark.close()


def half_closed(spark: socket.socket) -> None:
    spark.shutdown(socket.SHUT_WR)


def closed_behind_rows(spark: socket.socket) -> None:
    """As Spark does it mostly: what was sent fills the connection, and the end comes behind that."""
    spark.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            spark.send(bytes(65_536))
    spark.close()


@pytest.mark.parametrize("family", [socket.AF_UNIX, socket.AF_INET], ids=["unix", "tcp"])
@pytest.mark.parametrize("way", ["never returns", "holds the GIL"])
@pytest.mark.parametrize("close", [closed, half_closed, closed_behind_rows])
def test_an_operator_that_never_returns_is_named_and_ends_with_its_process(
    close: Callable[[socket.socket], None], way: str, family: int
) -> None:
    with worker("manual", way, family) as started:
        assert started.says() == "stuck"
        close(started.spark)
        code, _, err = started.end()
    assert code == ENDED_BY_US, err
    assert "penstock: Spark gave up the task of process " in err
    assert "penstock: operator 'guilty' of flow 'given_up' has not returned in input rows 0" in err


def test_a_thread_that_holds_the_gil_for_ever_does_not_save_its_process() -> None:
    with worker("dedicated", "holds the GIL") as started:
        assert started.says() == "stuck"
        started.spark.close()
        code, _, err = started.end()
    assert code == ENDED_BY_US, err
    assert "operator 'guilty' of flow 'given_up' has not returned" in err


def test_a_flow_that_can_leave_what_is_stuck_behind_ends_by_itself() -> None:
    with worker("dedicated", "never returns") as started:
        assert started.says() == "stuck"
        started.spark.close()
        code, out, err = started.end()
    assert (code, out) == (GIVEN_UP, "Spark gave up the task of flow 'given_up'"), err


@pytest.mark.parametrize("model", ["manual", "dedicated"])
def test_where_spark_is_there_a_flow_goes_on_and_leaves_no_thread_or_descriptor(model: str) -> None:
    with worker(model, "waits") as started:
        for _ in range(2):
            assert started.says() == "waiting"
            started.spark.sendall(bytes(10_000))  # which nobody reads
            assert started.process.stdin is not None
            started.process.stdin.write("go on\n")
            started.process.stdin.flush()
        code, out, err = started.end()
    assert (code, out) == (0, "left [0, 0]"), err


@pytest.mark.parametrize(
    ("setting", "milliseconds"), [("0ms", 250), ("3s", 3_250), ("4s", 4_000), ("1h", 4_000)]
)
def test_a_stuck_process_lives_a_little_longer_than_patience_and_never_five_seconds(
    setting: str, milliseconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}
    monkeypatch.setattr(_native, "PeerWatch", lambda _, **options: asked.update(options))
    spec = FlowSpec.of(FLOW, {"spark.penstock.cancel.patience": setting})
    peer.watch_peer(spec, None, 7)  # type: ignore[arg-type]
    assert asked["patience_ms"] == milliseconds


def test_a_flow_runs_where_no_thread_is_to_be_had_for_the_watch(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: int, **__: Any) -> None:
        raise RuntimeError("cannot start thread 'penstock-peer'")

    monkeypatch.setattr(_native, "PeerWatch", refuse)
    with caplog.at_level("DEBUG", "penstock"):
        assert peer.watch_peer(FlowSpec.of(FLOW), None, 7) is None  # type: ignore[arg-type]
    assert "nobody sees when Spark gives up flow 'f': cannot start thread" in caplog.text
