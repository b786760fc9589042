"""What controllers decide, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from penstock import _native


@dataclass(frozen=True, slots=True)
class Decision:
    """One step of a controller.

    Attributes:
        period: Number of the period it was taken after, from 0.
        previous: Threads, or channels, in that period.
        level: Threads, or channels, decided for.
        reason: Why, in a word. Of threads: `rising`, `not_yet_falling`, `better_above`,
            `nothing_above`, `nothing_below`, `no_gain`, `refine_above`, `refine_below`,
            `measure_again`, `measure_rival`, `doubtful`, `check_below`, `settled`,
            `processor_busy`, `maybe_noise` or `load_changed`. Of channels: `congested`,
            `better_above`, `measure_again`, `no_gain_above`, `most_channels`, `not_congested`,
            `congested_below`, `least_channels` or `remote_congestion`. By utilization: `busy`,
            `idle`, `well_used`, `busy_below`, `no_more_done`, `most_threads`, `least_threads` or
            `processor_busy`. Of replicas: `bottleneck`, `no_gain`, `barred`, `most_replicas` or
            `no_bottleneck`. Of all: `held` or `limits_changed`; of a flow that runs also `waiting`,
            `budget`, `more_free`, and `processor_unknown` where no file of the machine tells how
            busy its processors are.
        text: The same in a sentence with the numbers that led to it.
        before: Throughput of that period; None when it was not measured.
        after: Throughput of the next period, at the new level; None until it is known.
        operator: What it is about, where that is one operator of several.
    """

    period: int
    previous: int
    level: int
    reason: str
    text: str
    before: float | None
    after: float | None
    operator: str | None = None

    def __str__(self) -> str:
        return f"period {self.period}: {self.text}"


NativeDecision: TypeAlias = (
    "_native.Decision | _native.ChannelDecision | _native.UtilizationDecision"
    " | _native.ReplicaDecision"
)


def decision_of(made: NativeDecision) -> Decision:
    """What the native controller decided."""
    return Decision(
        period=made.period,
        previous=made.previous,
        level=made.level,
        reason=made.reason,
        text=made.text,
        before=made.before,
        after=made.after,
        operator=getattr(made, "operator", None) or None,
    )


def explanation(decisions: Iterable[Decision]) -> str:
    """Tell decisions one line each; the same again and again is told once."""
    runs = groupby(
        decisions, key=lambda made: (made.operator, made.previous, made.level, made.reason)
    )
    return "\n".join(str(next(run)) for _, run in runs)
