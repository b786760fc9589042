"""Operators that bring down the process: it says which one it was, and dies as it would have (G7)."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.threading_model import MODELS

PROGRAM = Path(__file__).with_name("crashes.py")
SIGNALS = {
    "null pointer": signal.SIGSEGV,
    "abort": signal.SIGABRT,
    "bus error": signal.SIGBUS,
    "stack overflow": signal.SIGSEGV,
}
GUILTY = "penstock: operator 'guilty' of flow 'crashing' crashed"


def crashed(way: str, place: str, model: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, str(PROGRAM), way, place, model],
        capture_output=True,
        text=True,
        timeout=120,  # the end of a test that hangs
        check=False,
    )


@pytest.mark.parametrize("place", ["alone", "in turn", "by key", "loop"])
@pytest.mark.parametrize("model", MODELS)
def test_a_null_pointer_names_the_operator_and_its_rows(model: str, place: str) -> None:
    done = crashed("null pointer", place, model)
    assert done.returncode == -signal.SIGSEGV, done.stderr
    assert f"{GUILTY} (SIGSEGV) in input rows 130 to 139, in process " in done.stderr


@pytest.mark.parametrize("way", SIGNALS)
def test_every_way_to_crash_is_named_by_its_signal(way: str) -> None:
    done = crashed(way, "alone", "conveyor")
    assert done.returncode == -SIGNALS[way], done.stderr
    assert f"{GUILTY} ({SIGNALS[way].name})" in done.stderr
    assert done.stderr.count("penstock: ") == 1


def test_python_tells_its_traceback_as_well_where_that_is_turned_on() -> None:
    done = crashed("null pointer", "alone", "dynamic", "-X", "faulthandler")
    assert done.returncode == -signal.SIGSEGV
    ours, pythons = done.stderr.index(GUILTY), done.stderr.index("Fatal Python error")
    assert ours < pythons
    assert "in crash" in done.stderr


def test_a_process_that_ends_itself_is_no_crash() -> None:
    done = crashed("exit", "alone", "conveyor")
    assert (done.returncode, done.stderr) == (3, "")
