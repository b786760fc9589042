"""Fraud in call detail records: phones that seem to move faster than a phone can.

Each call says where both its phones were. Two regions, in turn and by phone, and behind them one
operator that must see every case, because it counts those of each hour.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from math import asin, cos, radians, sin, sqrt
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock import Elastic, Flow, flow, state

INPUT = (
    "seq long, time timestamp, caller long, callee long, caller_lat double, caller_lon double, "
    "callee_lat double, callee_lon double, area_code long"
)
PLACES = "seq long, time timestamp, phone long, lat double, lon double"
SPEEDS = "seq long, phone long, time timestamp, speed_kmh double"
COUNTS = "emit_at long, hour timestamp, cases long"
WATCHED = pc.is_in(pc.field("area_code"), value_set=pa.array([10, 12, 13]))
TOO_FAST = pc.field("speed_kmh") > 150.0
EARTH_KM = 6371.0


def both_phones(row: Any) -> Iterator[Any]:
    yield row.seq, row.time, row.caller, row.caller_lat, row.caller_lon
    yield row.seq, row.time, row.callee, row.callee_lat, row.callee_lon


def distance(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """The way between two places on the ground, in km."""
    north, east = radians(other_lat - lat), radians(other_lon - lon)
    chord = sin(north / 2) ** 2 + cos(radians(lat)) * cos(radians(other_lat)) * sin(east / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(chord))


class Speed:
    """How fast a phone went since its last call."""

    time = state.Value("timestamp", persistence="checkpointed")
    lat = state.Value("double", persistence="checkpointed")
    lon = state.Value("double", persistence="checkpointed")

    def process(self, row: Any) -> Iterator[Any]:
        if self.time.has() and row.time > self.time.get():
            hours = (row.time - self.time.get()).total_seconds() / 3600
            way = distance(self.lat.get(), self.lon.get(), row.lat, row.lon)
            yield row.seq, row.phone, row.time, way / hours
        self.time.put(row.time)
        self.lat.put(row.lat)
        self.lon.put(row.lon)


class HourCount:
    """Counts cases until one of another hour comes; the last hour is told at the end."""

    def __init__(self) -> None:
        self.hour: datetime | None = None
        self.cases = 0

    def process(self, row: Any) -> Iterator[Any]:
        hour = row.time.replace(minute=0, second=0, microsecond=0)
        if self.hour not in (None, hour):
            yield row.seq, self.hour, self.cases
            self.cases = 0
        self.hour = hour
        self.cases += 1

    def finish(self) -> Iterator[Any]:
        if self.hour is not None:
            yield None, self.hour, self.cases


def places(rows: Flow) -> Flow:
    return rows.filter(WATCHED, name="watched").apply(both_phones, PLACES, name="both_phones")


def fast(rows: Flow) -> Flow:
    speeds = rows.key_by("phone").apply(Speed(), SPEEDS, name="speed")
    return speeds.filter(TOO_FAST, name="too_fast")


fast_phones = (
    flow("cdr_fraud", INPUT)
    .parallel(places, channels=Elastic(1, 4), name="places")
    .parallel(fast, by="phone", channels=Elastic(1, 4), name="fast")
)
case_counts = fast_phones.apply(HourCount(), COUNTS, name="hour_count")
