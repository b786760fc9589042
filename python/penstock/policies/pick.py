"""One decision of a policy, on plain numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock import _native
from penstock.elastic.arguments import number, whole
from penstock.errors import SettingError
from penstock.policies.operator_state import MOST, MOST_WORKERS, OperatorState, state_of
from penstock.policy_names import WORDS, word_of

# What a mapping must say, because the policy would decide by nothing else.
NEEDS: dict[str, tuple[str, ...]] = {
    "queueThrottling": ("worklist", "selectivity"),
    "estimatedTime": ("worklist", "cost"),
    "currentThroughput": ("worklist", "selectivity", "cost", "window_time"),
}


def names() -> tuple[str, ...]:
    """The words of all policies.

    >>> names()[:4]
    ('lastInPipeline', 'leastRecent', 'random', 'maxQueue')
    """
    return WORDS


def pick(
    policy: str,
    operators: Sequence[OperatorState | Mapping[str, object]],
    *,
    now: float = 0.0,
    slice: float = 0.001,  # noqa: A002 - the paper's word
    capacity: int = 1024,
    seed: int = 1,
) -> int | None:
    """Ask a policy which operator a free worker takes next.

    Args:
        policy: One of `names()`, or QST, LP, ET or CT; capital letters do not matter.
        operators: In topological order, each an `OperatorState` or a mapping of its attributes.
        now: The time, on the clock of the operators' times.
        slice: Seconds that a worker stays at an operator (CT).
        capacity: Tuples that all output queues together may hold (QST).
        seed: Of what is chosen by lot: `random`, and equals in `maxQueue`.

    Returns:
        Its place, or None if none of them can be run.

    Raises:
        SettingError: A number that is missing, unknown or impossible, by its name.
        FlowError: A policy that there is not.

    QST fills the queue behind the earliest operator until it has its share of the capacity. The
    operators make 2, 1 and 1 tuples of one that entered, so of 40 places they get 20, 10 and 10:

    >>> operators = [
    ...     {"selectivity": 2, "worklist": 9},
    ...     {"selectivity": 0.5, "worklist": 20},
    ...     {"selectivity": 1, "worklist": 4},
    ... ]
    >>> pick("QST", operators, capacity=40)
    1
    >>> pick("QST", operators, capacity=42)
    0
    """
    word = word_of(policy)
    needed = NEEDS.get(word, ("worklist",))
    states = [state_of(one, place, needed) for place, one in enumerate(operators)]
    checked = {"now": number("now", now), "slice": number("slice", slice)}
    if not 0 <= checked["slice"] < float("inf"):
        raise SettingError(f"slice is {slice!r}; it must be 0 seconds or more")
    if whole("capacity", capacity, of="tuples") < 0:
        raise SettingError(f"capacity is {capacity!r}; it must be 0 tuples or more")
    if type(seed) is not int or not 0 <= seed < 2**64:
        raise SettingError(f"seed is {seed!r}; it must be a whole number from 0 to {2**64 - 1}")
    behind = [state.worklist for state in states[1:]] + [0]
    views = [_view_of(*pair) for pair in zip(states, behind, strict=False)]
    return _native.pick(word, views, capacity=capacity, seed=seed, **checked)


def _view_of(state: OperatorState, behind: int) -> _native.OperatorView:
    most = state.max_parallelism
    return _native.OperatorView(
        selectivity=state.selectivity,
        cost=state.cost,
        waiting=state.worklist,
        workers=state.workers,
        most_workers=MOST_WORKERS if most is None else most,
        window_time=state.window_time,
        source=bool(state.source),
        last_run=state.last_run,
        oldest=state.oldest,
        read_rate=state.read_rate,
        write_rate=state.write_rate,
        made=behind if state.output_queue is None else state.output_queue,
        room=MOST if state.room is None else state.room,
    )
