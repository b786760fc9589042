"""How much is tried: enough to notice something in CI, and `make fuzz` asks for more."""

from __future__ import annotations

import os

STREAMS = int(os.environ.get("PENSTOCK_FUZZ_STREAMS", "100000"))


def share(part: float) -> int:
    """So many of the streams, and enough to see anything at all."""
    return max(100, round(STREAMS * part))
