"""A pool of processes inside one task: the way around the GIL that needs nothing but Python."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Any

import pyarrow as pa

from penstock.bench.headline.job import Job, Made, Program, Ways, batch_of, rows_of

PROCESSES = 2
AHEAD = 2 * PROCESSES  # batches that are sent before the first has come back


def divided_by_key(batches: Iterator[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Each process has its keys and remembers them; rows that come back are put in order."""
    prepare, place = job.divided.prepare, job.divided.key
    assert place is not None
    pools = [_pool(job) for _ in range(PROCESSES)]
    try:
        for batch in batches:
            parts: list[list[tuple[int, tuple[Any, ...]]]] = [[] for _ in pools]
            rows = (row for given in rows_of(batch) for row in prepare(*given))
            for number, row in enumerate(rows):
                parts[hash(row[place]) % PROCESSES].append((number, row))
            sent = [pool.submit(_work, part) for pool, part in zip(pools, parts, strict=True)]
            found = [made for one in sent for made in one.result()]
            found.sort(key=lambda numbered: numbered[0])
            yield batch_of((row for _, made in found for row in made), job.schema)
    finally:
        for pool in pools:
            pool.shutdown(cancel_futures=True)


def prepared(batches: Iterator[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Processes prepare rows, in the order of batches, for the one program that remembers."""
    program = job.divided.program()
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(PROCESSES, context) as pool:
        waiting = [pool.submit(_prepare, job, batch) for batch in islice(batches, AHEAD)]
        while waiting:
            rows = waiting.pop(0).result()
            waiting += [pool.submit(_prepare, job, batch) for batch in islice(batches, 1)]
            yield batch_of((made for row in rows for made in program.row(*row)), job.schema)


def _prepare(job: Job, batch: pa.RecordBatch) -> Made:
    return [made for row in rows_of(batch) for made in job.divided.prepare(*row)]


_program: Program | None = None  # of this process of a pool


def _pool(job: Job) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("fork")
    return ProcessPoolExecutor(1, context, initializer=_begin, initargs=(job,))


def _begin(job: Job) -> None:
    global _program  # noqa: PLW0603 - a process of a pool has nowhere else to keep it
    _program = job.divided.program()


def _work(part: list[tuple[int, tuple[Any, ...]]]) -> list[tuple[int, Made]]:
    assert _program is not None
    return [(number, _program.row(*row)) for number, row in part]


def _in_processes(frame: Any, job: Job) -> Any:
    way = prepared if job.divided.key is None else divided_by_key
    return frame.mapInArrow(lambda batches: way(batches, job), job.output)


IN_PROCESSES: Ways = {"mapInArrow, two processes": _in_processes}
