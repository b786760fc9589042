"""Fraud in call records: phones that seem to move faster than a phone can.

Calls of some areas say where both their phones were. The speed of a phone is the way between two
of its calls over the time between them; more than 150 km/h is told.
"""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt
from typing import Any

from penstock.bench.headline.compiled_phones import both_phones, speed
from penstock.bench.headline.job import ByKey, Divided, Job, Made, Prepared
from penstock.bench.headline.phone_words import AREAS, EARTH_KM, TOO_FAST
from penstock.flow import Flow, flow

PHONES = 1_000
INPUT = (
    "seq long, time long, caller long, callee long, caller_lat double, caller_lon double, "
    "callee_lat double, callee_lon double, area int"
)
OUTPUT = "seq long, side int, phone long, time long, kmh double"
NAMES = ["seq", "side", "phone", "time", "kmh"]


def _phone(salt: int) -> str:
    # The first of them call more often than the others.
    return f"CAST({PHONES} * pow(pmod(xxhash64(id, {salt}L), 100000L) / 100000.0D, 2) AS BIGINT)"


def _place(least: float, phone: str, salt: int) -> str:
    # Most calls come from near a home, some from far away.
    home = f"pmod(xxhash64({phone}, {salt}L), 1000L) / 5000.0D"
    away = f"IF(pmod(xxhash64(id, {salt}L), 50L) = 0, 3.0D, 0.01D)"
    return f"{least}D + {home} + {away} * (pmod(xxhash64(id, {salt + 1}L), 1000L) / 1000.0D)"


DATA = (
    "id AS seq",
    "1740787200L + id AS time",
    f"{_phone(1)} AS caller",
    f"{_phone(2)} AS callee",
    f"{_place(39.9, 'caller', 10)} AS caller_lat",
    f"{_place(116.3, 'caller', 20)} AS caller_lon",
    f"{_place(39.9, 'callee', 30)} AS callee_lat",
    f"{_place(116.3, 'callee', 40)} AS callee_lon",
    "CAST(10 + pmod(xxhash64(id, 3L), 5L) AS INT) AS area",
)


def fast_phones() -> Flow:
    """The job as a flow."""
    return (
        flow("fast_phones", INPUT)
        .process(
            both_phones,
            out="seq long, side int, phone long, time long, lat double, lon double",
            name="both_phones",
        )
        .key_by("phone")
        .process(speed, out=OUTPUT, state="time long, lat double, lon double", name="speed")
        .threading("automatic")
    )


def way_km(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """The way between two places on the ground."""
    north, east = radians(other_lat - lat), radians(other_lon - lon)
    chord = sin(north / 2) ** 2 + cos(radians(lat)) * cos(radians(other_lat)) * sin(east / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(chord))


class OfPhone:
    """When and where a phone was last."""

    def __init__(self) -> None:
        self.known: list[float] = []

    def row(self, seq: int, side: int, phone: int, time: int, lat: float, lon: float) -> Made:  # noqa: PLR0917
        """Take one more call of the phone."""
        known, self.known = self.known, [time, lat, lon]
        if not known or time <= known[0]:
            return []
        kmh = way_km(known[1], known[2], lat, lon) / (time - known[0]) * 3600
        return [(seq, side, phone, time, kmh)] if kmh > TOO_FAST else []


def both_places(seq: int, time: int, caller: int, callee: int, *rest: Any) -> Made:
    """Where both phones of a call were, if its area is watched."""
    *places, area = rest
    if area not in AREAS:
        return []
    return [(seq, 0, caller, time, *places[:2]), (seq, 1, callee, time, *places[2:])]


def phones() -> ByKey:
    """When and where every phone was last."""
    return ByKey(OfPhone, place=2)


def of_calls() -> Prepared:
    """The sequential program."""
    return Prepared(both_places, phones())


def vectorised(rows: Any, memory: dict[str, Any]) -> Any:
    """One DataFrame after another; where a phone was last goes in as a row before it."""
    import pandas as pd  # noqa: PLC0415 - only this contender needs it

    watched = rows[rows["area"].isin(AREAS)]
    sides = [_side(watched, side, name) for side, name in enumerate(("caller", "callee"))]
    given = pd.concat(sides).sort_values(["seq", "side"], kind="stable")
    before = memory.get("last")
    together = given if before is None else pd.concat([before, given])
    memory["last"] = together.groupby("phone", sort=False).tail(1).assign(seq=-1)
    made = _speeds(together.reset_index(drop=True))
    return made[made["seq"] >= 0]


def _side(calls: Any, side: int, name: str) -> Any:
    columns = {name: "phone", f"{name}_lat": "lat", f"{name}_lon": "lon"}
    return calls[["seq", "time", *columns]].rename(columns=columns).assign(side=side)


def _speeds(places: Any) -> Any:
    import numpy as np  # noqa: PLC0415 - only these contenders need it

    last = places.groupby("phone", sort=False)[["time", "lat", "lon"]].shift()
    north = np.radians(places["lat"] - last["lat"])
    east = np.radians(places["lon"] - last["lon"])
    chord = np.sin(north / 2) ** 2
    chord += (
        np.cos(np.radians(last["lat"])) * np.cos(np.radians(places["lat"])) * np.sin(east / 2) ** 2
    )
    seconds = places["time"] - last["time"]
    kmh = 2 * EARTH_KM * np.arcsin(np.sqrt(chord)) / seconds.where(seconds > 0) * 3600
    made = places.assign(kmh=kmh)[NAMES]
    return made[made["kmh"] > TOO_FAST].astype({"side": "int32"})


KEYED = f"""
SELECT seq, side, place.phone, time, place.lat, place.lon
FROM (SELECT seq, time, posexplode(array(
        struct(caller AS phone, caller_lat AS lat, caller_lon AS lon),
        struct(callee AS phone, callee_lat AS lat, callee_lon AS lon))) AS (side, place)
      FROM {{rows}} WHERE area IN ({", ".join(map(str, AREAS))}))
"""
SQL = f"""
WITH places AS ({KEYED}), moves AS (
  SELECT *, lag(time) OVER w AS time0, lag(lat) OVER w AS lat0, lag(lon) OVER w AS lon0
  FROM places WINDOW w AS (PARTITION BY phone ORDER BY seq, side)
), speeds AS (
  SELECT seq, side, phone, time, 2 * {EARTH_KM} * asin(sqrt(
      pow(sin(radians(lat - lat0) / 2), 2)
      + cos(radians(lat0)) * cos(radians(lat)) * pow(sin(radians(lon - lon0) / 2), 2)
    )) / (time - time0) * 3600 AS kmh
  FROM moves WHERE time > time0
)
SELECT * FROM speeds WHERE kmh > {TOO_FAST} ORDER BY seq, side
"""


FAST_PHONES = Job(
    name="fast phones",
    rows=4_000_000,
    rows_by_key=500_000,
    data=DATA,
    output=OUTPUT,
    order=("seq", "side"),
    flow=fast_phones,
    program=of_calls,
    vectorised=vectorised,
    keyed=KEYED,
    key="phone",
    of_key=OfPhone,
    group=_speeds,
    state="known array<double>",
    sql=SQL,
    divided=Divided(both_places, phones, key=2),
)
