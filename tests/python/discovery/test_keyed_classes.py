"""Classes whose state goes by a key, and what their explanation says."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.python.discovery.classes import Case

from penstock.discovery import discover

BY_K = "is always indexed by row.k"
KEYED = [
    Case("get and assign", "p = self.last.get(row.k)\nself.last[row.k] = row.v\nyield p", BY_K),
    Case("a column by its name", "self.last[row['k']] = row.v", BY_K),
    Case("both forms of the same column", "self.last[row.k] = self.last.get(row['k'], 0)", BY_K),
    Case("a column that is no identifier", "self.last[row['my col']] = 1", "by row['my col']"),
    Case("a tuple of columns", "self.last[row.k, row.j] = 1", "by (row.k, row.j)"),
    Case("a tuple by a local", "key = (row.k, row.j)\nself.last[key] = 1", "by (row.k, row.j)"),
    Case("a tuple of one column", "self.last[(row.k,)] = 1", "by (row.k,)"),
    Case("a key by a local", "key = row.k\nif key not in self.last:\n    self.last[key] = 1", BY_K),
    Case("locals unpacked", "a, b = row.k, row.v\nself.last[a] = b", BY_K),
    Case("a walrus", "if (key := row.k) in self.last:\n    del self.last[key]", BY_K),
    Case(
        "the same column on both ways", "k = row.k if row.v else row['k']\nself.last[k] = 1", BY_K
    ),
    Case("setdefault and pop", "self.last.setdefault(row.k, [])\nself.last.pop(row.k, None)", BY_K),
    Case(
        "a value that is changed in place",
        """
        window = self.last.setdefault(row.k, deque(maxlen=3))
        window.append(row.v)
        yield {"mean": sum(window) / len(window), "window": window}
        """,
        BY_K,
        before="from collections import deque",
    ),
    Case(
        "a defaultdict",
        "self.last[row.k].append(row.v)\nyield max(self.last[row.k])",
        BY_K,
        init="self.last = defaultdict(list)",
        before="from collections import defaultdict",
    ),
    Case(
        "a defaultdict with a lambda",
        "self.last[row.k][0] += row.v",
        BY_K,
        init="self.last = defaultdict(lambda: [0, 0])",
        before="from collections import defaultdict",
    ),
    Case(
        "a defaultdict with a partial",
        "self.last[row.k].append(row.v)",
        BY_K,
        init="self.last = defaultdict(partial(deque, maxlen=5))",
        before="from collections import defaultdict, deque\nfrom functools import partial",
    ),
    Case(
        "a Counter of an imported module",
        "self.last[row.k] += 1\nyield self.last[row.k]",
        BY_K,
        init="self.last = collections.Counter()",
        before="import collections",
    ),
    Case(
        "two dictionaries",
        "self.a[row.k] = row.v\nself.b[row.k] = 1",
        "states 'a' and 'b' are always indexed by row.k",
        init="self.a = {}\nself.b: dict = dict()",
    ),
    Case("a dictionary of dictionaries", "self.last.setdefault(row.k, {})[row.j] = row.v", BY_K),
    Case("a whole row as state", "yield self.last.get(row.k)\nself.last[row.k] = row", BY_K),
    Case(
        "settings that cannot change",
        "self.last[row.k] = self.limit",
        BY_K,
        "self.last = {}\nself.limit = (1, 'a')",
    ),
    Case("a setting of the class", "self.last[row.k] = self.limit", BY_K, members="limit = 3"),
    Case("a constant of the module", "self.last[row.k] = LIMIT", BY_K, before="LIMIT = 3"),
    Case(
        "a table that is only read, by another column",
        "self.last[row.k] = self.names.get(row.j, self.names['a'])",
        BY_K,
        init="self.last = {}\nself.names = {'a': 1}",
    ),
    Case(
        "a method that is given the row",
        "self.keep(row, value=row.v)\nyield from self.tell(row)",
        BY_K,
        members="""
        def keep(self, r, value, more=None):
            self.last[r.k] = value
        def tell(self, r):
            yield self.last[r['k']]
        """,
    ),
    Case(
        "a method that makes the key",
        "self.last[self.key(row)] = 1",
        "by (row.k, row.j)",
        members="def key(self, r):\n    return r.k, r.j",
    ),
    Case(
        "a function of the module",
        "self.last[row.k] = double(row.v)",
        BY_K,
        before="def double(x):\n    return FACTOR * x\nFACTOR = 2",
    ),
    Case(
        "a static method",
        "self.last[row.k] = self.double(row.v)",
        BY_K,
        members="@staticmethod\ndef double(x):\n    return 2 * x",
    ),
    Case(
        "known functions",
        "self.last[row.k] = math.sqrt(abs(row.v)) + sqrt(math.pi)",
        BY_K,
        before="import math\nfrom math import sqrt",
    ),
    Case("a lambda that captures nothing", "self.last[row.k] = max([1], key=lambda x: -x)", BY_K),
    Case(
        "comprehensions",
        "self.last[row.k] = [k for k in range(3)] + list(k for k in [row.k])",
        BY_K,
    ),
    Case(
        "a comprehension's variable of the row's name",
        "x = [row for row in range(3)]\nself.last[row.k] = x",
        BY_K,
    ),
    Case(
        "all sorts of statements",
        """
        try:
            total = self.last[row.k]
        except KeyError as missing:
            total = missing.args[0]
        finally:
            n = 0
        for i, x in enumerate(range(3)):
            while n < x:
                n += 1
            else:
                continue
        match row.v:
            case [first, *rest] | {"a": first, **rest} if rest:
                n = first
            case int(real=m) if m:
                n = m
            case bool() | str() as n:
                pass
            case None:
                raise ValueError(f"{row.v!r:>{n}}")
        assert n is not None, "{:.2f}".format(n)
        self.last[row.k] = total if n else -n
        """,
        BY_K,
    ),
    Case(
        "a method of a class it derives from",
        "self.keep(row)",
        BY_K,
        init="super().__init__()",
        bases="(Base)",
        before="""
        class Base:
            def __init__(self):
                self.last = {}
            def keep(self, row):
                self.last[row.k] = 1
        """,
    ),
]
STATELESS = [
    Case("no state at all", "if row.v > self.limit:\n    yield row", init="self.limit = 5"),
    Case("a table", "yield self.t[row.k], row.j in self.t", init="self.t = {'a': 1}"),
]


@pytest.mark.parametrize("case", KEYED, ids=lambda case: case.about)
def test_a_class_is_keyed_with(case: Case) -> None:
    found = case.discover()
    assert found.key is not None, found.reason
    assert found.reason.startswith(f"keyed by {', '.join(found.key)}: ")
    assert case.reason in found.reason
    assert found.stores
    assert all(f"'{name}'" in found.reason for name in found.stores)


@pytest.mark.parametrize("case", STATELESS, ids=lambda case: case.about)
def test_a_class_is_stateless_with(case: Case) -> None:
    found = case.discover()
    assert (found.key, found.stores) == ((), ())
    assert found.reason == "stateless: Op.process keeps nothing from one row to the next"


def test_the_key_and_the_dictionaries_are_told() -> None:
    found = Case("", "self.b[row.k, row.v] = 1", init="self.a = {}\nself.b = {}").discover()
    assert found.key == ("k", "v")
    assert found.stores == ("b",)
    assert found.reason == "keyed by k, v: state 'b' is always indexed by (row.k, row.v)"


def test_a_class_whose_objects_were_copied_is_as_good_as_before() -> None:
    class Last:
        def __init__(self) -> None:
            self.last: dict[Any, Any] = {}

        def process(self, row: Any) -> Any:
            self.last[row.a] = row.b

    operator = copy.deepcopy(Last())  # which leaves a cache of slot names in the class
    assert discover(operator, ["a", "b"]).key == ("a",)
