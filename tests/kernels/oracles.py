"""What each application must make, and remember in the end: one plain loop over its rows.

Written from the definitions of the applications alone; nothing here knows of flows.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]


@dataclass
class Right:
    """Rows in the order in which they are made, and by operator and key what is remembered.

    Attributes:
        reached: How often the data led to each rule that is easily missed.
    """

    rows: list[Row] = field(default_factory=list)
    states: dict[str, dict[Any, Row]] = field(default_factory=dict)
    reached: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def finance(given: Iterable[Row]) -> Right:
    right = Right()
    trades: dict[str, list[tuple[Decimal, Decimal]]] = {}
    for row in given:
        ticker = row["ticker"]
        if row["ttype"] == "Trade":
            if not (row["price"] and row["volume"] and row["price"] > 0 and row["volume"] > 0):
                right.reached["invalid trade"] += 1
                continue
            trades[ticker] = [*trades.get(ticker, []), (row["price"], row["volume"])][-4:]
        elif row["ttype"] == "Quote":
            ask = row["askprice"]
            if not (ask and ask > 0):
                right.reached["invalid quote"] += 1
                continue
            window = trades.get(ticker, [])
            if len(window) < 4:
                right.reached["quote too early"] += 1
                continue
            cost = sum(price * volume for price, volume in window)
            volume = sum(volume for _, volume in window)
            vwap = float(cost) / float(volume)
            bargain = cost > ask * volume
            right.reached["bargain" if bargain else "no bargain"] += 1
            loose = sum(float(p) * float(v) for p, v in window) / sum(float(v) for _, v in window)
            right.reached["floats would differ"] += bargain != (loose > float(ask))
            made = {name: row[name] for name in ("seq", "ticker", "ts", "askprice", "asksize")}
            index = float(row["asksize"]) * math.exp(vwap - float(ask)) if bargain else 0.0
            right.rows.append(made | {"vwap": vwap, "index": index})
        else:
            right.reached["neither"] += 1
    right.states["pre_vwap"] = {
        ticker: {"turnovers": [p * v for p, v in window], "volumes": [v for _, v in window]}
        for ticker, window in trades.items()
    }
    right.states["bargain_index"] = {
        ticker: {
            "turnover": sum(p * v for p, v in window),
            "traded": sum(v for _, v in window),
            "vwap": float(sum(p * v for p, v in window)) / float(sum(v for _, v in window)),
        }
        for ticker, window in trades.items()
        if len(window) == 4
    }
    return right


def break_ins(given: Iterable[Row]) -> Right:
    right = Right()
    failures: dict[str, list[datetime]] = defaultdict(list)
    for row in given:
        stamp, text = row["line"][:15], row["line"][15:]
        host = re.search(r" from (\S+) port ", text)
        if host is None or " sshd[" not in text or not re.search("Failed|Accepted", text):
            right.reached["other line"] += 1
            continue
        time = datetime.strptime("2017 " + stamp, "%Y %b %d %H:%M:%S").replace(tzinfo=timezone.utc)
        known = failures[host[1]]
        if "Failed" in text:
            known.append(time)
            right.reached["repeated" if "repeated" in text else "failure"] += 1
            continue
        ages = [(time - failure).total_seconds() for failure in known]
        right.reached["exactly as old as allowed"] += 300 in ages
        right.reached["too old"] += any(age > 300 for age in ages)
        recent = [failure for failure, age in zip(known, ages, strict=True) if age <= 300]
        known.clear()
        if len(recent) < 5:
            right.reached["too few"] += 1
            continue
        user = re.search(r" for (?:invalid user )?(\S+) from ", text)
        made = {"seq": row["seq"], "time": time, "rhost": host[1], "user": user and user[1]}
        right.rows.append(made | {"failures": len(recent), "first_failure": recent[0]})
    remembered = {host: {"failures": times} for host, times in failures.items() if times}
    right.states["break_in"] = remembered
    return right


def summaries(given: Iterable[Row]) -> Right:
    right = Right()
    windows: dict[int, list[tuple[datetime, float]]] = defaultdict(list)
    for row in given:
        window = windows[row["appId"]]
        if window:
            age = row["time"] - window[0][0]
            right.reached["exactly a minute"] += age == timedelta(minutes=1)
            if age > timedelta(minutes=1):
                made = {"emit_at": row["seq"], "appId": row["appId"], "time": window[-1][0]}
                right.rows.append(made | {"flowAmount": sum(amount for _, amount in window)})
                window.clear()
        window.append((row["time"], row["flowAmount"]))
    right.states["flow_sum"] = {
        app: {
            "oldest": window[0][0],
            "newest": window[-1][0],
            "amount": sum(amount for _, amount in window),
        }
        for app, window in windows.items()
    }
    return right


def op_mon(given: Iterable[Row]) -> Right:
    right = summaries(given)
    right.reached["small window"] = sum(row["flowAmount"] <= 200_000 for row in right.rows)
    right.rows = [row for row in right.rows if row["flowAmount"] > 200_000]
    return right


def fast_phones(given: Iterable[Row]) -> Right:
    right = Right()
    last: dict[int, Row] = {}
    for row in given:
        if row["area_code"] not in {10, 12, 13}:
            right.reached["other area"] += 1
            continue
        for side in ("caller", "callee"):
            phone, time = row[side], row["time"]
            here = {"time": time, "lat": row[f"{side}_lat"], "lon": row[f"{side}_lon"]}
            before, last[phone] = last.get(phone), here
            if before is None:
                continue
            seconds = (time - before["time"]).total_seconds()
            if seconds <= 0:
                right.reached["no time between" if seconds == 0 else "back in time"] += 1
                continue
            speed = haversine(before, here) / (seconds / 3600)
            if speed > 150:
                made = {"seq": row["seq"], "phone": phone, "time": time, "speed_kmh": speed}
                right.rows.append(made)
            else:
                right.reached["slow"] += 1
    right.states["speed"] = dict(last)
    return right


def haversine(a: Row, b: Row) -> float:
    lat1, lon1, lat2, lon2 = (math.radians(x) for x in (a["lat"], a["lon"], b["lat"], b["lon"]))
    h = math.sin((lat2 - lat1) / 2) ** 2
    h += math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 6371 * 2 * math.atan2(math.sqrt(h), math.sqrt(1 - h))


def case_counts(given: Iterable[Row]) -> Right:
    right = fast_phones(given)
    counts: list[Row] = []
    for case in right.rows:
        hour = case["time"].replace(minute=0, second=0)
        if not counts or counts[-1]["hour"] != hour:
            if counts:
                counts[-1]["emit_at"] = case["seq"]
            counts.append({"emit_at": None, "hour": hour, "cases": 0})
        counts[-1]["cases"] += 1
    right.rows = counts
    return right


def page_rank(edges: list[tuple[int, int]], steps: int) -> list[Row]:
    one = 2**40
    vertices = sorted({vertex for edge in edges for vertex in edge})
    degrees: dict[int, int] = defaultdict(int)
    for src, _ in edges:
        degrees[src] += 1
    ranks = dict.fromkeys(vertices, one)
    for _ in range(steps):
        sums = dict.fromkeys(vertices, 0)
        for src, dst in edges:
            sums[dst] += ranks[src] // degrees[src]
        ranks = {vertex: 15 * one // 100 + 85 * sums[vertex] // 100 for vertex in vertices}
    return [{"vertex": vertex, "rank_q40": ranks[vertex]} for vertex in vertices]
