"""Patterns: sequences of rows of one key, within a time.

>>> steps_of("fail{3,} then ok")
[Step(predicate='fail', least=3, most=0, strict=False), \
Step(predicate='ok', least=1, most=1, strict=False)]
>>> import pyarrow.compute as pc
>>> from penstock import flow
>>> broken_in = flow("f", "user string, ts long, ok boolean").key_by("user").pattern(
...     "fail{3,} then ok", on="ts", within=60, fail=~pc.field("ok"), ok=pc.field("ok")
... )
>>> tries = {"user": ["eve"] * 5, "ts": [1, 2, 3, 4, 9], "ok": [False, False, False, False, True]}
>>> broken_in.run(pa.table(tries)).to_pylist()
[{'user': 'eve', 'first': 1, 'last': 9, 'rows': 5}]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.library.native_operator import NativeOperator
from penstock.library.spans import check_time, span_of
from penstock.library.two_sides import batch_of
from penstock.operators import Compute, Filter, Select, project
from penstock.running import as_key, check_keys
from penstock.schema import quote

STEP = re.compile(r"([A-Za-z_]\w*)(\+|\{\d+(?:,\d*)?\})?")
ANY = 0
MOST_ROWS = 64
MADE = ("first", "last", "rows")


class Step(NamedTuple):
    """Rows that follow each other in a pattern.

    Attributes:
        predicate: Name of what must be true of them.
        least: So many at least.
        most: So many at most; `ANY` for no limit.
        strict: Whether the first one is the very next row of the key.
    """

    predicate: str
    least: int
    most: int
    strict: bool


@dataclass(frozen=True)
class Pattern(NativeOperator):
    """Finds sequences of rows of a key."""

    by: tuple[str, ...]
    text: str
    steps: tuple[Step, ...]
    within: int | None
    span: str

    factory: ClassVar[str] = "pattern"
    kind: ClassVar[str] = "keyed"

    @classmethod
    def over(
        cls, given: pa.Schema, name: str, by: Sequence[str], text: str, within: Any
    ) -> Pattern:
        """Build the operator behind the one that computes the predicates."""
        time = given.field(len(by))
        limit = None if within is None else span_of("within", within, time.type)
        fields = [given.field(column) for column in by]
        fields += [time.with_name("first"), time.with_name("last"), pa.field("rows", pa.int64())]
        return cls(
            name,
            given,
            pa.schema(fields),
            tuple(by),
            text,
            tuple(steps_of(text)),
            limit,
            str(within),
        )

    @property
    def body(self) -> str:
        """What it does."""
        near = "" if self.within is None else f" within {self.span}"
        time = quote(self.input.field(len(self.by)).name)
        return f"pattern {self.text}{near} on {time} by {', '.join(map(quote, self.by))}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        names = self._predicates
        first = len(self.by) + 1
        return {
            "keys": [self.input.get_field_index(one) for one in self.by],
            "time": len(self.by),
            "predicates": [first + place for place in range(len(names))],
            "steps": [
                (names.index(step.predicate), step.least, step.most, step.strict)
                for step in self.steps
            ],
            "within": self.within,
        }

    @property
    def kept(self) -> Mapping[str, str]:
        """The key stays what it is."""
        return {one: one for one in self.by}

    @property
    def _predicates(self) -> list[str]:
        return list(dict.fromkeys(step.predicate for step in self.steps))

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Find the matches of a batch, as they are defined: by trying."""
        made: list[tuple[Any, ...]] = []
        seen: dict[Any, list[tuple[Any, set[str]]]] = {}
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            key, time = row[: len(self.by)], row[len(self.by)]
            if time is None:
                continue
            rows = seen.setdefault(tuple(map(as_key, key)), [])
            if rows and time < rows[-1][0]:
                raise ValueError("times descend within the rows of one key")
            true = zip(self._predicates, row[len(self.by) + 1 :], strict=True)
            rows.append((time, {name for name, is_true in true if is_true}))
            for first in range(len(rows)):
                if self._near(rows[first][0], time) and _matches(self.steps, rows[first:]):
                    made.append((*key, rows[first][0], time, len(rows) - first))
                    rows.clear()
                    break
        return batch_of(made, self)

    def _near(self, first: Any, last: Any) -> bool:
        if self.within is None:
            return True
        times = pa.array([first, last], self.input.field(len(self.by)).type)
        wide = times.cast(pa.int64() if times.type.bit_width == 64 else pa.int32())
        return bool(wide[1].as_py() - wide[0].as_py() <= self.within)


