"""Random operators, honest ones and others, and what it means that one can run by key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from hypothesis import strategies as st
from tests.python.discovery.classes import module

COLUMNS = ("k", "j", "v")
STORES = ("n", "w", "d")
HEAD = """
from collections import defaultdict
LIMIT = 3
SEEN = []

def twice(x):
    return 2 * x

def count(x):
    SEEN.append(x)
    return len(SEEN)

class Op:
    table = {"a": 1}

    def __init__(self):
        self.n = defaultdict(int)
        self.w = {}
        self.d = {}
        self.limit = 2
        self.total = 0
        self.shared = []
        self.it = iter(range(1000))

    def by_k(self, r):
        return r.k

    def perhaps(self, r):
        if r.v > 1:
            return r.k
        return r.j
"""
# Indices; KEY in what follows becomes one of them.
HONEST_KEYS = ("row.k", "row['k']", "key", "self.by_k(row)")
OTHER_KEYS = ("row.j", "(row.k, row.j)", "0", "row.k + 0", "other", "self.perhaps(row)")
VALUES = (
    "row.v",
    "1",
    "self.limit",
    "LIMIT",
    "twice(row.v)",
    "len([key for key in 'ab'])",
    "[row.v]",
)
HONEST = (
    "self.n[KEY] += VALUE",
    "self.d[KEY] = VALUE",
    "self.d[KEY] = row",
    "yield self.d.get(KEY)",
    "yield KEY in self.d",
    "self.d.pop(KEY, None)",
    "del self.d[KEY]",
    "window = self.w.setdefault(KEY, [])\nwindow.append(VALUE)\nyield window",
    "self.w[KEY] = [x for x in self.w.get(KEY, []) if x]",
    "self.w[KEY] = window = [VALUE]\nself.d[KEY] = window",
    "yield self.n[KEY], VALUE",
    "former = self.d.get(KEY)\nyield former",
    "for x in self.w.get(KEY, ()):\n    self.n[KEY] += x",
    "yield sorted(self.w.get(KEY, [0]), key=lambda x: -x)",
)
OTHERS = (
    "yield len(self.d)",
    "self.total += 1\nyield self.total",
    "yield list(self.w.values())",
    "key = row.j",
    "other = row.j\nself.n[other] += 1\nyield self.n[other]",
    "row = self.d.setdefault(KEY, row)\nself.n[row.j] += 1\nyield self.n[row.j]",
    "for key in (0, 1):\n    self.n[key] += 1\nyield self.n[key]",
    "x = [(key := i) for i in (0, 1)]\nself.n[key] += 1\nyield self.n[key]",
    "match row.v:\n    case key:\n        self.n[key] += 1\nyield self.n[key]",
    "self.d[KEY] = self.shared\nself.shared.append(1)\nyield self.shared",
    "yield next(self.it)",
    "yield count(row.v)",
    "SEEN.append(1)\nyield SEEN",
    "self.table['a'] += 1\nyield self.table['a']",
    "alias = self.n\nalias[0] += 1\nyield alias[0]",
    "me = self\nme.total += 1\nyield me.total",
    "former = self.d.get(KEY, row)\nself.n[former.j] += 1\nyield self.n[former.j]",
    "yield self.n[row.j]",
    "self.d.setdefault(0, []).append(1)\nyield self.d[0]",
    "self.w.update({KEY: [1]})\nyield next(iter(self.w))",
    "type(self).table['a'] += row.v\nyield self.table",
    "yield [self.n[row] for row in (0, 1)]\nself.n[0] += 1",
)
BLOCKS = (
    "if row.v > 1:\n{}",
    "if VALUE:\n    pass\nelse:\n{}",
    "for i in range(2):\n{}",
    "try:\n{}\nexcept KeyError:\n    yield 'missing'",
    "try:\n    yield self.d[KEY]\nfinally:\n{}",
)


@dataclass(frozen=True)
class Row:
    """A row, read by attribute or by name."""

    k: int
    j: int
    v: int

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


rows = st.lists(st.builds(Row, *(st.integers(0, 2) for _ in range(3))), min_size=4, max_size=24)


@st.composite
def statements(draw: st.DrawFn, depth: int = 2) -> str:
    """One statement, with its index and values filled in."""
    if depth and draw(st.integers(0, 3)) == 0:
        inner = draw(st.lists(statements(depth - 1), min_size=1, max_size=2))
        text = draw(st.sampled_from(BLOCKS)).format(indent("\n".join(inner), " " * 4))
    else:
        honest = draw(st.integers(0, 11)) > 0
        text = draw(st.sampled_from(HONEST if honest else OTHERS))
    honest = draw(st.integers(0, 19)) > 0
    text = text.replace("KEY", draw(st.sampled_from(HONEST_KEYS if honest else OTHER_KEYS)))
    return text.replace("VALUE", draw(st.sampled_from(VALUES)))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The source of a class `Op`."""
    body = ["key = row.k", *draw(st.lists(statements(), min_size=1, max_size=5)), "yield row"]
    return f"{HEAD}\n    def process(self, row):\n{indent(chr(10).join(body), ' ' * 8)}\n"


def outcome(operator: Any, given: Sequence[Row]) -> list[Any]:
    """What each row yields, copied at once as an engine does, or the error it ends with."""
    made = []
    for row in given:
        out: list[Any] = []
        try:
            out.extend(deepcopy(each) for each in operator.process(row))
        except (LookupError, TypeError, ValueError, AttributeError, UnboundLocalError) as error:
            out.append(type(error))
        made.append(out)
    return made


def state(operators: Sequence[Any]) -> dict[str, Any]:
    """All that operators remember, as if it were one operator."""
    merged: dict[str, Any] = {name: {} for name in STORES}
    for operator in operators:
        for name in STORES:
            merged[name].update(getattr(operator, name))
    return merged


def apart(source: str, given: Sequence[Row], key: Callable[[Row], Any]) -> tuple[Any, Any]:
    """Run an instance for each key, and put what they make together by row."""
    ones: dict[Any, Any] = {}
    made: list[Any] = [None] * len(given)
    for one in dict.fromkeys(map(key, given)):
        numbers = [n for n, row in enumerate(given) if key(row) == one]
        # A module of its own, as keys may run in different processes.
        ones[one] = module(source)["Op"]()
        for n, out in zip(numbers, outcome(ones[one], [given[n] for n in numbers]), strict=True):
            made[n] = out
    return made, state(list(ones.values()))


def together(source: str, given: Sequence[Row]) -> tuple[Any, Any]:
    """Run one instance over all rows."""
    operator = module(source)["Op"]()
    return outcome(operator, given), state([operator])
