"""One wheel and its jar on every version of Spark that is supported, each in its own environment.

What runs there are other tests of this folder, in the pytest of that environment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from integration.environments import ROOT, clean_environment, run

pytestmark = pytest.mark.timeout(2400)

# Kept from run to run: what is in them weighs a gigabyte.
ENVIRONMENTS = ROOT / "build/versions"
# What the tests that run there import, and PySpark's Connect client.
TOOLS = ["pytest>=8", "pytest-timeout", "hypothesis", "grpcio", "grpcio-status"]
TOOLS += ["googleapis-common-protos", "zstandard"]
# 15 is the oldest pyarrow that is supported. One of that age was built for the numpy of its time,
# and there is none for newer Pythons.
OLD = ["pyarrow==15.*", "numpy<2"] if sys.version_info < (3, 12) else []
SPARKS: dict[str, list[str]] = {
    "3.5": ["pyspark==3.5.*", *OLD],
    "4.0": ["pyspark==4.0.*"],
    "4.3": ["pyspark==4.3.*"],
}
# On 4.3 all tests of this folder run anyway. The server of Connect is no part of PySpark 3.5; where its
# package can be had, `pytest integration/test_connect.py -k "server_with_plugin and not observed"`
# runs there, too (without `observed`: that client has no Observation).
TESTS: list[tuple[str, str, str]] = [
    *(
        (release, file, "")
        for release in ("3.5", "4.0")
        for file in (
            "test_modes.py",
            "test_standalone.py",
            "test_streaming.py",
            "test_plugin.py",
        )
    ),
    ("4.0", "test_connect.py", ""),
    ("4.3", "test_modes.py", "local-plugin"),
]


@pytest.fixture(scope="module")
def interpreters(wheel: Path) -> Iterator[dict[str, Future[Path]]]:
    """The interpreter of each Spark; they are made side by side."""
    with ThreadPoolExecutor(len(SPARKS)) as pool:
        yield {release: pool.submit(interpreter_with, release, wheel) for release in SPARKS}


def interpreter_with(release: str, wheel: Path) -> Path:
    """Install what a user would: the wheel, asking for Spark, in the release that is wanted."""
    wanted = [*SPARKS[release], *TOOLS]
    folder = ENVIRONMENTS / f"spark-{release}"
    python, ready = folder / "bin/python", folder / "ready"
    if not ready.exists() or ready.read_text() != repr((sys.version, wanted)):
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        run(python, "-m", "pip", "install", "-q", f"{wheel}[spark]", *wanted)
        ready.write_text(repr((sys.version, wanted)))
    # Also where an earlier run left one of the same version.
    run(python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel)
    return python


@pytest.mark.parametrize(
    ("release", "file", "chosen"), TESTS, ids=[f"{r}-{f}-{c or 'all'}" for r, f, c in TESTS]
)
def test_on_spark(
    interpreters: dict[str, Future[Path]], release: str, file: str, chosen: str, tmp_path: Path
) -> None:
    python = interpreters[release].result()
    # Warnings of an older PySpark are not ours to mend.
    options = ["-q", "-W", "default", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'pytest'}"]
    ran = subprocess.run(
        [python, "-m", "pytest", *options, f"integration/{file}", "-k", chosen],
        cwd=ROOT,
        env=clean_environment(PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "examples")])),
        capture_output=True,
        text=True,
        timeout=2000,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"\d+ passed", ran.stdout), ran.stdout
    assert not re.search(r"skipped|xfailed", ran.stdout), ran.stdout


@pytest.mark.parametrize("release", SPARKS)
def test_the_doctor_finds_nothing_wrong(
    interpreters: dict[str, Future[Path]], release: str
) -> None:
    python = interpreters[release].result()
    said = run(python, "-m", "penstock", "doctor", PYTHONPATH="")
    assert re.search(rf"ok +pyspark +{re.escape(release)}\.", said), said
    assert "FAIL" not in said
