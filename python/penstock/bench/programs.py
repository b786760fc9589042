"""The native programs that measure, asked line by line.

A program answers each line of `key=value` words with one line of JSON (`native/bench/serve.hpp`),
so the contenders of several programs can take turns in one round.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import IO, Any

from penstock.bench.suites import BenchError

OWN = "penstock_bench_scheduler"
ORDERED = "penstock_bench_ordered"
POLICIES = "penstock_bench_policies"
LOOPS = "penstock_bench_loops"
PEERS = "penstock_bench_peers"
HOW_TO_GET_PEERS = (
    "`make bench SUITE=scheduler` in a checkout builds them; --peers PROGRAM names the program"
)


class Program(AbstractContextManager["Program"]):
    """A running program; use it in a `with` statement, which ends it.

    Attributes:
        contenders: Names of what it can measure.
    """

    def __init__(self, path: Path, *, lists: bool = True) -> None:
        """Start it.

        Args:
            path: Where it lies.
            lists: Whether it has contenders to choose from, which it is asked for.
        """
        self._path = path
        self.contenders: tuple[str, ...] = ()
        try:
            self._process = subprocess.Popen(
                [self._path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except OSError as error:
            raise BenchError(f"cannot start {self._path}: {error.strerror}") from error
        if not lists:
            return
        try:
            self.contenders = tuple(self.ask(kind="list")["contenders"])
        except BenchError:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # it may have ended before
            _pipe(self._process.stdin).close()
        self._process.wait()
        _pipe(self._process.stdout).close()

    def ask(self, **request: str | float) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        line = " ".join(f"{key}={value}" for key, value in request.items())
        said = ""
        try:
            _pipe(self._process.stdin).write(line + "\n")
            _pipe(self._process.stdin).flush()
            said = _pipe(self._process.stdout).readline()
            answer: dict[str, Any] = json.loads(said)
        except (OSError, ValueError) as error:
            raise BenchError(
                f"{self._path.name} did not answer '{line}' but {said.strip() or 'ended'!r}"
            ) from error
        if "error" in answer:
            raise BenchError(f"{self._path.name} refused '{line}': {answer['error']}")
        return answer


def own_program(name: str = OWN) -> Path:
    """A program of Penstock's own, which lies beside this file in an installed package."""
    path = Path(__file__).parent / name
    if not path.is_file():
        raise BenchError(
            f"the program {name} is not at {path}: it comes with the wheel; "
            "install Penstock with pip, or use `make bench` in a checkout"
        )
    return path


def peers_program(given: Path | None, near: Sequence[Path] | None = None) -> Path | None:
    """The program with other runtimes; None where it was not built.

    Args:
        given: What the user named; it must be there.
        near: Where to begin, going up, to look for a checkout's build; the folders of the
            package and of the user when left out.
    """
    if given is not None:
        if not given.is_file():
            raise BenchError(f"no program at --peers {given}: {HOW_TO_GET_PEERS}")
        return given.resolve()
    starts = (Path(__file__).parent, Path.cwd()) if near is None else near
    for folder in (each for start in starts for each in (start, *start.parents)):
        built = folder / "build" / "bench" / "bench" / PEERS
        if built.is_file() and (folder / "native" / "bench").is_dir():
            return built
    return None


def _pipe(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise ValueError("the program was started without pipes")
    return pipe
