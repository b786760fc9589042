"""Running aggregates: what is known of a row's key after that row.

>>> from penstock import agg
>>> given = pa.schema([("host", pa.string()), ("bytes", pa.int64())])
>>> total = RunningAggregate.over(given, "total", ["host"], {"total": agg.sum("bytes")})
>>> batch = pa.RecordBatch.from_pydict({"host": ["a", "b", "a"], "bytes": [1, 2, 3]}, given)
>>> total.process(batch)["total"].to_pylist()
[1, 2, 4]
>>> total.body
'running total = sum(bytes) by host'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa
from pyarrow import types as is_

from penstock.agg import Aggregate
from penstock.errors import FlowError, did_you_mean
from penstock.operators import Operator
from penstock.schema import quote, type_name

ROWS = -1
LEAST_LONG, MOST_LONG = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class RunningAggregate(Operator):
    """Adds a column for each aggregate over all rows of the same key so far."""

    by: tuple[str, ...]
    aggregates: tuple[Aggregate, ...]

    kind: ClassVar[str] = "keyed"
    native: ClassVar[bool] = True
    divides_itself: ClassVar[bool] = True

    @classmethod
    def over(
        cls, given: pa.Schema, name: str, by: Sequence[str], aggregates: Mapping[str, Aggregate]
    ) -> RunningAggregate:
        """Check keys and aggregates and build the operator."""
        check_keys(given, by)
        if not aggregates:
            raise FlowError("name at least one aggregate, as in running(total=agg.sum('bytes'))")
        output = given
        for column, made in aggregates.items():
            if not isinstance(made, Aggregate):
                raise FlowError(
                    f"{column}= must be an aggregate such as agg.sum('bytes'), got {made!r}"
                )
            if column in output.names:
                raise FlowError(f"column '{column}' is there already; give the aggregate another")
            field = pa.field(column, made.type_over(given), nullable=not made.is_count)
            output = output.append(field)
        return cls(name, given, output, tuple(by), tuple(aggregates.values()))

    @property
    def body(self) -> str:
        """What it does."""
        names = self.output.names[len(self.input) :]
        made = (f"{quote(n)} = {one}" for n, one in zip(names, self.aggregates, strict=True))
        return f"running {', '.join(made)} by {', '.join(map(quote, self.by))}"

    @property
    def key_columns(self) -> list[int]:
        """The keys by position."""
        return [self.input.get_field_index(name) for name in self.by]

    @property
    def functions(self) -> list[tuple[str, int]]:
        """Each aggregate's function, and its column by position."""
        return [
            (one.function, ROWS if one.column is None else self.input.get_field_index(one.column))
            for one in self.aggregates
        ]

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Apply it to a batch as if no row had come before: row by row, as it is defined."""
        of_columns = (map(as_key, batch.column(k).to_pylist()) for k in self.key_columns)
        keys = list(zip(*of_columns, strict=True))
        columns = list(batch.columns)
        for field, (function, place) in zip(
            list(self.output)[len(self.input) :], self.functions, strict=True
        ):
            values = [1] * len(keys) if place == ROWS else batch.column(place).to_pylist()
            columns.append(pa.array(_running(function, keys, values), field.type))
        return pa.RecordBatch.from_arrays(columns, schema=self.output)


def check_keys(given: pa.Schema, by: Sequence[str]) -> None:
    """Refuse what cannot be the key of a row."""
    if not by:
        raise FlowError(f"name at least one key column; {did_you_mean('', given.names)}")
    for column in by:
        if not isinstance(column, str):
            raise FlowError(f"key columns are given by name, got {column!r}")
        if column not in given.names:
            raise FlowError(f"unknown key column '{column}'; {did_you_mean(column, given.names)}")
        found = given.field(column).type
        if is_.is_nested(found):
            raise FlowError(
                f"key column '{column}' is {type_name(found)}, which cannot be a key; take a "
                "number, a string or another plain value out of it first"
            )
    if len(set(by)) != len(by):
        raise FlowError(f"a key column is named twice in {list(by)}")


def as_key(value: Any) -> Any:
    """A value as keys are compared: all NaN are one key, and -0.0 is 0.0."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value + 0.0
    return value


def _running(function: str, keys: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    step = STEPS[function]
    known: dict[Any, Any] = {}
    made: list[Any] = []
    for key, value in zip(keys, values, strict=True):
        if value is not None:
            known[key] = step.next(known[key], value) if key in known else step.first(value)
        made.append(step.made(known[key]) if key in known else step.of_none)
    return made


@dataclass(frozen=True)
class _Step:
    """An aggregate, value by value.

    Attributes:
        next: What is known, after one more value.
        first: What is known after the first.
        made: What that says.
        of_none: What no value says.
    """

    next: Callable[[Any, Any], Any]
    first: Callable[[Any], Any] = lambda value: value
    made: Callable[[Any], Any] = lambda known: known
    of_none: int | None = None


def _sum(total: Any, value: Any) -> Any:
    result = total + value
    if isinstance(result, int) and not LEAST_LONG <= result <= MOST_LONG:
        raise OverflowError(f"{total} + {value} does not fit into 64 bits")
    return result


def _is_larger(value: Any, than: Any) -> bool:
    if isinstance(value, float) and (math.isnan(value) or math.isnan(than)):
        return math.isnan(value) and not math.isnan(than)
    return bool(value > than)


@dataclass(frozen=True)
class _Moments:
    """Of some values: how many, their mean, and their squared distances from it."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def and_one(self, value: Any) -> _Moments:
        from_before = float(value) - self.mean
        mean = self.mean + from_before / (self.count + 1)
        squares = self.squares + from_before * (float(value) - mean)
        return _Moments(self.count + 1, mean, squares)

    @property
    def variance(self) -> float | None:
        return self.squares / (self.count - 1) if self.count > 1 else None

    @property
    def deviation(self) -> float | None:
        return None if self.variance is None else math.sqrt(self.variance)


STEPS: Mapping[str, _Step] = {
    "count": _Step(lambda count, _: count + 1, lambda _: 1, of_none=0),
    "sum": _Step(_sum),
    "mean": _Step(
        lambda known, value: (known[0] + float(value), known[1] + 1),
        lambda value: (float(value), 1),
        lambda known: known[0] / known[1],
    ),
    "min": _Step(lambda best, value: value if _is_larger(best, value) else best),
    "max": _Step(lambda best, value: value if _is_larger(value, best) else best),
    "var": _Step(_Moments.and_one, _Moments().and_one, lambda known: known.variance),
    "stddev": _Step(_Moments.and_one, _Moments().and_one, lambda known: known.deviation),
    "first": _Step(lambda first, _: first),
    "last": _Step(lambda _, value: value),
    # Exactly what the engine tells roughly.
    "approx_distinct": _Step(
        lambda seen, value: seen | {as_key(value)}, lambda value: {as_key(value)}, len, 0
    ),
}
