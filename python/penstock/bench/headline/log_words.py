"""What every form of the break-ins knows of the log and of the rule."""

from __future__ import annotations

YEAR = 2025  # a log does not say it
NEW_YEAR = 1_735_689_600  # 1 January of that year, 00:00 UTC
WINDOW = 300  # seconds
ENOUGH = 5  # failures
