"""What is known without looking at its source: values that cannot change, functions without memory.

A trusted function changes nothing but its arguments and reads nothing else that can change. So
the clock, random numbers, files and the network are not here, nor is anything that reaches into
other objects by name, such as `getattr`, `type` or `vars`.
"""

from __future__ import annotations

import bisect
import builtins
import collections
import datetime
import decimal
import fractions
import functools
import heapq
import itertools
import math
import re
import statistics
from types import ModuleType, NoneType


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


BUILTINS = words(
    "abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter "
    "float format frozenset hex int isinstance iter len list map max min next oct ord pow "
    "range repr reversed round set slice sorted str sum tuple zip"
) | {name for name, it in vars(builtins).items() if type(it) is type and issubclass(it, Exception)}
MEMBERS: dict[ModuleType, frozenset[str]] = {
    math: frozenset(name for name in vars(math) if not name.startswith("_")),
    collections: words("Counter OrderedDict defaultdict deque"),
    datetime: words("date datetime time timedelta timezone"),
    decimal: frozenset({"Decimal"}),
    fractions: frozenset({"Fraction"}),
    heapq: words("heapify heappop heappush heappushpop heapreplace nlargest nsmallest"),
    bisect: words("bisect bisect_left bisect_right insort insort_left insort_right"),
    itertools: frozenset({"accumulate", "chain", "islice"}),
    statistics: words("fmean mean median pstdev pvariance stdev variance"),
    re: words("findall fullmatch match search split sub"),
}
# They are done with a generator or lambda when they return: nothing is left for a later row.
EAGER = frozenset(
    id(it)
    for it in (
        *(all, any, dict, frozenset, list, max, min, next, set, sorted, sum, tuple),
        *(collections.Counter, collections.deque, heapq.nlargest, heapq.nsmallest, re.sub),
    )
)
# They return an iterator that computes only when it is asked.
LAZY_MAKERS = frozenset(
    id(it)
    for it in (
        *(enumerate, filter, iter, map, reversed, zip),
        *(itertools.accumulate, itertools.chain, itertools.islice),
    )
)
# The dictionaries that can hold state: exactly these, as a subclass may do anything.
STORES = (dict, collections.defaultdict, collections.Counter, collections.OrderedDict)
FACTORIES = (
    *(bool, bytes, dict, float, frozenset, int, list, set, str, tuple, decimal.Decimal),
    *(collections.Counter, collections.OrderedDict, collections.deque),
)
# Attributes of anything that read the clock.
CLOCKS = frozenset({"now", "today", "utcnow"})

_TRUSTED = frozenset(
    id(vars(module)[name])
    for module, names in [(builtins, BUILTINS), *MEMBERS.items()]
    for name in names
    if callable(vars(module)[name])
)
_UNCHANGING = frozenset(
    (
        *(NoneType, bool, int, float, complex, str, bytes, range, type(...), re.Pattern),
        *(datetime.date, datetime.timedelta, datetime.timezone, decimal.Decimal),
        fractions.Fraction,
    )
)


def is_trusted(thing: object) -> bool:
    """Whether it is a function or type that remembers nothing."""
    return id(thing) in _TRUSTED


def is_unchanging(value: object) -> bool:
    """Whether nobody can change the value or anything it holds."""
    kind = type(value)
    if kind is tuple or kind is frozenset:
        return all(map(is_unchanging, value))  # type: ignore[call-overload]
    if kind is datetime.datetime or kind is datetime.time:
        return is_unchanging(value.tzinfo)  # type: ignore[attr-defined]
    return kind in _UNCHANGING


def makes_anew(factory: object) -> bool:
    """Whether a `default_factory` makes a value of its own at each call, as far as is known."""
    if type(factory) is functools.partial:
        given = (*factory.args, *factory.keywords.values())
        known = any(factory.func is it for it in FACTORIES)
        return known and all(map(is_unchanging, given)) and not vars(factory)
    return factory is None or any(factory is known for known in FACTORIES)
