"""Which operator holds the others up, and how many replicas it shall have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from penstock import _native
from penstock.elastic.arguments import as_setting_errors, number, whole, yes_or_no
from penstock.elastic.decision import Decision, decision_of, explanation
from penstock.errors import SettingError

Ratios: TypeAlias = "float | Sequence[float]"

FIELDS = ("name", "input_blocked", "output_blocked", "replicable")
LIMIT = 65_536  # replicas of one operator


@dataclass(frozen=True, slots=True)
class Candidate:
    """An operator that may be the bottleneck.

    Attributes:
        name: Of the operator.
        input_blocked: For which part of a period its input was full; one number for each replica.
        output_blocked: The same of the inputs behind it, one number for each; they are its output.
        replicable: False for splitters and mergers, for operators with several inputs or outputs,
            and for those that wait for something else than a processor.
    """

    name: str
    input_blocked: Ratios
    output_blocked: Ratios = ()
    replicable: bool = True


CandidateLike: TypeAlias = "Candidate | Mapping[str, Any] | Sequence[Any]"


def bottleneck(candidates: Iterable[CandidateLike], tau: float = 0.01) -> str | None:
    """Find the operator that holds the others up: C-Stream's Algorithm 9.

    Args:
        candidates: In topological order: each a `Candidate`, a mapping with its fields, or a tuple
            of them in their order.
        tau: A port is blocked from this part of the time on.

    Returns:
        The name of the first operator that is blocked on its input, as a mean over its replicas,
        and on none of its outputs; None when there is none.

    Raises:
        SettingError: Naming the candidate and what is wrong with it.

    >>> bottleneck([("parse", 0.9, 0.4), ("score", [0.3, 0.5], 0.0), ("store", 0.0)])
    'score'
    >>> bottleneck([("parse", 0.0, 0.4)]) is None
    True
    """
    given = [candidate_of(place, each) for place, each in enumerate(candidates)]
    with as_setting_errors():
        found = _native.bottleneck([_as_native(each) for each in given], number("tau", tau))
    return None if found is None else given[found].name


class ReplicaController:
    """Adds one replica in a period to the operator that is the bottleneck.

    C-Stream never removes a replica. Here the last one goes again if throughput did not rise and
    its operator is the bottleneck as before; where another one is now, that one has the next turn.

    Args:
        tau: A port is blocked from this part of the time on.
        maximum: Most replicas of an operator, or of each by name; None sets no limit.
        margin: Relative rise of throughput that counts as one.
        age: After so many periods an operator of which one more brought nothing is tried again;
            0 is never.

    Raises:
        SettingError: Naming the value that is impossible and what is allowed.

    >>> controller = ReplicaController()
    >>> controller.update([("score", 0.5)], throughput=100)
    {'score': 2}
    >>> controller.update([("score", [0.5, 0.5])], throughput=100)
    {'score': 1}
    >>> print(controller.explain())
    period 0: operator 'score': 1 -> 2 replicas: its input was blocked for 50 % of the time
    period 1: operator 'score': 2 -> 1 replica: throughput is 100 after 100, and it is the \
bottleneck as before: the last one brings nothing
    """

    def __init__(
        self,
        tau: float = 0.01,
        maximum: int | Mapping[str, int] | None = None,
        margin: float = 0.05,
        age: int = 12,
    ) -> None:
        with as_setting_errors():
            self._native = _native.ReplicaController(
                tau=number("tau", tau),
                margin=number("margin", margin),
                age=whole("age", age, "periods"),
            )
        self._maximum = maximum
        self._names: dict[str, None] = {}
        limits = (
            maximum.values()
            if isinstance(maximum, Mapping)
            else [1 if maximum is None else maximum]
        )
        for limit in limits:
            if whole("maximum", limit, "replicas") not in range(1, LIMIT + 1):
                raise SettingError(f"maximum is {limit}; it must be 1 to {LIMIT} replicas")

    @property
    def replicas(self) -> dict[str, int]:
        """Replicas of each operator seen so far."""
        return {name: self._native.replicas(name) for name in self._names}

    @property
    def settled(self) -> bool:
        """Whether the last period gave no reason for a change."""
        return self._native.settled

    @property
    def decisions(self) -> list[Decision]:
        """What was decided and why, oldest first; the last 4,096 decisions are kept."""
        return [decision_of(native) for native in self._native.decisions()]

    def update(self, candidates: Iterable[CandidateLike], throughput: float) -> dict[str, int]:
        """Take what was measured in one period and return the replicas of the next.

        Args:
            candidates: As `bottleneck` takes them.
            throughput: Tuples per second; any unit will do that is the same for all periods.

        Raises:
            SettingError: Naming the candidate or the value that is wrong.
        """
        given = [candidate_of(place, each) for place, each in enumerate(candidates)]
        names = [each.name for each in given]
        if len(set(names)) < len(names):
            raise SettingError(f"candidates are {names}; give each operator once")
        with as_setting_errors():
            for name in names:
                if name not in self._names:
                    self._native.set_range(name, 1, self._limit(name))
            natives = [_as_native(each) for each in given]
            self._native.update(natives, number("throughput", throughput))
        self._names.update(dict.fromkeys(names))
        return self.replicas

    def hold(self) -> dict[str, int]:
        """Let a period pass that says nothing, because the last change had not happened yet."""
        self._native.hold()
        return self.replicas

    def explain(self) -> str:
        """Tell what was decided and why, one line each; the same again and again is told once."""
        return explanation(self.decisions)

    def __repr__(self) -> str:
        return f"ReplicaController({self.replicas})"

    def _limit(self, name: str) -> int:
        if isinstance(self._maximum, Mapping):
            return self._maximum.get(name, LIMIT)
        return LIMIT if self._maximum is None else self._maximum


def candidate_of(place: int, given: object) -> Candidate:
    """Check what was given as a candidate.

    >>> candidate_of(0, {"name": "a"})
    Traceback (most recent call last):
        ...
    penstock.errors.SettingError: candidates[0] is {'name': 'a'}; it needs 'name' and \
'input_blocked', and may have 'output_blocked' and 'replicable'
    """
    if isinstance(given, Candidate):
        return given
    fields: dict[str, Any] | None = None
    if isinstance(given, Mapping):
        fields = {str(key): value for key, value in given.items()}
    elif isinstance(given, Sequence) and not isinstance(given, str) and len(given) <= len(FIELDS):
        fields = dict(zip(FIELDS, given, strict=False))
    if fields is None or not {*FIELDS[:2]} <= {*fields} <= {*FIELDS}:
        raise SettingError(
            f"candidates[{place}] is {given!r}; it needs 'name' and 'input_blocked', and may have "
            "'output_blocked' and 'replicable'"
        )
    return Candidate(**fields)


def _as_native(given: Candidate) -> _native.Candidate:
    if not isinstance(given.name, str):
        raise SettingError(f"the name of a candidate is {given.name!r}; it must be text")
    of = f"of operator '{given.name}'"
    return _native.Candidate(
        given.name,
        _ratios(f"input_blocked {of}", given.input_blocked),
        _ratios(f"output_blocked {of}", given.output_blocked),
        yes_or_no(f"replicable {of}", given.replicable),
    )


def _ratios(name: str, given: object) -> list[float]:
    if isinstance(given, Sequence) and not isinstance(given, str):
        return [number(name, each) for each in given]
    return [number(name, given)]
