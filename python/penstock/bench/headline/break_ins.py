"""Break-ins: hosts whose login came after at least five failures within five minutes.

A failure is remembered for its host. A login forgets those older than 300 seconds, is a break-in
if at least five are left, and forgets all of them.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any

from penstock.bench.headline.compiled_log import REMEMBERED, attempts, guessed
from penstock.bench.headline.job import ByKey, Divided, Job, Made, Prepared
from penstock.bench.headline.log_words import ENOUGH, WINDOW, YEAR
from penstock.flow import Flow, flow

# Two lines a second, of a few hundred hosts, some of which try much more often than others.
SECONDS = "(id DIV 2)"
HOST = (
    "concat('198.51.', CAST(pow(2.0, pmod(xxhash64(id, 1L), 70000L) / 10000.0) AS INT), '.', "
    "pmod(xxhash64(id, 2L), 4L))"
)
TAIL = "concat(' from ', host, ' port ', 1024 + pmod(xxhash64(id, 3L), 60000L), ' ssh2')"
MESSAGE = f"""CASE
    WHEN dice < 30 THEN concat('Failed password for root', {TAIL})
    WHEN dice < 50 THEN concat('Failed password for invalid user admin', {TAIL})
    WHEN dice < 52 THEN concat('message repeated 2 times: [ Failed password for root', {TAIL}, ']')
    WHEN dice < 56 THEN concat('Accepted password for deploy', {TAIL})
    WHEN dice < 60 THEN concat('Accepted publickey for backup', {TAIL}, ': RSA SHA256:', id)
    WHEN dice < 80 THEN concat('Received disconnect from ', host, ': 11: Bye Bye [preauth]')
    ELSE concat('pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh '
                'ruser= rhost=', host)
  END"""
STAMP = f"date_format(timestamp_seconds(1740787200 + {SECONDS}), 'MMM dd HH:mm:ss')"
DATA = (
    "id AS seq",
    f"{HOST} AS host",
    "pmod(xxhash64(id, 4L), 100L) AS dice",
    f"concat({STAMP}, ' gate sshd[', 2000 + pmod(id, 30000L), ']: ', {MESSAGE}) AS line",
)
OUTPUT = "seq long, time timestamp, rhost string, user string, failures long, first timestamp"
ATTEMPT = re.compile(
    r"(?P<time>\w{3} \d\d [\d:]{8}) \S+ sshd\S*: (?:message repeated \d+ times: \[ )?"
    r"(?P<event>Failed|Accepted) \w+ for (?:invalid user )?(?P<user>.*) from (?P<rhost>\S+) port "
)


def break_ins() -> Flow:
    """The job as a flow."""
    return (
        flow("break_ins", "seq long, line string")
        .process(
            attempts,
            out="seq long, time timestamp, rhost string, user string, failed boolean",
            name="attempts",
        )
        .key_by("rhost")
        .process(
            guessed,
            out=OUTPUT,
            state=REMEMBERED,
            name="break_ins",
        )
        .threading("automatic")
    )


def parsed(seq: int, line: str) -> tuple[Any, ...] | None:
    """An attempt to log in: number, time, host, user and whether it failed."""
    found = ATTEMPT.match(line)
    if found is None:
        return None
    time = datetime.strptime(f"{YEAR} {found['time']}", "%Y %b %d %H:%M:%S")
    time = time.replace(tzinfo=timezone.utc)
    return seq, time, found["rhost"], found["user"], found["event"] == "Failed"


def attempts_in(seq: int, line: str) -> Made:
    """The attempt that a line tells of, if it does."""
    found = parsed(seq, line)
    return [] if found is None else [found]


class OfHost:
    """The failures of one host since its last login."""

    def __init__(self) -> None:
        self.known: list[Any] = []

    def row(self, seq: int, time: Any, rhost: str, user: str, failed: bool) -> Made:
        """Take one more attempt of the host."""
        if failed:
            self.known.append(time)
            return []
        recent = [each for each in self.known if (time - each).total_seconds() <= WINDOW]
        self.known = []
        if len(recent) < ENOUGH:
            return []
        return [(seq, time, rhost, user, len(recent), recent[0])]


def hosts() -> ByKey:
    """The failures of every host."""
    return ByKey(OfHost, place=2)


def of_lines() -> Prepared:
    """The sequential program."""
    return Prepared(attempts_in, hosts())


def vectorised(rows: Any, memory: dict[str, Any]) -> Any:
    """Lines are taken apart by pandas; what depends on the rows before is a loop over the rest."""
    import pandas as pd  # noqa: PLC0415 - only this contender needs it

    found = rows["line"].str.extract(ATTEMPT)
    found = found[found["event"].notna()]
    text = str(YEAR) + " " + found["time"]
    time = pd.to_datetime(text, format="%Y %b %d %H:%M:%S", utc=True)
    failed = found["event"] == "Failed"
    known = memory.setdefault("hosts", hosts())
    seq = rows["seq"].loc[found.index]
    attempts = zip(seq, time, found["rhost"], found["user"], failed, strict=True)
    return _frame([made for attempt in attempts for made in known.row(*attempt)])


def group(rows: Any) -> Any:
    """All attempts of one host."""
    host = OfHost()
    attempts = rows.itertuples(index=False, name=None)
    return _frame([made for attempt in attempts for made in host.row(*attempt)])


def _frame(made: Made) -> Any:
    import pandas as pd  # noqa: PLC0415 - only these contenders need it

    names = OUTPUT.split(", ")
    frame = pd.DataFrame(made, columns=[name.split(" ")[0] for name in names])
    # Grouped rows come without a zone, which is that of the session: UTC.
    times = {name: pd.to_datetime(frame[name], utc=True) for name in ("time", "first")}
    return frame.assign(**times)


# Braces are written twice, because Spark puts tables where they are single.
TRIED = r"^(\\w{{3}} \\d\\d [\\d:]{{8}}) \\S+ sshd\\S*: (?:message repeated \\d+ times: \\[ )?"
TRIED += r"(Failed|Accepted) \\w+ for (?:invalid user )?(.*) from (\\S+) port "
KEYED = f"""
SELECT seq, to_timestamp(concat('{YEAR} ', regexp_extract(line, '{TRIED}', 1)), 'yyyy MMM dd HH:mm:ss')
         AS time,
       regexp_extract(line, '{TRIED}', 4) AS rhost, regexp_extract(line, '{TRIED}', 3) AS user,
       regexp_extract(line, '{TRIED}', 2) = 'Failed' AS failed
