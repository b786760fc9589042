"""The two functions of the break-ins that are compiled: one takes lines apart, one counts.

>>> import penstock
>>> import pyarrow as pa
>>> line = "Mar 01 00:00:02 gate sshd[9]: Failed password for invalid user x from 192.0.2.1 port 4 ssh2"
>>> found = penstock.flow("f", "seq long, line string").process(
...     attempts, out="seq long, time timestamp, rhost string, user string, failed boolean"
... )
>>> row = found.run(pa.table({"seq": [7], "line": [line]})).to_pylist()[0]
>>> row["seq"], row["time"].isoformat(), row["rhost"], row["user"], row["failed"]
(7, '2025-03-01T00:00:02+00:00', '192.0.2.1', 'x', True)
"""

from __future__ import annotations

from typing import Any

from penstock.bench.headline.log_words import ENOUGH, NEW_YEAR, WINDOW
from penstock.compiled.function import compiled

STAMP = 15  # bytes of a time
SLOTS = WINDOW + 1
MICROSECONDS = 1_000_000
# Of a host: the place of the oldest second, how many there are, each of them, and its failures.
REMEMBERED = f"first long, kept long, seconds array<long, {SLOTS}>, failures array<int, {SLOTS}>"


@compiled
def days_before(month: Any) -> int:  # noqa: PLR0911 - there are twelve
    """Days of the year before a month; -1 if there is no such month."""
    if month == "Jan":
        return 0
    if month == "Feb":
        return 31
    if month == "Mar":
        return 59
    if month == "Apr":
        return 90
    if month == "May":
        return 120
    if month == "Jun":
        return 151
    if month == "Jul":
        return 181
    if month == "Aug":
        return 212
    if month == "Sep":
        return 243
    if month == "Oct":
        return 273
    if month == "Nov":
        return 304
    return 334 if month == "Dec" else -1


@compiled
def two_digits(text: Any, place: int) -> int:
    """The number that two bytes say."""
    return int((text[place] - 48) * 10 + text[place + 1] - 48)


@compiled
def attempts(row: Any, out: Any) -> None:
    """Take one line apart, if it tells of an attempt to log in."""
    line = row.line
    if len(line) < STAMP:
        return
    program = line[STAMP:].find(" sshd[")
    if program < 0:
        return
    told = line[STAMP + program + 6 :]
    begin = told.find("]: ")
    if begin < 0:
        return
    told = told[begin + 3 :]
    if told.startswith("message repeated "):
        told = told[told.find("[ ") + 2 :]
    failed = told.startswith("Failed ")
    if not failed and not told.startswith("Accepted "):
        return
    told = told[told.find(" for ") + 5 :]
    if told.startswith("invalid user "):  # noqa: FURB188 - what is compiled has no removeprefix
        told = told[13:]
    user = told.find(" from ")
    host = told[user + 6 :]
    end = host.find(" port ")
    days = days_before(line[:3])
    if user < 0 or end < 0 or days < 0:
        return
    day = days + two_digits(line, 4) - 1
    seconds = two_digits(line, 7) * 3600 + two_digits(line, 10) * 60 + two_digits(line, 13)
    time = (NEW_YEAR + day * 86400 + seconds) * MICROSECONDS
    out.emit(row.seq, time, host[:end], told[:user], failed)


@compiled
def guessed(state: Any, row: Any, out: Any) -> None:
    """Keep the seconds in which a host failed, the oldest first, as far back as they matter."""
    now = row.time // MICROSECONDS
    first = state.first
    # A second takes part in one step in and one step out, so a row costs the same however long
    # the window is. There is a place for each second of it, and one that comes finds room.
    while state.kept > 0 and (state.seconds[first] < now - WINDOW or state.kept == SLOTS):
        first = first + 1 if first + 1 < SLOTS else 0
        state.kept -= 1
    state.first = first
    if row.failed:
        newest = first + state.kept - 1
        newest = newest if newest < SLOTS else newest - SLOTS
        if state.kept > 0 and state.seconds[newest] == now:
            state.failures[newest] += 1
            return
        place = first + state.kept
        place = place if place < SLOTS else place - SLOTS
        state.seconds[place] = now
        state.failures[place] = 1
        state.kept += 1
        return
    failures = 0
    place = first
    for _ in range(state.kept):
        failures += state.failures[place]
        place = place + 1 if place + 1 < SLOTS else 0
    if failures >= ENOUGH:
        begin = state.seconds[first] * MICROSECONDS
        out.emit(row.seq, row.time, row.rhost, row.user, failures, begin)
    state.kept = 0
