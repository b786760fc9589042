"""Compiles the operators of a user, as a user would."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import penstock

SOURCE = Path(__file__).with_name("operators.cpp")


def build(library: Path, *options: str, source: Path = SOURCE) -> str:
    """Compile the operators, or another source, to a library."""
    command = os.environ.get("CXX", "c++").split()
    flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Werror"]
    where = ["-I", penstock.include_dir(), "-o", str(library), str(source)]
    subprocess.run([*command, *flags, *options, *where], check=True)
    return str(library)
