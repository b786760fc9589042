"""Dictionaries that others may see, and values that keys may share."""

from __future__ import annotations

import pytest
from tests.python.discovery.classes import COLUMNS, Case, module, operator

from penstock.discovery import discover

KEEP = "self.last[row.k] = 1"
ADD = "self.last[row.k].append(1)"
DEFAULT = "from collections import defaultdict"
SERIAL = [
    # Where the dictionary comes from.
    Case(
        "a dictionary under two names",
        "self.a[row.k] = 1  # <-",
        "the same dictionary as 'b'",
        init="self.a = self.b = {}",
    ),
    Case(
        "entries from the start",
        "self.last[row.k] = 1  # <-",
        "which does not start empty",
        init="self.last = {'a': 1}",
    ),
    Case(
        "a table of lists",
        "self.last[row.k].append(1)  # <-",
        "which does not start empty",
        init="self.last = {'a': []}",
    ),
    Case(
        "a global dictionary",
        KEEP,
        "shows 'last' to others, or does not make it anew",
        init="self.last = ALL  # <-",
        before="ALL = {}",
    ),
    Case(
        "a dictionary by a local",
        KEEP,
        "shows 'last' to others, or does not make it anew",
        init="last = {}\nself.last = last  # <-\nALL.append(last)",
        before="ALL = []",
    ),
    Case(
        "a dictionary with two targets",
        KEEP,
        "shows 'last' to others",
        init="self.last = x = {}  # <-\nALL.append(x)",
        before="ALL = []",
    ),
    Case(
        "a dictionary from a function",
        KEEP,
        "shows 'last' to others",
        init="self.last = make()  # <-",
        before="ALL = {}\ndef make(): return ALL",
    ),
    Case(
        "a dictionary that is shown",
        KEEP,
        "shows 'last' to others",
        init="self.last = {}\nALL.append(self.last)  # <-",
        before="ALL = []",
    ),
    Case(
        "an operator that is shown",
        KEEP,
        "lets the operator itself out of sight",
        init="self.last = {}\nALL.append(self)  # <-",
        before="ALL = []",
    ),
    Case(
        "an operator shown by a method",
        KEEP,
        "uses 'show', which may show 'last' to others",
        init="self.last = {}\nself.show()  # <-",
        before="ALL = []",
        members="def show(self): ALL.append(self)",
    ),
    Case(
        "an operator shown by its dictionary",
        KEEP,
        "uses '__dict__', which may show 'last'",
        init="self.last = {}\nALL.append(self.__dict__)  # <-",
        before="ALL = []",
    ),
    Case(
        "a shadowed dict",
        KEEP,
        "shows 'last' to others, or does not make it anew",
        init="self.last = dict()  # <-",
        before="ALL = {}\ndef dict(): return ALL",
    ),
    Case(
        "a dictionary that a base shows",
        KEEP,
        "line 5 of Base.__init__, `ALL.append(self.last)`",
        init="super().__init__()",
        bases="(Base)",
        before="ALL = []\nclass Base:\n    def __init__(self):\n        self.last = {}\n        ALL.append(self.last)",
    ),
    # What a defaultdict makes.
    Case(
        "a factory of a shared list",
        ADD,
        "reads the global 'ALL'",
        init="self.last = defaultdict(lambda: ALL)  # <-",
        before=f"{DEFAULT}\nALL = []",
    ),
    Case(
        "a factory that captures",
        ADD,
        "captures 'one' from the function around it",
        init="one = []\nself.last = defaultdict(lambda: one)  # <-",
        before=DEFAULT,
    ),
    Case(
        "a factory with a mutable default",
        ADD,
        "a default that rows of all keys would share",
        init="self.last = defaultdict(lambda one=[]: one)",
        before=DEFAULT,
    ),
    Case(
        "a factory without source",
        "self.last[row.k].append(1)  # <-",
        "whose values nothing is known of",
        init="self.last = defaultdict(iter([[]]).__next__)",
        before=DEFAULT,
    ),
    Case(
        "a factory that is a class",
        "self.last[row.k].append(1)  # <-",
        "whose values nothing is known of",
        init="self.last = defaultdict(Other)",
        before=f"{DEFAULT}\nclass Other: pass",
    ),
    Case(
        "a factory with a shared argument",
        "self.last[row.k].append(1)  # <-",
        "whose values nothing is known",
        init="self.last = defaultdict(partial(dict, x=[]))",
        before=f"{DEFAULT}\nfrom functools import partial",
    ),
    Case(
        "a factory that is part of a class",
        "self.last[row.k].append(1)  # <-",
        "whose values nothing is known of",
        init="self.last = defaultdict(partial(Other))",
        before=f"{DEFAULT}\nfrom functools import partial\nclass Other: pass",
    ),
    Case(
        "a factory of generators",
        "next(self.last[row.k])  # <-",
        "which makes generators",
        init="self.last = defaultdict(make)",
        before=f"{DEFAULT}\ndef make():\n    yield 1",
    ),
    Case(
        "an operator shown by a private method",
        KEEP,
        "uses '__show', which may show 'last' to others",
        init="self.last = {}\nself.__show()  # <-",
        before="ALL = []",
        members="def __show(self): ALL.append(self)",
    ),
    Case(
        "a factory that counts",
        ADD,
        "can change a global",
        init="self.last = defaultdict(up)",
        before=f"{DEFAULT}\nn = 0\ndef up():\n    global n\n    return n",
    ),
    Case(
        "two factories in one line",
        ADD,
        "is not what was compiled",
        init="self.last = defaultdict(lambda: [] if (lambda: 1) else [])",
        before=DEFAULT,
    ),
    Case(
        "a defaultdict read by another column",
        "self.last[row.k] = self.last[row.j]",
        "but line",
        init="self.last = defaultdict(int)",
        before=DEFAULT,
    ),
]


@pytest.mark.parametrize("case", SERIAL, ids=lambda case: case.about)
def test_a_class_stays_serial_with(case: Case) -> None:
    found = case.discover()
    assert (found.key, found.stores) == (None, ()), found.reason
    where = f"line {case.line()} of " if case.line() else ""
    assert found.reason.startswith(f"serial: {where}")
    assert case.reason in found.reason


def test_a_dictionary_put_in_from_outside_stays_serial() -> None:
    made = operator(Case("", KEEP, init="pass").source())
    made.last = {}  # type: ignore[attr-defined]
    found = discover(made, COLUMNS)
    assert found.reason == "serial: 'last' is a dictionary that Op.__init__ does not make"


DATACLASS = """
from dataclasses import dataclass, field

@dataclass
class Op:
    limit: int = 3
    last: dict = field(default_factory=dict{init})

    def process(self, row):
        if row.v > self.limit:
            self.last[row.k] = row.v
"""


def test_a_dataclass_that_makes_its_dictionary_is_keyed() -> None:
    source = DATACLASS.format(init=", init=False")
    assert discover(module(source)["Op"](5), COLUMNS).key == ("k",)


def test_a_dataclass_that_may_be_handed_its_dictionary_stays_serial() -> None:
    found = discover(operator(DATACLASS.format(init="")), COLUMNS)
    assert found.reason == (
        "serial: 'last' can be handed in; declare it with field(..., init=False)"
    )
