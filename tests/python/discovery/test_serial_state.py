"""Accesses to the state that cannot be split by key; the line that is marked is to be named."""

from __future__ import annotations

import pytest
from tests.python.discovery.classes import Case, operator

from penstock.discovery import discover

WHOLE = "uses 'last' as a whole"
NO_KEY = "touches 'last' by something other than columns of the row"
SHARED = "which rows of all keys would share"
SERIAL = [
    # What is remembered is no dictionary.
    Case("a count", "self.n += 1  # <-\nyield row", "changes 'n', which is not indexed by a key"),
    Case("an attribute", "self.before = row  # <-", "changes 'before', which is not indexed"),
    Case("an attribute deleted", "del self.last  # <-", "changes 'last', which is not indexed"),
    Case("a dictionary replaced", "self.last = {}  # <-", "changes 'last', which is not indexed"),
    Case("a loop over an attribute", "for self.x in [1]:  # <-\n    pass", "changes 'x'"),
    Case("a dictionary merged", "self.last |= {row.k: 1}  # <-", "changes 'last'"),
    Case("a list", "self.seen.append(1)  # <-", SHARED, init="self.seen = []"),
    Case("a list that is only read", "yield self.seen[0]  # <-", SHARED, init="self.seen = [1]"),
    Case("a tuple with a list", "yield self.seen  # <-", SHARED, init="self.seen = ([1],)"),
    Case("an object", "yield self.it.x  # <-", SHARED, init="self.it = Exception()"),
    Case("a generator", "yield next(self.it)  # <-", SHARED, init="self.it = iter([1])"),
    # The whole dictionary.
    Case("iterating", "for k in self.last:  # <-\n    yield k", WHOLE),
    Case("iterating in a comprehension", "yield [k for k in self.last]  # <-", WHOLE),
    Case("len", "yield len(self.last)  # <-", WHOLE),
    Case("added up", "n = 0\nn += len(self.last)  # <-", WHOLE),
    Case("truth", "if not self.last:  # <-\n    yield row", WHOLE),
    Case("values", "yield sum(self.last.values())  # <-", "calls 'values' on 'last' as a whole"),
    Case("clear", "self.last.clear()  # <-", "calls 'clear' on 'last' as a whole"),
    Case("popitem", "self.last.popitem()  # <-", "calls 'popitem' on 'last' as a whole"),
    Case("update", "self.last.update({row.k: 1})  # <-", "calls 'update' on 'last' as a whole"),
    Case("get with spread arguments", "self.last.get(*[row.k])  # <-", "calls 'get' on 'last'"),
    Case("setdefault by keyword", "self.last.pop(row.k, default=1)  # <-", "calls 'pop' on 'last'"),
    Case(
        "the order of insertion",
        "self.last.move_to_end(row.k)  # <-",
        "calls 'move_to_end' on 'last' as a whole",
        init="self.last = OrderedDict()",
        before="from collections import OrderedDict",
    ),
    Case("yielded", "yield self.last  # <-", WHOLE),
    Case("returned", "return [self.last]  # <-", WHOLE),
    Case("aliased", "last = self.last  # <-\nlast[row.k] = 1", WHOLE),
    Case("aliased by a walrus", "(last := self.last)[row.k] = 1  # <-", WHOLE),
    Case("spread", "yield {**self.last}  # <-", WHOLE),
    Case("compared", "yield self.last == {}  # <-", WHOLE),
    Case("compared with a column", "yield row.k == self.last  # <-", WHOLE),
    Case("looked for", "yield self.last in [1]  # <-", WHOLE),
    Case("formatted", "yield f'{self.last}'  # <-", WHOLE),
    Case("put into itself", "self.last[row.k] = self.last  # <-", WHOLE),
    Case("handed to a type's method", "dict.get(self.last, row.k)  # <-", WHOLE),
    Case("a bound method kept", "get = self.last.get  # <-\nget(row.k)", WHOLE),
    Case("as a default", "self.last.setdefault(row.k, self.last)  # <-", WHOLE),
    Case("matched", "match self.last:  # <-\n    case {'a': x}:\n        yield x", WHOLE),
    # The index.
    Case("a constant index", "self.last[0] = 1  # <-", NO_KEY),
    Case("a computed index", "self.last[row.k.lower()] = 1  # <-", NO_KEY),
    Case("a sum as index", "self.last[row.k + 1] = 1  # <-", NO_KEY),
    Case("a constant in the tuple", "self.last[row.k, 'x'] = 1  # <-", NO_KEY),
    Case("a column twice", "self.last[row.k, row.k] = 1  # <-", NO_KEY),
    Case("a tuple in a tuple", "self.last[(row.k, row.j), row.v] = 1  # <-", NO_KEY),
    Case("a slice", "self.last[row.k : row.j] = 1  # <-", NO_KEY),
    Case("an or", "self.last[row.k or row.j] = 1  # <-", NO_KEY),
    Case("one column or another", "self.last[row.k if row.v else row.j] = 1  # <-", NO_KEY),
    Case("a column of a former row", "b = self.last.get(row.k)\nself.last[b.k] = 1  # <-", NO_KEY),
    Case("a column by a variable", "n = 'k'\nself.last[row[n]] = 1  # <-", NO_KEY),
    Case("a key bound twice", "key = row.k\nkey = 0\nself.last[key] = 1  # <-", NO_KEY),
    Case("a key bound later", "key = row.k\nself.last[key] = 1  # <-\nkey = 0", NO_KEY),
    Case("a key changed", "key = row.k\nkey += 'x'\nself.last[key] = 1  # <-", NO_KEY),
    Case("a key bound by a walrus", "key = row.k\nself.last[key] = (key := 1)  # <-", NO_KEY),
    Case(
        "a key bound in a loop",
        "key = row.k\nfor key in [1]:\n    self.last[key] = 1  # <-",
        NO_KEY,
    ),
    Case("a key bound by unpacking", "key, *rest = row.k\nself.last[key] = 1  # <-", NO_KEY),
    Case(
        "a key bound in a comprehension",
        "key = row.k\nx = [(key := i) for i in range(2)]\nself.last[key] = 1  # <-",
        NO_KEY,
    ),
    Case(
        "a key bound by match",
        "key = row.k\nmatch row.v:\n    case [key]:\n        pass\nself.last[key] = 1  # <-",
        NO_KEY,
    ),
    Case(
        "a key bound by match with a name for the rest",
        "key = row.k\nmatch row.v:\n    case {**key}:\n        pass\nself.last[key] = 1  # <-",
        NO_KEY,
    ),
    Case(
        "a key bound by match with a star",
        "key = row.k\nmatch row.v:\n    case [*key]:\n        pass\nself.last[key] = 1  # <-",
        NO_KEY,
    ),
    Case(
        "a key bound by except",
        "key = row.k\ntry:\n    pass\nexcept KeyError as key:\n    self.last[key] = 1  # <-",
        NO_KEY,
    ),
    Case("a row bound anew", "row = self.last.get(row.k)  # <-\nself.last[row.k] = 1", NO_KEY),
    Case(
        "a comprehension's row",
        "yield [self.last[row.k] for row in row.v]  # <-",
        NO_KEY,
        init="self.last = defaultdict(int)",
        before="from collections import defaultdict",
    ),
    Case("an index into what is no row", "r = [row][0]\nself.last[r.k] = 1  # <-", NO_KEY),
    Case("an unknown column", "self.last[row.x] = 1  # <-", "whose columns are k, j, v, my col"),
    Case("an unknown column by name", "self.last[row['x']] = 1  # <-", "reads 'x' of the row"),
    Case("a column by number", "self.last[row[0]] = 1  # <-", "reads 0 of the row"),
    Case("a private column", "self.last[row.__k] = 1  # <-", "reads '__k' of the row"),
    Case("getattr", "self.last[getattr(row, 'k')] = 1  # <-", "uses 'getattr', of which nothing"),
    Case(
        "two keys in one dictionary",
        "self.last[row.k] = 1\nself.last[row.j] = 1  # <-",
        "indexes 'last' by row.j, but line 7 indexes 'last' by row.k",
    ),
    Case(
        "two keys in two dictionaries",
        "self.a[row.k] = 1\nyield row.j in self.b  # <-\nself.b[row.j] = 1",
        "indexes 'b' by row.j, but line 8 indexes 'a' by row.k",
        init="self.a = {}\nself.b = {}",
    ),
    Case(
        "columns the other way round",
        "self.last[row.k, row.j] = 1\nself.last[row.j, row.k] = 1  # <-",
        "indexes 'last' by (row.j, row.k), but",
    ),
    Case(
        "a column and a tuple of it",
        "self.last[row.k] = 1\nself.last[(row.k,)] = 1  # <-",
        "indexes 'last' by (row.k,), but",
    ),
    Case("the row changed", "row['v'] = 1  # <-\nself.last[row.k] = 1", "changes the row"),
    Case("the row's attribute changed", "row.v = 1  # <-\nself.last[row.k] = 1", "changes 'v'"),
    Case(
        "the key that a method may not return",
        "self.last[self.key(row)] = 1  # <-",
        NO_KEY,
        members="def key(self, r):\n    if r.v:\n        return r.k",
    ),
    Case(
        "a method with two keys",
        "self.last[self.key(row)] = 1  # <-",
        NO_KEY,
        members="def key(self, r):\n    if r.v:\n        return r.k\n    return r.j",
    ),
    Case(
        "a table that is written by another key",
        "self.last[row.k] = 1\nself.last.pop(row.j)  # <-",
        "indexes 'last' by row.j, but",
    ),
]


@pytest.mark.parametrize("case", SERIAL, ids=lambda case: case.about)
def test_a_class_stays_serial_with(case: Case) -> None:
    found = case.discover()
    assert (found.key, found.stores) == (None, ()), found.reason
    assert found.reason.startswith(f"serial: line {case.line()} of Op.process, `")
    assert case.reason in found.reason


def test_a_private_name_is_no_column_as_python_reads_another() -> None:
    made = operator(Case("", "self.last[row.__k] = 1").source())
    assert "reads '__k' of the row" in discover(made, ["__k"]).reason


def test_the_reason_names_the_line_and_shows_it() -> None:
    found = Case("", "yield row\nself.total += 1").discover()
    assert found.reason == (
        "serial: line 8 of Op.process, `self.total += 1`, changes 'total', "
        "which is not indexed by a key"
    )


def test_a_long_line_is_cut_short() -> None:
    found = Case("", "self.total = " + " + ".join(["row.v"] * 50)).discover()
    assert found.reason.endswith(
        "row.v + row.v + ...`, changes 'total', which is not indexed by a key"
    )
