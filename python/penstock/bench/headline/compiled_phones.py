"""The two functions of the fast phones that are compiled."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt
from typing import Any

from penstock.bench.headline.phone_words import AREAS, EARTH_KM, TOO_FAST
from penstock.compiled.function import compiled


@compiled
def both_phones(row: Any, out: Any) -> None:
    """Tell where both phones of a call were, if its area is watched."""
    if row.area in AREAS:
        out.emit(row.seq, 0, row.caller, row.time, row.caller_lat, row.caller_lon)
        out.emit(row.seq, 1, row.callee, row.time, row.callee_lat, row.callee_lon)


@compiled
def speed(state: Any, row: Any, out: Any) -> None:
    """Tell how fast a phone went since its last call, if that was too fast."""
    seconds = row.time - state.time
    if state.time > 0 and seconds > 0:
        north, east = radians(row.lat - state.lat), radians(row.lon - state.lon)
        chord = sin(north / 2) ** 2
        chord += cos(radians(state.lat)) * cos(radians(row.lat)) * sin(east / 2) ** 2
        kmh = 2 * EARTH_KM * asin(sqrt(chord)) / seconds * 3600
        if kmh > TOO_FAST:
            out.emit(row.seq, row.side, row.phone, row.time, kmh)
    state.time, state.lat, state.lon = row.time, row.lat, row.lon
