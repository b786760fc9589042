"""Data for the applications: seeded, a few keys that hold most rows, and every rule reached."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from random import Random
from typing import Any

import pyarrow as pa
from tests.kernels import cdr_fraud, finance, op_mon

from penstock.schema import as_schema

SEED = 7
START = datetime(2017, 12, 10, 6, 55, 46, tzinfo=timezone.utc)


def skewed(random: Random, count: int) -> int:
    """A number below `count`: the first in a third of the cases, and the others ever less."""
    return (
        min(int(random.paretovariate(0.6)) - 1, count - 1) if random.random() < 0.9 else count - 1
    )


def _trades_and_quotes(random: Random, count: int) -> Iterator[tuple[Any, ...]]:
    for seq in range(count):
        ticker = skewed(random, 12)
        ttype = random.choices(("Trade", "Quote", "Halt"), (50, 50, 2))[0]
        # Most trades are at one price, so that the mean is exactly what many quotes ask.
        price = Decimal(88 + ticker) / 10 + random.choice((0, 0, 0, 0, 0, Decimal("0.01")))
        volume = Decimal(random.randrange(1, 1000))
        if random.random() < 0.1:
            price = random.choice((None, Decimal(0), Decimal(-1)))  # type: ignore[assignment]
        if random.random() < 0.05:
            volume = Decimal(0)
        trade = ttype == "Trade"
        kept = (price, volume, None, None) if trade else (None, None, price, volume)
        yield (seq, f"T{ticker}", START + timedelta(milliseconds=seq), ttype, *kept)


def _log_lines(random: Random, count: int) -> Iterator[tuple[Any, ...]]:
    time = START
    for seq in range(count):
        time += timedelta(seconds=random.choice((0, 0, 0, 10, 20, 30)))
        host, port = f"10.0.0.{skewed(random, 9)}", random.randrange(1024, 65536)
        tail = f"from {host} port {port} ssh2"
        text = random.choices(
            (
                f"Failed password for root {tail}",
                f"Failed password for invalid user admin {tail}",
                f"message repeated 2 times: [ Failed password for root {tail}]",
                f"Accepted password for root {tail}",
                f"Accepted publickey for alice {tail}: RSA",
                f"Received disconnect from {host}: 11: Bye Bye [preauth]",
            ),
            (40, 20, 5, 6, 6, 15),
        )[0]
        program = f"sshd[{seq}]" if random.random() < 0.95 else "sudo"
        yield seq, f"{time:%b} {time.day:2d} {time:%H:%M:%S} gate {program}: {text}"


def _traffic(random: Random, count: int) -> Iterator[tuple[Any, ...]]:
    time = START
    for seq in range(count):
        time += timedelta(milliseconds=random.choice((0, 500, 1000, 2000, 4000)))
        yield seq, time, skewed(random, 20), random.randrange(400_000) / 8


def _calls(random: Random, count: int) -> Iterator[tuple[Any, ...]]:
    time = START.replace(microsecond=0)
    homes = [(39.9 + random.random() / 5, 116.3 + random.random() / 5) for _ in range(25)]
    for seq in range(count):
        time += timedelta(seconds=random.choice((0, 5, 20, 60, 90, -30)))
        phones = skewed(random, 25), skewed(random, 25)
        ways = [0.0 if random.random() < 0.8 else random.random() / 5 for _ in range(4)]
        caller, callee = homes[phones[0]], homes[phones[1]]
        places = (
            caller[0] + ways[0],
            caller[1] + ways[1],
            callee[0] + ways[2],
            callee[1] + ways[3],
        )
        yield (seq, time, *phones, *places, random.choice((10, 11, 12, 13, 14)))


MAKERS = {
    "finance": (finance.INPUT, _trades_and_quotes),
    "break_ins": ("seq long, line string", _log_lines),
    "op_mon": (op_mon.INPUT, _traffic),
    "cdr_fraud": (cdr_fraud.INPUT, _calls),
}


def table(name: str, count: int) -> pa.Table:
    """The input of an application; fewer rows are the first of more."""
    schema, maker = MAKERS[name]
    columns = zip(*maker(Random(SEED), count), strict=True)
    fields = as_schema(schema)
    arrays = [pa.array(values, f.type) for values, f in zip(columns, fields, strict=True)]
    return pa.table(arrays, schema=fields)
