"""How much memory stores take, and the end of it.

What is counted: for every store its dict, and for every key the key and its value, as
`sys.getsizeof` has it; of a list or map the items count as much as the first of them. Keys that
are in several stores count in each. Integers and short strings that Python shares count as if it
did not.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from penstock.errors import FlowError
from penstock.state.stores import Stores

NAMED = 3


class Limit:
    """Fails when stores have outgrown their limit.

    All keys are looked at once for as many rows as there are keys, so a row costs the same
    however many keys there are; in between as much can be added as those rows bring.
    """

    def __init__(
        self, stores: Stores, most_bytes: int, taken: dict[int, int] | None = None
    ) -> None:
        self._stores = stores
        self._most = most_bytes
        self._rows_left = 0
        # By limit: what the stores of all that share it took when they were looked at last.
        self._taken = {} if taken is None else taken

    def check(self, rows: int) -> None:
        """Say that some rows were worked on.

        Raises:
            FlowError: The stores take more than they may.
        """
        if self._most == 0:
            return
        self._rows_left -= rows
        if self._rows_left > 0:
            return
        self._rows_left = max((len(store.values) for store in self._stores), default=0)
        self.recount()
        # A copy: without a GIL another channel may be looked at for the first time meanwhile.
        taken = sum(self._taken.copy().values())
        if taken > self._most:
            raise self._exceeded(taken)

    def recount(self) -> None:
        """Look at all keys, because many came or went."""
        if self._most:
            self._taken[id(self)] = bytes_of(self._stores)

    def _exceeded(self, taken: int) -> FlowError:
        by_key: dict[Any, int] = {}
        for key, size in _sizes(self._stores):
            by_key[key] = by_key.get(key, 0) + size
        largest = heapq.nlargest(NAMED, by_key, key=by_key.__getitem__)
        shown = self._stores.keys.shown(largest)
        named = ", ".join(f"{k!r} ({by_key[r]})" for k, r in zip(shown, largest, strict=True))
        return FlowError(
            f"operator '{self._stores.operator}': what it remembers takes {taken} bytes, here for "
            f"{len(by_key)} keys, the largest {named}; spark.penstock.state.maxBytes allows "
            f"{self._most}: raise it, spread the keys over more tasks, or have fewer"
        )


def bytes_of(stores: Stores) -> int:
    """What stores take, in bytes."""
    dicts = sum(sys.getsizeof(store.values) for store in stores)
    return dicts + sum(size for _, size in _sizes(stores))


def _sizes(stores: Stores) -> Iterator[tuple[Any, int]]:
    for store in stores:
        for key, value in store.values.items():
            yield key, _size(key) + _size(value)


def _size(value: Any) -> int:
    size = sys.getsizeof(value)
    if isinstance(value, Mapping) and value:
        entry, item = next(iter(value.items()))
        return size + len(value) * (_size(entry) + _size(item))
    if isinstance(value, Collection) and not isinstance(value, (str, bytes)) and value:
        return size + len(value) * _size(next(iter(value)))
    return size
