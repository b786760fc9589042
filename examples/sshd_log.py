"""A log of sshd as a busy gate to a company would write it, made up but lifelike.

Seeded: the same number of lines and the same seed give the same bytes. It knows which
break-ins it hid, so that whoever looks for them can be checked.

>>> log = generate(10_000, seed=1)
>>> log.batches[0].schema.names, sum(batch.num_rows for batch in log.batches)
(['seq', 'line'], 10000)
>>> len(log.break_ins)
12
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import intruders
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

YEAR = 2025
BEGIN = 1_740_787_200  # 1 March of that year, 00:00 UTC
FEWEST_LINES, MOST_LINES = 10_000, 50_000_000
LINES_PER_PART = 200_000
LINES_PER_SECOND = 3.8  # one session begins each second

USERS = ["admin", "test", "guest", "ubuntu", "pi", "oracle", "postgres", "git", "ftp", "nagios"]
STAFF = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy"]
ATTACKERS = [f"{net}.{n}" for net in ("198.51.100", "203.0.113") for n in range(1, 255)]
OFFICES = [f"10.1.{a}.{b}" for a in range(16) for b in range(1, 255)]

PAM = "pam_unix(sshd:auth): "
FAILURE = PAM + "authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost={host} "
UNMAPPED = (
    "reverse mapping checking getaddrinfo for pool-{port}.example.net [{host}] "
    "failed - POSSIBLE BREAK-IN ATTEMPT!"
)
OPENED = "pam_unix(sshd:session): session opened for user {name} by (uid=0)"


@dataclass(frozen=True)
class Session:
    """What one connection writes: a share of all connections, then (second, message) pairs."""

    share: float
    messages: tuple[tuple[int, str], ...]


SESSIONS = [
    Session(
        0.35,
        (
            (0, "Invalid user {guess} from {host}"),
            (0, "input_userauth_request: invalid user {guess} [preauth]"),
            (0, PAM + "check pass; user unknown"),
            (0, FAILURE),
            (2, "Failed password for invalid user {guess} from {host} port {port} ssh2"),
            (2, "Received disconnect from {host}: 11: Bye Bye [preauth]"),
        ),
    ),
    Session(
        0.25,
        (
            (0, FAILURE + " user=root"),
            (2, "Failed password for root from {host} port {port} ssh2"),
            (3, "Connection closed by {host} [preauth]"),
        ),
    ),
    Session(
        0.12,
        (
            (0, UNMAPPED),
            (1, "Connection closed by {host} [preauth]"),
        ),
    ),
    Session(
        0.15,
        (
            (0, "Accepted publickey for {name} from {office} port {port} ssh2: RSA SHA256:{port}"),
            (0, OPENED),
            (25, "pam_unix(sshd:session): session closed for user {name}"),
        ),
    ),
    Session(
        0.05,
        (
            (0, FAILURE.replace("{host}", "{office}") + " user={name}"),
            (2, "Failed password for {name} from {office} port {port} ssh2"),
            (6, "Accepted password for {name} from {office} port {port} ssh2"),
            (6, OPENED),
        ),
    ),
    Session(0.08, ((0, "Did not receive identification string from {host}"),)),
]


@dataclass(frozen=True)
class BreakIn:
    """A break-in as the log shows it; times are in seconds since 1970."""

    seq: int
    time: int
    rhost: str
    user: str
    failures: int
    first: int


@dataclass(frozen=True)
class Log:
    """The lines in parts of about equal size, and what is hidden in them."""

    batches: list[pa.RecordBatch]
    break_ins: list[BreakIn]


def generate(lines: int, seed: int) -> Log:
    """Make a log of exactly so many lines."""
    if not FEWEST_LINES <= lines <= MOST_LINES:
        raise ValueError(f"lines must be {FEWEST_LINES} to {MOST_LINES}, got {lines}")
    parts = max(4, -(-lines // LINES_PER_PART))
    seconds = int(lines / LINES_PER_SECOND)
    # The last tenth stays free of stories, so that cutting the log to length cuts none.
    told = intruders.stories(seed, seconds * 9 // 10)
    batches: list[pa.RecordBatch] = []
    break_ins: list[BreakIn] = []
    done = 0
    while done < lines:
        length = -(-seconds // parts)
        begin = len(batches) * length
        part = _part(begin, begin + length, told, _Dice(seed, len(batches)))
        part = part.slice(0, lines - done)
        seq = pa.array(range(done, done + part.num_rows), pa.int64())
        batches.append(pa.RecordBatch.from_pydict({"seq": seq, "line": part["line"]}))
        break_ins += _found(part, told, done)
        done += part.num_rows
    return Log(batches, break_ins)


def write(folder: Path, lines: int, seed: int) -> list[BreakIn]:
    """Write a log as Parquet, a file per part, unless it is there already."""
    manifest = folder / "_break_ins.json"  # Spark passes over files that begin with _
    made_by = _fingerprint(lines, seed)
    if manifest.exists():
        found = json.loads(manifest.read_text())
        if found["made_by"] == made_by:
            return [BreakIn(**each) for each in found["break_ins"]]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = generate(lines, seed)
    for number, batch in enumerate(log.batches):
        table = pa.Table.from_batches([batch])
        pq.write_table(table, folder / f"part-{number:03}.parquet", row_group_size=65_536)
    # Written last: a folder without it was left half done and is made anew.
    hidden = {"made_by": made_by, "break_ins": [asdict(each) for each in log.break_ins]}
    manifest.write_text(json.dumps(hidden, indent=1) + "\n")
    return log.break_ins


class _Dice:
    """Columns of random numbers; each throw has a seed of its own."""

    def __init__(self, seed: int, part: int) -> None:
        self._next = (seed * 1_000_003 + part) * 1_000

    def below(self, most: int, count: int) -> pa.Array:
        self._next += 1
        uniform = pc.random(count, initializer=self._next)
        return pc.cast(pc.floor(pc.multiply(uniform, float(most))), pa.int64())

    def among(self, words: Sequence[str], count: int) -> pa.Array:
        return pa.array(words).take(self.below(len(words), count))


def _part(begin: int, end: int, told: list[intruders.Story], dice: _Dice) -> pa.RecordBatch:
    tables = [*_everyday(begin, end, dice), _hidden(begin, end, told)]
    everything = pa.concat_tables(tables).combine_chunks()
    order = pc.sort_indices(everything, sort_keys=[("second", "ascending"), ("rank", "ascending")])
    # Each second is written as text once and then looked up: formatting is slow.
    seconds = pa.array(range(BEGIN + begin, BEGIN + end), pa.timestamp("s"))
    stamps = pc.strftime(seconds, format="%b %e %H:%M:%S")
    place = pc.subtract(everything["second"], begin)
    line = pc.binary_join_element_wise(
        stamps.take(place), " gate sshd[", everything["pid"], "]: ", everything["message"], ""
    )
    made = pa.table({"line": line, "story": everything["story"]})
    return made.take(order).combine_chunks().to_batches()[0]


def _everyday(begin: int, end: int, dice: _Dice) -> list[pa.Table]:
    count = end - begin
    numbers = pa.array(range(begin, end), pa.int64())
    fields = {
        "guess": dice.among(USERS, count),
        "host": dice.among(ATTACKERS, count),
        "name": dice.among(STAFF, count),
        # In turn, not at random: no office can return within the time that matters.
        "office": pa.array(OFFICES).take(_modulo(numbers, len(OFFICES))),
        "port": pc.cast(pc.add(dice.below(28_000, count), 32_768), pa.string()),
    }
    kind = dice.below(100, count)
    tables, least = [], 0
    for session in SESSIONS:
        most = least + round(session.share * 100)
        chosen = pc.and_(pc.greater_equal(kind, least), pc.less(kind, most))
        mine = {name: column.filter(chosen) for name, column in fields.items()}
        number = numbers.filter(chosen)
        for step, (delay, message) in enumerate(session.messages):
            # What would be written after the part's end is written at its end.
            second = pc.min_element_wise(pc.add(number, delay), end - 1)
            rank = pc.add(pc.multiply(number, 16), step)
            tables.append(_lines(second, rank, number, _filled(message, mine, len(number))))
        least = most
    return tables


def _hidden(begin: int, end: int, told: list[intruders.Story]) -> pa.Table:
    columns: dict[str, list[Any]] = {"second": [], "rank": [], "message": [], "story": []}
    for number, story in enumerate(told):
        for place, attempt in enumerate(story.attempts):
            if begin <= attempt.second < end:
                verb = "Accepted" if attempt.succeeds else "Failed"
                origin = f"{attempt.user} from {attempt.host} port {40_000 + place} ssh2"
                columns["second"].append(attempt.second)
                columns["rank"].append(number * 64 + place)
                columns["message"].append(f"{verb} password for {origin}")
                columns["story"].append(number if place + 1 == len(story.attempts) else -1)
    second, rank, story_of = (
        pa.array(columns[name], pa.int64()) for name in ("second", "rank", "story")
    )
    message = pa.array(columns["message"], pa.string())
    return _lines(second, rank, rank, message).set_column(4, "story", story_of)


def _lines(second: pa.Array, rank: pa.Array, number: pa.Array, message: pa.Array) -> pa.Table:
    pid = pc.cast(pc.add(_modulo(number, 30_000), 2_000), pa.string())
    story = pa.repeat(pa.scalar(-1, pa.int64()), len(second))
    columns = {"second": second, "rank": rank, "pid": pid, "message": message, "story": story}
    return pa.table(columns)


def _filled(message: str, fields: Mapping[str, pa.Array], count: int) -> Any:
    # The pattern keeps what it splits at, so names stand at the odd places.
    pieces = re.split(r"\{(\w+)\}", message)
    if len(pieces) == 1:
        return pa.repeat(message, count)
    parts = [fields[piece] if place % 2 else piece for place, piece in enumerate(pieces)]
    return pc.binary_join_element_wise(*parts, "")


def _modulo(numbers: pa.Array, by: int) -> pa.Array:
    return pc.subtract(numbers, pc.multiply(pc.divide(numbers, by), by))


def _found(part: pa.RecordBatch, told: list[intruders.Story], done: int) -> list[BreakIn]:
    found = []
    marked = pc.indices_nonzero(pc.greater_equal(part["story"], 0))
    for place in marked.to_pylist():
        story = told[part["story"][place].as_py()]
        if story.is_break_in:
            login = story.attempts[-1]
            when = (BEGIN + login.second, login.host, login.user)
            found.append(BreakIn(done + place, *when, story.failures, BEGIN + story.first))
    return found


def _fingerprint(lines: int, seed: int) -> str:
    sources = Path(__file__).read_bytes() + Path(intruders.__file__).read_bytes()
    return f"{lines} lines, seed {seed}, {hashlib.sha256(sources).hexdigest()[:16]}"
