"""Python environments other than the one the tests run in."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pyspark

import penstock

ROOT = Path(__file__).parents[1]
PACKAGES = Path(sysconfig.get_path("purelib"))
# What the processes of the tests are started with, and others must not inherit.
OURS = ("PYTHONPATH", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON")


def run(*command: str | Path, **environment: str) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build_wheel(folder: Path) -> Path:
    """Build the wheel of what is installed here, which takes what was compiled for that."""
    run(
        *(sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation"),
        *("-w", folder),
        SPARK_HOME=str(Path(pyspark.__file__).parent),
    )
    (built,) = folder.glob("*.whl")
    return built


def without(*missing: str, at: Path) -> Path:
    """An interpreter that has every package installed here but those that begin with `missing`."""
    packages = _empty(at)
    for entry in PACKAGES.iterdir():
        # A .pth file may lead back to the very package that must be missing.
        if entry.suffix != ".pth" and not entry.name.lstrip("_").startswith(missing):
            (packages / entry.name).symlink_to(entry)
    return at / "bin/python"


def complete(at: Path) -> Path:
    """An interpreter that has all that this one has, by its folders and not by PYTHONPATH.

    Spark's executors inherit that variable of the driver, and would have the package by it.
    """
    packages = _empty(at)
    folders = [Path(penstock.__file__).parents[1], PACKAGES]
    (packages / "ours.pth").write_text("".join(f"{folder}\n" for folder in folders))
    return at / "bin/python"


def clean_environment(**more: str) -> dict[str, str]:
    """The variables of this process, but those that name an interpreter or its packages."""
    return {key: value for key, value in os.environ.items() if key not in OURS} | more


def _empty(at: Path) -> Path:
    venv.create(at, symlinks=True)
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(at), "platbase": str(at)}))
