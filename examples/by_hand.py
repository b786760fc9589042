"""What is written without Penstock: the parsing of `break_ins.py` as plain mapInArrow functions.

Both give the same rows in the same order as the flow; the demo checks that, and measures all
three.

>>> line = "Mar  1 00:00:02 gate sshd[9]: Failed password for root from 192.0.2.1 port 4 ssh2"
>>> pattern = r"(?P<time>.{15}).*(?P<event>Failed).* for (?P<user>.*) from (?P<rhost>.*) port"
>>> for way in (row_by_row, vectorised):
...     batch = pa.RecordBatch.from_pydict({"seq": [7], "line": [line]})
...     row = next(way(pattern, 2025)(iter([batch]))).to_pylist()[0]
...     print(row["seq"], row["time"], row["rhost"], row["user"], row["event"])
7 2025-03-01 00:00:02+00:00 192.0.2.1 root failure
7 2025-03-01 00:00:02+00:00 192.0.2.1 root failure
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

# What mapInArrow takes. The functions below are made inside others so that Spark sends their
# code along instead of looking for this file on the workers.
Task: TypeAlias = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

EVENTS = pa.schema(
    [
        ("seq", pa.int64()),
        ("time", pa.timestamp("us", "UTC")),
        ("rhost", pa.string()),
        ("user", pa.string()),
        ("event", pa.string()),
    ]
)


def row_by_row(pattern: str, year: int) -> Task:
    """Parse line after line with `re`, as most people write it first."""

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        attempt = re.compile(pattern)
        for batch in batches:
            rows = []
            for seq, line in zip(batch["seq"].to_pylist(), batch["line"].to_pylist(), strict=True):
                found = attempt.match(line)
                if found is None:
                    continue
                time = datetime.strptime(f"{year} {found['time']}", "%Y %b %d %H:%M:%S")
                time = time.replace(tzinfo=timezone.utc)
                event = "failure" if found["event"] == "Failed" else "login"
                rows.append((seq, time, found["rhost"], found["user"], event))
            columns = zip(*rows, strict=True) if rows else [()] * len(EVENTS)
            arrays = [pa.array(c, f.type) for c, f in zip(columns, EVENTS, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=EVENTS)

    return task


def vectorised(pattern: str, year: int) -> Task:
    """Parse a batch at a time with pyarrow.compute, as someone who knows it well writes it."""

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            attempts = batch.filter(pc.match_substring_regex(batch["line"], pattern))
            found = pc.extract_regex(attempts["line"], pattern)
            stamp = pc.binary_join_element_wise(str(year), pc.struct_field(found, "time"), " ")
            time = pc.strptime(stamp, format="%Y %b %d %H:%M:%S", unit="us")
            failed = pc.equal(pc.struct_field(found, "event"), "Failed")
            arrays = [
                attempts["seq"],
                pc.assume_timezone(time, "UTC"),
                pc.struct_field(found, "rhost"),
                pc.struct_field(found, "user"),
                pc.if_else(failed, "failure", "login"),
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=EVENTS)

    return task