FROM {{rows}} WHERE line RLIKE '{TRIED}'
"""

# A visit is the failures of a host and the login that ends them.
SQL = f"""
WITH attempts AS ({KEYED}), numbered AS (
  SELECT *, count_if(NOT failed) OVER (
    PARTITION BY rhost ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS visit
  FROM attempts
), visits AS (
  SELECT *, max(CASE WHEN NOT failed THEN time END) OVER (PARTITION BY rhost, visit) AS login
  FROM numbered
), counted AS (
  SELECT *, failed AND time >= login - INTERVAL {WINDOW} SECONDS AS counts FROM visits
)
SELECT max(seq) AS seq, max(login) AS time, rhost, max_by(user, seq) AS user,
       count_if(counts) AS failures, min_by(time, seq) FILTER (WHERE counts) AS first
FROM counted WHERE login IS NOT NULL
GROUP BY rhost, visit HAVING count_if(counts) >= {ENOUGH} ORDER BY seq
"""

BREAK_INS = Job(
    name="break-ins",
    rows=4_000_000,
    rows_by_key=1_000_000,
    data=DATA,
    output=OUTPUT,
    order=("seq",),
    flow=break_ins,
    program=of_lines,
    vectorised=vectorised,
    keyed=KEYED,
    key="rhost",
    of_key=OfHost,
    group=group,
    state="known array<timestamp>",
    sql=SQL,
    divided=Divided(attempts_in, hosts),
)
