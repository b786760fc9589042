"""Operators of a user's C++ library, on executors that have only what `--files` brought them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.python.library.build import build

from integration.sessions import base_settings
from integration.standalone import HOME

JOB = Path(__file__).parent / "native_job.py"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(build(tmp_path_factory.mktemp("native") / "libwords.so"))


def submit(
    folder: Path, library: Path, mine: Path, *options: str
) -> subprocess.CompletedProcess[str]:
    """Run the job on executors of their own; the driver has a copy, which is gone when it starts."""
    mine.mkdir()
    own = shutil.copy(library, mine / library.name)
    command = [str(HOME / "bin/spark-submit"), "--master", "local-cluster[2,1,1024]", *options]
    for key, value in base_settings(folder).items():
        command += ["--conf", f"{key}={value}"]
    return subprocess.run(
        [*command, str(JOB), str(own)],
        env=dict(os.environ),
        cwd=mine,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


def test_a_library_that_is_shipped_by_files_makes_what_plain_pyspark_makes(
    folder: Path, library: Path, tmp_path: Path
) -> None:
    ran = submit(folder, library, tmp_path / "driver", "--files", str(library))
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["rows"] > 2_000
    assert told["files"]
    for file in map(Path, told["files"]):
        assert file.name == library.name
        assert file.parent not in {library.parent, tmp_path / "driver"}


def test_a_library_that_is_not_shipped_is_missed_with_advice(
    folder: Path, library: Path, tmp_path: Path
) -> None:
    ran = submit(folder, library, tmp_path / "driver")
    assert ran.returncode != 0
    assert "flow 'words', operator 'native_1': there is no library" in ran.stderr
    assert "ship it with spark-submit --files libwords.so" in ran.stderr
