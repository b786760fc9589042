"""Break-ins: hosts that guess passwords until they are let in, out of an sshd log.

Failures and logins are told apart and taken apart by one operator, row by row, so they stay in the
order of the log without two branches that would have to be merged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pyarrow.compute as pc

from penstock import Elastic, Flow, flow, state

YEAR = 2017  # a log does not say it
OLDEST = timedelta(seconds=300)
ENOUGH = 5
MESSAGES = "seq long, time timestamp, message string"
ATTEMPTS = "seq long, time timestamp, rhost string, user string, failed boolean"
BREAK_INS = (
    "seq long, time timestamp, rhost string, user string, failures long, first_failure timestamp"
)
LINE = re.compile(r"(\w{3} +\d+ [\d:]{8}) \S+ sshd\S*: (.*)")
ATTEMPT = re.compile(
    r"(?:message repeated \d+ times: \[ )?(Failed|Accepted) \w+ for (?:invalid user )?(.*)"
    r" from (\S+) port "
)
TRIED = pc.match_substring_regex(pc.field("message"), pattern=r"\b(Failed|Accepted) ")


def parse_line(row: Any) -> Iterator[Any]:
    found = LINE.match(row.line)
    if found:
        time = datetime.strptime(f"{YEAR} {found[1]}", "%Y %b %d %H:%M:%S")
        yield row.seq, time.replace(tzinfo=timezone.utc), found[2]


def parse_attempt(row: Any) -> Iterator[Any]:
    found = ATTEMPT.match(row.message)
    if found:
        yield row.seq, row.time, found[3], found[2], found[1] == "Failed"


class BreakIn:
    """Remembers the failures of a host, until it logs in."""

    failures = state.List("timestamp", persistence="checkpointed")

    def process(self, row: Any) -> Iterator[Any]:
        if row.failed:
            self.failures.append(row.time)
            return
        recent = [time for time in self.failures if row.time - time <= OLDEST]
        if len(recent) >= ENOUGH:
            yield row.seq, row.time, row.rhost, row.user, len(recent), recent[0]
        self.failures.clear()


def attempts(rows: Flow) -> Flow:
    return rows.filter(TRIED, name="tried").apply(parse_attempt, ATTEMPTS, name="attempt")


break_ins = (
    flow("break_ins", "seq long, line string")
    .parallel(
        lambda rows: rows.apply(parse_line, MESSAGES, name="line"),
        channels=Elastic(1, 4),
        name="parse_lines",
    )
    .parallel(attempts, channels=Elastic(1, 4), name="attempts")
    .parallel(
        lambda rows: rows.key_by("rhost").apply(BreakIn(), BREAK_INS, name="break_in"),
        by="rhost",
        channels=Elastic(1, 4),
        name="break_ins_by_host",
    )
)
