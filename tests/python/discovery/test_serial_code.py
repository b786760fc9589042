"""Code that may reach what other keys see; the line that is marked is to be named."""

from __future__ import annotations

import pytest
from tests.python.discovery.classes import Case

UNKNOWN = "of which nothing is known"
LATER = "keeps code that runs later"
AWAY = "lets the operator itself out of sight"
KEEP = "\nself.last[row.k] = 1"
SERIAL = [
    # Names outside the class.
    Case("a global written", "global n  # <-\nn = 1", "can change a global", before="n = 0"),
    Case(
        "a mutable global", "seen.append(1)  # <-", "'seen', which may change", before="seen = []"
    ),
    Case(
        "a mutable global read",
        "yield seen[0]  # <-",
        "'seen', which may change",
        before="seen = [1]",
    ),
    Case(
        "a global set twice", "yield n  # <-", "set in more than one place", before="n = 0\nn = 1"
    ),
    Case(
        "a global that a function sets",
        "yield n  # <-",
        "set in more than one place",
        before="n = 0\ndef up():\n    global n\n    n += 1",
    ),
    Case("an unknown name", "yield nowhere  # <-", f"uses 'nowhere', {UNKNOWN}"),
    Case("a shadowed builtin", "yield abs(1)  # <-", "which may change", before="abs = [].append"),
    Case("a builtin shadowed later", "yield abs(1)  # <-", UNKNOWN, before="if 0:\n    abs = 1"),
    Case(
        "a comprehension's variable outside it",
        "[seen for seen in [1]]\nseen.append(1)  # <-",
        "'seen', which may change",
        before="seen = []",
    ),
    Case("a class", "yield Other(1)  # <-", "which may change", before="class Other: pass"),
    Case("its own class", "Op.n = 1  # <-", "which may change"),
    Case("an unknown module", "yield os.getpid()  # <-", "which may change", before="import os"),
    Case(
        "a module handed on", "yield math  # <-", "uses a module as a value", before="import math"
    ),
    Case("an unknown member", "yield collections.abc  # <-", UNKNOWN, before="import collections"),
    Case("the clock", "yield time.time()  # <-", "which may change", before="import time"),
    Case(
        "the clock of datetime",
        "yield datetime.now()  # <-",
        f"uses 'now', {UNKNOWN}",
        before="from datetime import datetime",
    ),
    Case("the clock by a value", "yield row.v.today()  # <-", f"uses 'today', {UNKNOWN}"),
    Case(
        "random numbers",
        "yield random()  # <-",
        "which may change",
        before="from random import random",
    ),
    Case("printing", "print(row)  # <-", f"uses 'print', {UNKNOWN}"),
    Case("a file", "open('x')  # <-", f"uses 'open', {UNKNOWN}"),
    Case("an import", "import os  # <-", "a statement of the kind 'import'"),
    # Ways round the analysis.
    Case("setattr", "setattr(self, 'n', 1)  # <-", f"uses 'setattr', {UNKNOWN}"),
    Case("vars", "vars(self)['n'] = 1  # <-", f"uses 'vars', {UNKNOWN}"),
    Case("eval", "eval('self.n')  # <-", f"uses 'eval', {UNKNOWN}"),
    Case("exec", "exec('self.n = 1')  # <-", f"uses 'exec', {UNKNOWN}"),
    Case("globals", "globals()['n'] = 1  # <-", f"uses 'globals', {UNKNOWN}"),
    Case("locals", "locals()['self']  # <-", f"uses 'locals', {UNKNOWN}"),
    Case("the type of a value", "type(row).n = 1  # <-", f"uses 'type', {UNKNOWN}"),
    Case("super", "super().process(row)  # <-", f"uses 'super', {UNKNOWN}"),
    Case(
        "a special name of a value", "row.v.__class__.n = 1  # <-", f"uses '__class__', {UNKNOWN}"
    ),
    Case("a special global", "yield __name__  # <-", "a private or special name"),
    Case("its own dictionary", "self.__dict__['n'] = 1  # <-", "a private or special name"),
    Case(
        "a mangled name", "yield self.__n  # <-", "a private or special name", init="self.__n = 1"
    ),
    Case(
        "a traceback",
        "try:\n    pass\nexcept KeyError as e:\n    yield e.__traceback__  # <-",
        UNKNOWN,
    ),
    Case(
        "a traceback by match",
        "match row.v:\n    case Exception(__traceback__=t):  # <-\n        yield t",
        "looks at a private or special name",
    ),
    Case("an attribute changed", "x = row.v\nx.n = 1  # <-", "changes 'n', an attribute"),
    Case("a format string", "yield row.v.format(row)  # <-", "calls 'format' of a text"),
    Case(
        "a format string that looks inside",
        "yield '{0.__class__}'.format(1)  # <-",
        "calls 'format'",
    ),
    Case("frames", "import sys  # <-\nsys._getframe()", "a statement of the kind 'import'"),
    # The operator itself.
    Case("self handed on", "yield self  # <-", AWAY),
    Case("self as an argument", "repr(self)  # <-", AWAY),
    Case("self stored", "self.last[row.k] = self  # <-", AWAY),
    Case("self in an alias", "me = self  # <-\nme.n = 1", AWAY),
    Case("self bound anew", "self.seen.append(1)\nself = row", "Op.process binds 'self' anew"),
    Case("self indexed", "yield self[0]  # <-", AWAY),
    Case("an item of self set", "self[0] = 1  # <-", AWAY),
    Case("self compared", "yield self in [1]  # <-", AWAY),
    Case("a method as a value", "f = self.process  # <-", "uses a function as a value"),
    Case(
        "a method mapped",
        "yield list(map(self.process, [row]))  # <-",
        "uses a function as a value",
    ),
    Case("an unset attribute", "yield self.nothing  # <-", "which Op.__init__ does not set"),
    Case("a setting called", "self.f()  # <-", UNKNOWN, init="self.f = 1"),
    Case("a column called", "row.v()  # <-", f"calls 'row.v', {UNKNOWN}"),
    Case("a value called", "row.v.x()()  # <-", f"calls something {UNKNOWN}"),
    Case("a local called", "f = self.last.get(row.k)\nf()  # <-", f"calls 'f', {UNKNOWN}"),
    # Code that runs later, or elsewhere.
    Case("a nested function", "def f():  # <-\n    pass", "defines a function inside a function"),
    Case("a nested class", "class C:  # <-\n    pass", "defines a class inside a function"),
    Case(
        "a lambda that captures self",
        "yield max([1], key=lambda x: self.n)  # <-",
        "captures 'self'",
    ),
    Case(
        "a lambda that captures a local",
        "n = [1]\nyield max(n, key=lambda x: n)  # <-",
        "captures 'n'",
    ),
    Case(
        "a lambda that captures a comprehension's variable",
        "yield [max([1], key=lambda x: n) for n in [1]]  # <-",
        "captures 'n' in a lambda",
    ),
    Case(
        "a lambda inside a lambda",
        "yield max([1], key=lambda x: max([1], key=lambda y: x))  # <-",
        "captures 'x' in a lambda",
    ),
    Case("a lambda that assigns", "yield max([1], key=lambda x: (y := x))  # <-", "assigns inside"),
    Case(
        "a lambda with a default", "yield max([1], key=lambda x, y=[]: y)  # <-", "plain parameters"
    ),
    Case("a lambda stored", "self.last[row.k] = lambda: 1  # <-", LATER),
    Case("a generator stored", "self.last[row.k] = (x for x in [1])  # <-", LATER),
    Case("an iterator stored", "self.last[row.k] = map(str, [1])  # <-", LATER),
    Case("a generator yielded", "yield (x for x in [1])  # <-", LATER),
    Case("a generator's local", "g = iter([1])  # <-", LATER),
    Case(
        "a method that is a generator stored",
        "self.last[row.k] = self.g()  # <-",
        LATER,
        members="def g(self):\n    yield 1",
    ),
    Case("what yield returns", "x = yield row  # <-", "an expression of the kind 'yield'"),
    Case("what yield from returns", "x = yield from []  # <-", "of the kind 'yieldfrom'"),
    Case("a context manager", "with row.v:  # <-\n    pass", "uses a context manager"),
    Case("assigning in a comprehension", "[0 for self.last[row.k] in [1]]  # <-", "assigns inside"),
    Case("a recursion", "self.process(row)", "Op.process calls itself"),
    Case(
        "spread arguments",
        "self.f(*[row])  # <-",
        "spreads arguments",
        members="def f(self, r): pass",
    ),
    Case(
        "spread keywords",
        "self.f(**{'r': row})  # <-",
        "spreads arguments",
        members="def f(self, r): pass",
    ),
    Case(
        "any number of arguments",
        "self.f(row)  # <-",
        "takes any number of arguments",
        members="def f(self, *r): pass",
    ),
    Case(
        "other arguments",
        "self.f(row, x=1)  # <-",
        "other arguments than it takes",
        members="def f(self, r): pass",
    ),
    Case(
        "too many arguments",
        "self.f(row, 1)  # <-",
        "other arguments than it takes",
        members="def f(self, r): pass",
    ),
    Case(
        "a mutable default",
        "self.f(row)  # <-",
        "a default that rows of all keys would share",
        members="def f(self, r, seen=[]):\n    seen.append(r)",
    ),
    Case(
        "a mutable default of a function",
        "f(row)  # <-",
        "a default that rows of all keys would share",
        before="def f(r, *, seen=[]):\n    seen.append(r)",
    ),
]
ELSEWHERE = [
    Case(
        "a method that counts",
        "self.f(row)" + KEEP,
        "of Op.f, `self.n += 1`, changes 'n'",
        members="def f(self, r):\n    self.n += 1",
    ),
    Case(
        "a method with another key",
        "self.last[row.k] = 1\nself.f(row)",
        "of Op.f, `self.last[r.j] = 1`",
        members="def f(self, r):\n    self.last[r.j] = 1",
    ),
    Case(
        "a function with a mutable global",
        "f(row)" + KEEP,
        "of f, `seen.append(r)`, reads the global",
        before="seen = []\ndef f(r):\n    seen.append(r)",
    ),
    Case(
        "a function of a function that prints",
        "f(row)" + KEEP,
        "of g, `print(r)`, uses 'print'",
        before="def f(r):\n    g(r)\ndef g(r):\n    print(r)",
    ),
    Case(
        "a decorated method",
        "self.f(row)" + KEEP,
        "reads 'f', a _lru_cache_wrapper of the class",
        members="@lru_cache\ndef f(self, r):\n    return r",
        before="from functools import lru_cache",
    ),
    Case(
        "a decorated function",
        "f(row)" + KEEP,
        "of f, `@same`, decorates it",
        before="def same(f):\n    return f\n@same\ndef f(r):\n    return r",
    ),
    Case(
        "functions that call each other",
        "f(row)" + KEEP,
        "f calls itself",
        before="def f(r):\n    g(r)\ndef g(r):\n    f(r)",
    ),
    Case(
        "an asynchronous method",
        "self.f(row)" + KEEP,
        "Op.f is asynchronous",
        members="async def f(self, r):\n    return r",
    ),
]


@pytest.mark.parametrize("case", SERIAL, ids=lambda case: case.about)
def test_a_class_stays_serial_with(case: Case) -> None:
    found = case.discover()
    assert (found.key, found.stores) == (None, ()), found.reason
    where = f"line {case.line()} of Op.process, `" if case.line() else ""
    assert found.reason.startswith(f"serial: {where}")
    assert case.reason in found.reason


@pytest.mark.parametrize("case", ELSEWHERE, ids=lambda case: case.about)
def test_a_class_stays_serial_because_it_calls(case: Case) -> None:
    found = case.discover()
    assert found.key is None, found.reason
    assert case.reason in found.reason
