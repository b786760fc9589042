"""The examples once more, in plain Python without regular expressions: what results must be."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any, NamedTuple


class Event(NamedTuple):
    """A failed or accepted login."""

    seq: int
    time: datetime
    rhost: str
    user: str
    event: str


class Alert(NamedTuple):
    """A break-in, in the columns of the example."""

    seq: int
    time: datetime
    rhost: str
    user: str
    failures: int
    first: datetime


def time_of(tokens: list[str], year: int) -> datetime:
    stamp = " ".join([str(year), *tokens[:3]])
    return datetime.strptime(stamp, "%Y %b %d %H:%M:%S").replace(tzinfo=timezone.utc)


def events(rows: Iterable[dict[str, Any]], year: int) -> list[Event]:
    found = []
    for row in rows:
        tokens = row["line"].split()
        words = ("Failed", "Accepted")
        place = next((n for n, token in enumerate(tokens) if token in words), None)
        if place is None or tokens[place + 2] != "for" or "sshd" not in tokens[4]:
            continue
        start, end = tokens.index("for") + 1, len(tokens) - 1 - tokens[::-1].index("from")
        text = row["line"]
        user = text[text.index(" for ") + 5 : text.rindex(" from ")]
        if tokens[start:end][:2] == ["invalid", "user"]:
            user = user.removeprefix("invalid user ")
        kind = "failure" if tokens[place] == "Failed" else "login"
        time = time_of(tokens, year)
        found.append(Event(row["seq"], time, tokens[end + 1], user, kind))
    return found


def alerts(found: Iterable[Event]) -> list[Alert]:
    failures: dict[str, list[datetime]] = {}
    raised = []
    for event in found:
        if event.event == "failure":
            failures.setdefault(event.rhost, []).append(event.time)
            continue
        times = failures.pop(event.rhost, [])
        recent = [time for time in times if (event.time - time).total_seconds() <= 300]
        if len(recent) >= 5:
            who = (event.seq, event.time, event.rhost, event.user)
            raised.append(Alert(*who, len(recent), recent[0]))
    return raised


def login_failures(rows: Iterable[dict[str, Any]], year: int) -> list[dict[str, Any]]:
    found = []
    for row in rows:
        tokens = row["line"].split(" ")
        tokens = [token for token in tokens if token]
        if len(tokens) < 6 or "sshd" not in tokens[4]:
            continue
        if "authentication failure" not in " ".join(tokens[5:]):
            continue
        pairs = dict(token.split("=", 1) for token in tokens[5:] if "=" in token)
        names = ("uid", "euid", "tty", "rhost", "user")
        fields = {name: pairs.get(name, "") for name in names}
        found.append({"seq": row["seq"], "time": time_of(tokens, year), **fields})
    return found
