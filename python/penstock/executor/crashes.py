"""A worker that crashes says in which operator (G7): in its log, and in Spark's error as well.

Spark's error holds what Python's faulthandler wrote, where that is turned on by
`spark.python.worker.faulthandler.enabled`; our line goes into the same file, before it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from penstock import _native

ENVIRONMENT = "PYTHON_FAULTHANDLER_DIR"
NONE = -1


def tell_of_crashes(environment: Mapping[str, str] = os.environ) -> None:
    """Let this process name the operator that it crashes in. To be called for each partition."""
    folder = environment.get(ENVIRONMENT)
    _native.report_crashes(_open_file(Path(folder) / str(os.getpid())) if folder else NONE)


def _open_file(path: Path) -> int:
    """Find the descriptor by which this process has a file open.

    Another one would have a place of its own in the file, and what is written by the one would
    overwrite what was written by the other.
    """
    for entry in Path("/proc/self/fd").iterdir():
        try:
            if entry.readlink() == path.resolve():
                return int(entry.name)
        except OSError:  # the listing itself was open, and is no more
            continue
    return NONE
