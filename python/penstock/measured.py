"""From what the engine counted to what a user reads."""

from __future__ import annotations

from collections.abc import Iterable

from penstock import _native
from penstock.metrics import Decision, FlowMetrics, LevelChange, OperatorMetrics, WorkerMetrics

NS_PER_SECOND = 1e9


def decisions_of(actions: Iterable[_native.Action]) -> tuple[Decision, ...]:
    """What was decided about threads and channels, oldest first."""
    return tuple(
        Decision(
            seconds=one.seconds,
            lever=one.lever,
            previous=one.previous,
            chosen=one.chosen,
            reason=one.reason,
            text=one.text,
            before=one.before,
            after=one.after,
        )
        for one in actions
    )


def metrics_of(made: _native.FlowMetrics, decisions: tuple[Decision, ...]) -> FlowMetrics:
    """What operators and threads did, in seconds."""
    seconds = made.elapsed_ns / NS_PER_SECOND
    return FlowMetrics(
        operators=tuple(
            OperatorMetrics(
                name=one.name,
                tuples=one.tuples,
                rows_in=one.rows_in,
                rows_out=one.rows_out,
                late=one.late,
                busy=one.busy_ns / NS_PER_SECOND,
                waiting_mean=one.waiting_mean,
                waiting_most=one.waiting_most,
            )
            for one in made.operators
        ),
        workers=tuple(
            WorkerMetrics(
                number=one.worker,
                busy=one.busy_ns / NS_PER_SECOND,
                blocked=one.blocked_ns / NS_PER_SECOND,
                pieces=one.pieces,
                seconds=seconds,
            )
            for one in made.workers
        ),
        levels=tuple(LevelChange(one.at_ns / NS_PER_SECOND, one.level) for one in made.levels),
        seconds=seconds,
        runs=made.runs,
        under_way_mean=made.under_way_mean,
        under_way_most=made.under_way_most,
        decisions=decisions,
        pace=tuple((one.at_ns / NS_PER_SECOND, one.rows) for one in made.pace),
    )
