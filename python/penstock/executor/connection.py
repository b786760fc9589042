"""The connection by which Spark's JVM gives rows to this Python worker, found without Spark's help.

There is no call that tells it, and a worker may have connections of its user as well. So only what
cannot be anything else is taken; where nothing is, nobody watches.
"""

from __future__ import annotations

import logging
import os
import socket
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

# The arguments of the main function of a worker, in Spark 3.5 to 4.3. Both are the same connection.
ARGUMENTS = ("infile", "outfile")
# Where a worker that no daemon forked connects to, by itself.
PORT = "PYTHON_WORKER_FACTORY_PORT"
PATH = "PYTHON_WORKER_FACTORY_SOCK_PATH"
DESCRIPTORS = Path("/proc/self/fd")
LOG = logging.getLogger("penstock")


def connection_to_spark(environment: Mapping[str, str] = os.environ) -> int | None:
    """Find the descriptor; None outside of Spark's workers, or where it cannot be told."""
    found = _of_callers(sys._getframe(1))
    if found is None:
        found = _connected_to(environment.get(PORT, ""), environment.get(PATH, ""))
    if found is None:
        LOG.debug("Spark's connection is not known, so nobody sees when Spark closes it")
    return found


def _of_callers(frame: FrameType | None) -> int | None:
    while frame is not None:
        # Asking any other frame for its locals would keep them alive for as long as it runs.
        if frame.f_code.co_varnames[: frame.f_code.co_argcount] == ARGUMENTS:
            given, made = (_socket_of(frame.f_locals.get(name)) for name in ARGUMENTS)
            if given is not None and made is not None and os.path.sameopenfile(given, made):
                return given
        frame = frame.f_back
    return None


def _socket_of(file: Any) -> int | None:
    try:
        number = file.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    return number if isinstance(number, int) and _peer_of(number) is not None else None


def _connected_to(port: str, path: str) -> int | None:
    """The only connection to that place; a copy of its descriptor is the same connection."""
    if not port and not path:
        return None
    found: dict[int, int] = {}
    for entry in DESCRIPTORS.iterdir():
        number = int(entry.name)
        peer = _peer_of(number)
        ours = peer == path if isinstance(peer, str) else peer is not None and str(peer[1]) == port
        if ours and peer:
            found.setdefault(os.fstat(number).st_ino, number)
    return next(iter(found.values())) if len(found) == 1 else None


def _peer_of(number: int) -> Any:
    """What a connected stream socket is connected to; None for anything else."""
    try:
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            return None
        copy = socket.socket(fileno=os.dup(number))
    except OSError:
        return None
    with copy:
        try:
            return copy.getpeername() if copy.type == socket.SOCK_STREAM else None
        except OSError:  # it is not connected
            return None
