"""Batch functions that go by keys, as they run: one instance with what it remembers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from penstock.bodies import checked
from penstock.errors import FlowError, did_you_mean
from penstock.functions import name_of, one_batch
from penstock.library.groups import KeyedGroups
from penstock.row_body import Outcome
from penstock.state.limit import Limit
from penstock.state.stores import Store


class GroupBody:
    """One running instance of an operator: nothing it remembers is seen by another.

    Attributes:
        stores: What it remembers of its keys.
        limit: Of the memory for that.
        finishes: It has nothing to do behind the last row.
    """

    finishes = False

    def __init__(
        self,
        operator: KeyedGroups,
        *,
        most_bytes: int = 0,
        taken: dict[int, int] | None = None,
        full_check: bool = False,
    ) -> None:
        self.stores = operator.stores()
        self.limit = Limit(self.stores, most_bytes, taken)
        self._places = operator.key_columns
        self._function = operator.function
        self._fit = checked(operator)
        self._full_check = full_check
        self._output = operator.output
        self._fields: list[Store] = list(self.stores)

    def process(self, batch: pa.RecordBatch) -> Outcome:
        """Work on the groups of a batch, in the order of their first rows, up to one that fails."""
        keys = self.stores.keys.of_columns([batch.column(place) for place in self._places])
        groups: dict[Any, list[int]] = {}
        for row, key in enumerate(keys):
            groups.setdefault(key, []).append(row)
        made: list[pa.RecordBatch] = []
        origins: list[int] = []
        failed_at, failure = batch.num_rows, None
        shown = self.stores.keys.shown(list(groups))
        for (key, rows), name in zip(groups.items(), shown, strict=True):
            try:
                of_group = self._call(key, name, _rows_of(batch, rows))
            except Exception as error:  # noqa: BLE001 - it is the user's, and told with its row
                failed_at, failure = rows[0], error
                break
            if of_group is not None and of_group.num_rows:
                made.append(of_group)
                aligned = of_group.num_rows == len(rows)
                origins += rows if aligned else [rows[-1]] * of_group.num_rows
        if failure is None:
            self.limit.check(batch.num_rows)
        return self._in_order(made, origins, failed_at, failure)

    def _call(self, key: Any, shown: Any, rows: pa.RecordBatch) -> pa.RecordBatch | None:
        if not self._fields:
            returned = self._function(shown, rows)
        else:
            record = Record({one.name: one.values.get(key) for one in self._fields})
            returned = self._function(shown, rows, record)
            self._remember(key, record)
        if returned is None:
            return None
        made = one_batch(returned, self._function, full_check=self._full_check)
        if made is None:
            return None
        made = self._fit(made)
        columns = [
            column if column.type == field.type else column.cast(field.type)
            for column, field in zip(made.columns, self._output, strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self._output)

    def _remember(self, key: Any, record: Record) -> None:
        fitted: list[Any] = []
        for store in self._fields:
            try:
                fitted.append(store.type.fitted(getattr(record, store.name)))
            except FlowError as error:
                raise FlowError(
                    f"{name_of(self._function)} set state.{store.name}: {error}"
                ) from None
        for store, value in zip(self._fields, fitted, strict=True):
            if value is None:
                store.values.pop(key, None)
            else:
                store.values[key] = value

    def _in_order(
        self,
        made: Sequence[pa.RecordBatch],
        origins: list[int],
        failed_at: int,
        failure: Exception | None,
    ) -> Outcome:
        """Put what the groups made into the order of the rows it stands for."""
        places = sorted(range(len(origins)), key=origins.__getitem__)
        places = [place for place in places if origins[place] < failed_at]
        if not places:
            return Outcome(None, [], failed_at, failure)
        batch = one_batch(made, self._function)
        if places != list(range(len(origins))):
            batch = pc.take(batch, pa.array(places, pa.int64()))
        return Outcome(batch, [origins[place] for place in places], failed_at, failure)


class Record:
    """What is known of a key: fields that are attributes, each None at first."""

    __slots__ = ("_values",)

    def __init__(self, values: dict[str, Any]) -> None:
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise self._unknown(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._values:
            raise self._unknown(name)
        self._values[name] = value

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{name}={value!r}' for name, value in self._values.items())})"

    def _unknown(self, name: str) -> AttributeError:
        return AttributeError(
            f"the state has no field '{name}'; {did_you_mean(name, self._values)}"
        )


def _rows_of(batch: pa.RecordBatch, rows: Sequence[int]) -> pa.RecordBatch:
    first, count = rows[0], len(rows)
    if rows[-1] - first + 1 == count:  # neighbours need not be copied
        return batch if count == batch.num_rows else batch.slice(first, count)
    return pc.take(batch, pa.array(rows, pa.int64()))