def predicates(
    given: pa.Schema, name: str, by: Sequence[str], *, text: Any, on: Any, named: Mapping[str, Any]
) -> Compute | Select:
    """Compute what must be true of rows, beside their key and time."""
    check_keys(given, by)
    check_time(given, "on", on)
    steps = steps_of(text)
    names = list(dict.fromkeys(step.predicate for step in steps))
    for one in names:
        if one not in named:
            raise FlowError(
                f"the pattern has a step '{one}', but nothing says what it is; give "
                f"{one}=pc.field(...) == ..."
            )
    for one in named:
        if one not in names:
            raise FlowError(f"{one}= is no step of the pattern; {did_you_mean(one, names)}")
    for one in by:
        if one in MADE:
            raise FlowError(
                f"column '{one}' would occur twice in the output; rename the key before"
            )
    if on in by:
        raise FlowError(f"on='{on}' is a column of the key, so it cannot order the rows of one")
    columns: list[tuple[str, Any]] = [(one, one) for one in (*by, on)]
    for one in names:
        Filter.over(given, one, named[one])  # it must be a boolean
        columns.append((f"{one}?", named[one]))
    return project(given, name, columns)


def steps_of(text: Any) -> list[Step]:
    """Read a pattern."""
    words = text.split() if isinstance(text, str) else []
    if len(words) % 2 == 0:
        raise FlowError(_not_a_pattern(text))
    steps = [_step(text, words[0], strict=False)]
    for separator, word in pairwise([*words[1:], ""]):
        if separator in {"then", "next"} and word:
            steps.append(_step(text, word, strict=separator == "next"))
    if len(steps) != (len(words) + 1) // 2:
        raise FlowError(_not_a_pattern(text))
    if sum(step.most or step.least for step in steps) > MOST_ROWS:
        raise FlowError(f"pattern {text!r} counts more than {MOST_ROWS} rows; use fewer")
    return steps


def _step(text: str, word: str, *, strict: bool) -> Step:
    found = STEP.fullmatch(word)
    if found is None or found[1] in {"then", "next"}:
        raise FlowError(_not_a_pattern(text))
    name, times = found[1], found[2] or "{1}"
    if times == "+":
        return Step(name, 1, ANY, strict)
    least, comma, most = times[1:-1].partition(",")
    step = Step(name, int(least), int(most) if most else ANY if comma else int(least), strict)
    if step.least < 1 or (most and step.most < step.least):
        raise FlowError(f"pattern {text!r}: {word} must be at least one row, and not fewer at most")
    return step


def _not_a_pattern(text: Any) -> str:
    return (
        f"{text!r} is not a pattern; write steps with 'then' (other rows may come between) or "
        "'next' (none may) between them, each a name and how often: 'fail{3,} then ok', 'a+', "
        "'a{2}', 'a{2,5}'"
    )


def _matches(steps: Sequence[Step], rows: Sequence[tuple[Any, set[str]]]) -> bool:
    """Whether the steps can be laid on the rows so that the first and the last are used."""
    last = len(rows) - 1

    def from_step(step: int, count: int, row: int) -> bool:
        """Row `row` was just taken as number `count` of a step."""
        here = steps[step]
        if row == last:
            return step == len(steps) - 1 and count >= here.least
        for later in range(row + 1, last + 1):
            true = rows[later][1]
            again = here.predicate in true and (here.most == ANY or count < here.most)
            if again and from_step(step, min(count + 1, here.most or here.least), later):
                return True
            if count >= here.least and step + 1 < len(steps):
                following = steps[step + 1]
                allowed = not following.strict or later == row + 1
                if allowed and following.predicate in true and from_step(step + 1, 1, later):
                    return True
        return False

    return steps[0].predicate in rows[0][1] and from_step(0, 1, 0)
