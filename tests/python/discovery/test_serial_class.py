"""Classes that are not what they look like."""

from __future__ import annotations

import pytest
from tests.python.discovery.classes import COLUMNS, Case, operator

from penstock.discovery import discover

KEEP = "self.last[row.k] = 1"
SERIAL = [
    # The class.
    Case("getattr", KEEP, "Op defines __getattr__", members="def __getattr__(self, n): return 1"),
    Case(
        "setattr",
        KEEP,
        "Op defines __setattr__",
        members="def __setattr__(self, n, v):\n    self.__dict__[n] = v",
    ),
    Case("slots", KEEP, "Op defines __slots__", members="__slots__ = ('last',)"),
    Case(
        "a copy of its own",
        KEEP,
        "Op defines __reduce__",
        members="def __reduce__(self): return Op, ()",
    ),
    Case(
        "a deep copy of its own",
        KEEP,
        "Op defines __deepcopy__",
        members="def __deepcopy__(self, m): return self",
    ),
    Case(
        "a special name of a base",
        KEEP,
        "Base defines __getstate__",
        bases="(Base)",
        before="class Base:\n    def __getstate__(self): return {}",
    ),
    Case("a dictionary of its own", KEEP, "Op defines __dict__", members="__dict__ = {}"),
    Case(
        "a metaclass",
        KEEP,
        "Op has the metaclass Meta",
        bases="(metaclass=Meta)",
        before="class Meta(type): pass",
    ),
    Case(
        "a base without source",
        KEEP,
        "Op derives from dict, which has no Python source",
        bases="(dict)",
    ),
    Case(
        "a property",
        "self.last[row.k] = self.n  # <-",
        "reads 'n', a property of the class",
        members="@property\ndef n(self): return 1",
    ),
    Case(
        "a mutable attribute of the class",
        "self.all[row.k] = 1  # <-",
        "which all instances share",
        members="all = {}",
    ),
    Case(
        "a class method",
        "self.last[row.k] = self.f()  # <-",
        "reads 'f', a classmethod of the class",
        members="@classmethod\ndef f(cls): return 1",
    ),
    Case(
        "a method replaced in the object",
        "self.last[row.k] = self.f()  # <-",
        "which the object and its class both define",
        init="self.last = {}\nself.f = print",
        members="def f(self): return 1",
    ),
    Case(
        "process replaced in the object",
        KEEP,
        "which the object and its class both define",
        init="self.last = {}\nself.process = print",
    ),
    Case(
        "a subclass of dict as state",
        "self.last[row.k] = 1  # <-",
        "a Loud, which rows of all keys",
        init="self.last = Loud()",
        before="class Loud(dict): pass",
    ),
]


@pytest.mark.parametrize("case", SERIAL, ids=lambda case: case.about)
def test_a_class_stays_serial_with(case: Case) -> None:
    found = case.discover()
    assert (found.key, found.stores) == (None, ()), found.reason
    where = f"line {case.line()} of " if case.line() else ""
    assert found.reason.startswith(f"serial: {where}")
    assert case.reason in found.reason


@pytest.mark.parametrize(
    "process",
    [
        "",
        "def process(self): pass",
        "process = 1",
        "def process(self, row, more): pass",
        "def process(self, *row): pass",
        "def process(self, row, seen=[]): pass",
        "def process(self, row, **more): pass",
        "def process(self, row, *, more): pass",
        "async def process(self, row): pass",
        "@staticmethod\n    def process(self, row): pass",
        "@property\n    def process(self): return print",
    ],
)
def test_what_cannot_be_called_with_a_row_stays_serial(process: str) -> None:
    assert discover(operator(f"class Op:\n    x = 1\n    {process}"), COLUMNS).key is None


@pytest.mark.parametrize("thing", [3, None, print, len, dict, {}, Case, lambda row: row])
def test_what_is_no_operator_stays_serial(thing: object) -> None:
    assert discover(thing, COLUMNS).key is None
