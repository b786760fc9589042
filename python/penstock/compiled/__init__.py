"""Row functions that are compiled."""

from __future__ import annotations
