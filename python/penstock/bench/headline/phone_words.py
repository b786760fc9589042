"""What every form of the fast phones knows of calls and of the earth."""

from __future__ import annotations

AREAS = (10, 12, 13)
EARTH_KM = 6371.0
TOO_FAST = 150.0  # km/h
