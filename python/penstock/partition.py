"""A flow as a Spark task: everything that a worker of Spark needs around the engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from penstock import _native
from penstock.errors import OperatorError
from penstock.executor.budget import join
from penstock.executor.connection import connection_to_spark
from penstock.executor.crashes import tell_of_crashes
from penstock.executor.memory import memory_limit, save_memory, where_memory_ran_out
from penstock.executor.temporary import remove_leftovers
from penstock.executor.watch import TaskWatch
from penstock.failure_text import lines_of
from penstock.spec import FlowSpec
from penstock.telling import Telling
from penstock.worker import Report, run


def run_partition(
    spec: FlowSpec,
    batches: Iterator[pa.RecordBatch],
    telling: Telling | None = None,
    report: Report | None = None,
) -> Iterator[pa.RecordBatch]:
    """Run a flow inside a Spark Python worker; this is what `mapInArrow` calls.

    Args:
        spec: What to run.
        batches: Spark's input.
        telling: How to tell the driver what was done, if at all.
        report: As for `worker.run`.
    """
    _end_with_daemon()
    tell_of_crashes()
    save_memory()
    remove_leftovers()
    spec.check()
    try:
        budget = join(spec.settings, dict(spec.session))
        connection = connection_to_spark()
        if not spec.settings.metrics:
            yield from run(spec, batches, report=report, budget=budget, connection=connection)
            _read_to_end(batches)
            return
        watch = TaskWatch(spec, telling, budget.shared if budget else None)
        with watch:
            made = run(
                spec, batches, report=report, watch=watch, budget=budget, connection=connection
            )
            yield from watch.passed(made)
            _read_to_end(batches)
        yield from watch.last_row()
    except OperatorError as error:
        # Spark simplifies tracebacks by dropping the cause, and with it the user's own lines.
        facts = error.facts() | {"lines": lines_of(error.__cause__)}
        raise OperatorError(error.operator, **facts) from error.__cause__
    except MemoryError as error:
        advice = where_memory_ran_out(spec.name, memory_limit())
        raise MemoryError(f"flow '{spec.name}': {error}; {advice}") from error


def _read_to_end(batches: Iterator[pa.RecordBatch]) -> None:
    # A flow that wants no more rows ends before its input does. Spark's protocol goes on behind
    # that input, so it is read to its end; otherwise Spark would have to give the worker up.
    for _ in batches:
        pass


def _end_with_daemon() -> None:
    # The kernel watches the thread that forked us. Spark's daemon has one; a JVM that starts
    # workers itself has many that come and go, and then this would kill a healthy worker.
    parent = Path(f"/proc/{os.getppid()}/comm")
    if parent.exists() and not parent.read_text().startswith("java"):
        _native.die_with_parent()
