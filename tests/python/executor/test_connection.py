from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from penstock.executor.connection import connection_to_spark


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def main(infile: Any, outfile: Any, environment: dict[str, str] | None = None) -> int | None:
    """Named as Spark's; its third argument makes it another function to whoever looks."""
    assert (infile, outfile) is not None
    return connection_to_spark(environment or {})


def called(first: Any, second: Any) -> int | None:
    def main(infile: Any, outfile: Any) -> int | None:
        assert (infile, outfile) is not None

        def process() -> Iterator[int | None]:
            yield connection_to_spark({})

        return next(process())

    return main(first, second)


def files_of(opened: ExitStack, one: socket.socket) -> tuple[Any, Any]:
    return tuple(  # type: ignore[return-value]
        opened.enter_context(os.fdopen(os.dup(one.fileno()), mode)) for mode in ("rb", "wb")
    )


def pair(opened: ExitStack) -> tuple[socket.socket, socket.socket]:
    one, other = socket.socketpair()
    return opened.enter_context(one), opened.enter_context(other)


def test_it_is_what_sparks_main_function_reads_and_writes(opened: ExitStack) -> None:
    one, _ = pair(opened)
    found = called(*files_of(opened, one))
    assert found is not None
    assert os.path.sameopenfile(found, one.fileno())


def test_what_is_no_connection_or_not_one_and_the_same_is_not_taken(opened: ExitStack) -> None:
    one, other = pair(opened)
    given, made = files_of(opened, one)
    assert called(given, files_of(opened, other)[1]) is None
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - its number is wanted
        assert called(nothing, nothing) is None
    unconnected = opened.enter_context(socket.socket())
    assert called(unconnected, unconnected) is None
    datagrams = [opened.enter_context(one) for one in socket.socketpair(type=socket.SOCK_DGRAM)]
    assert called(datagrams[0], datagrams[0]) is None
    assert called(None, made) is None
    assert main(given, made) is None


def test_a_worker_without_a_daemon_is_known_by_the_port_it_connects_to(opened: ExitStack) -> None:
    server = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
    other = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
    for at in (other, server):
        opened.enter_context(socket.create_connection(at.getsockname()))
    port = str(server.getsockname()[1])
    found = connection_to_spark({"PYTHON_WORKER_FACTORY_PORT": port})
    assert found is not None
    assert found != server.fileno()
    with socket.socket(fileno=os.dup(found)) as same:
        assert same.getpeername() == server.getsockname()
    # A second one to the same port, and nobody knows which it is.
    opened.enter_context(socket.create_connection(server.getsockname()))
    assert connection_to_spark({"PYTHON_WORKER_FACTORY_PORT": port}) is None


def test_a_worker_without_a_daemon_is_known_by_its_unix_socket(
    opened: ExitStack, tmp_path: Any
) -> None:
    path = str(tmp_path / "s")
    server = opened.enter_context(socket.socket(socket.AF_UNIX))
    server.bind(path)
    server.listen()
    pair(opened)
    one = opened.enter_context(socket.socket(socket.AF_UNIX))
    one.connect(path)
    assert connection_to_spark({"PYTHON_WORKER_FACTORY_SOCK_PATH": path}) == one.fileno()


def test_outside_of_a_worker_there_is_none_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level("DEBUG", "penstock"):
        assert connection_to_spark({}) is None
    assert "Spark's connection is not known" in caplog.text
