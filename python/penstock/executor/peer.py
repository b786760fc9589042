"""Ends a flow whose task Spark gave up, and its process where an operator never returns (G5).

Spark closes its connection to a worker whose task was cancelled, failed or has enough rows, but
kills none that does not look at it. The watch is native (base/peer_watch): an operator that holds
the GIL for ever stops every thread that needs it.
"""

from __future__ import annotations

import logging

from penstock import _native
from penstock.spec import FlowSpec

# How much longer than `spark.penstock.cancel.patience` a process lives whose flow does not end: to
# leave behind what is stuck, which that setting is about, is the flow's own last try.
LATER_MS = 250
# In all, whatever the setting says. It may take half a second until the watch sees that Spark is
# gone, and a little to name what is stuck; within 5 seconds the worker is idle or gone.
LONGEST_MS = 4_000
LOG = logging.getLogger("penstock")


def watch_peer(
    spec: FlowSpec, element: _native.ProcessingElement, connection: int | None
) -> _native.PeerWatch | None:
    """Watch the other end of a connection until `end` is called; None where nobody can."""
    if connection is None:
        return None
    patience = min(spec.settings.cancel_patience_ms + LATER_MS, LONGEST_MS)
    try:
        return _native.PeerWatch(connection, patience_ms=patience, flow=element)
    except (OSError, RuntimeError) as problem:
        # No thread is left under a limit on memory: the flow runs as it would without.
        LOG.debug("nobody sees when Spark gives up flow '%s': %s", spec.name, problem)
        return None
