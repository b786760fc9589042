"""Driver loops: operators with several ports, written as a `while` loop."""

from __future__ import annotations
