"""Named stores from key to value: all that one operator remembers of its keys.

>>> stores = Stores("count", pa.schema([("host", pa.string())]))
>>> stores.create_store("seen", "bigint")
>>> stores.put("seen", "a", 2)
>>> stores.get("seen", "a"), stores.has("seen", "b")
(2, False)
>>> stores.to_arrow().to_pylist()
[{'host': 'a', 'seen': {'value': 2}}]

In Arrow there is a row for each key: the key columns, then a column for each store, which is null
where the key has no value in it and a struct with the value otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import FlowError, did_you_mean
from penstock.schema import type_name
from penstock.state.keys import Keys
from penstock.state.of_key import Scope
from penstock.state.value_type import ValueType
from penstock.typed_array import UNFIT

Persistence: TypeAlias = Literal["transient", "checkpointed"]

# (keys as a batch, channels) -> the channel of each.
ChannelsOf: TypeAlias = Callable[[pa.RecordBatch, int], Sequence[int]]


@dataclass(slots=True)
class Store:
    """One store of an operator; its keys are as `Keys` remembers them."""

    name: str
    type: ValueType
    persistence: Persistence
    values: dict[Any, Any] = field(default_factory=dict)


class Stores:
    """The stores of one operator, or of one channel of it.

    Keys are compared as the engine compares them: null is a key of its own, all NaN are one, and
    -0.0 is 0.0. One thread at a time.

    Attributes:
        operator: Name of the operator, for messages.
        keys: Its key columns.
    """

    def __init__(self, operator: str, keys: pa.Schema) -> None:
        self.operator = operator
        self.keys = Keys(keys)
        self._stores: dict[str, Store] = {}
        self._scope: Scope | None = None

    def tie_to(self, scope: Scope) -> None:
        """Restrict what an operator can do that runs: to its stores, and to the row's own key.

        Several channels share the keys out and must remember the same about them.
        """
        self._scope = scope

    def create_store(
        self, name: str, value_type: Any, persistence: Persistence = "transient"
    ) -> None:
        """Add an empty store.

        Args:
            name: Unique among the stores and the key columns.
            value_type: A DDL type such as `double` or `array<string>`, or a pyarrow type.
            persistence: `checkpointed` stores are meant to outlive the run, `transient` ones are
                not. Both move along when the number of channels changes.
        """
        self._check_free(
            "stores are declared in its class, not made while it runs; a state.Map takes names as "
            "they come"
        )
        _check_name(name)
        if name in self._stores or name in self.keys.schema.names:
            raise self._error(f"'{name}' is the name of another store or key column; rename it")
        if persistence not in get_args(Persistence):
            known = did_you_mean(str(persistence), get_args(Persistence))
            raise self._error(f"store '{name}' cannot be {persistence!r}; {known}")
        try:
            self._stores[name] = Store(name, ValueType.of(value_type), persistence)
        except FlowError as error:
            raise self._error(f"store '{name}': {error}") from None

    def adopt_store(self, name: str, value_type: ValueType, values: dict[Any, Any]) -> None:
        """Add a store that is somebody's dictionary, whose keys are as `keys` has them."""
        self._stores[name] = Store(name, value_type, "transient", values)

    def remove_store(self, name: str) -> None:
        """Forget a store and all that it holds."""
        self._check_free(
            "stores are declared in its class, and stay while it runs; remove() forgets what there "
            "is of the row's own key"
        )
        self.store(name)
        del self._stores[name]

    def put(self, store: str, key: Any, value: Any) -> None:
        """Remember a value of a key; one that is there is replaced."""
        found = self.store(store)
        try:
            fitted = found.type.fitted(value)
        except FlowError as error:
            raise self._error(f"store '{store}': {error}") from None
        found.values[self._key(store, key)] = fitted

    def get(self, store: str, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default."""
        return self.store(store).values.get(self._key(store, key), default)

    def has(self, store: str, key: Any) -> bool:
        """Whether the key has a value, be it null."""
        return self._key(store, key) in self.store(store).values

    def remove(self, store: str, key: Any) -> None:
        """Forget the value of a key, if there is one."""
        self.store(store).values.pop(self._key(store, key), None)

    def iterate(self, store: str) -> Iterator[tuple[Any, Any]]:
        """Every key and its value, as they are when it is called; not in an operator that runs."""
        self._check_free(
            "while it runs other keys may be on other channels; a state.Map or state.List can be "
            "iterated over, for the row's own key"
        )
        values = self.store(store).values
        return iter(list(zip(self.keys.shown(list(values)), values.values(), strict=True)))

    def store(self, name: str) -> Store:
        """The store of that name."""
        try:
            return self._stores[name]
        except KeyError:
            raise self._error(f"no store '{name}'; {did_you_mean(name, self._stores)}") from None

    def __iter__(self) -> Iterator[Store]:
        return iter(self._stores.values())

    def __len__(self) -> int:
        """How many keys have a value in any store."""
        return len(self._all_keys(self))

    @property
    def schema(self) -> pa.Schema:
        """Of what `to_arrow` returns."""
        return self._schema(self)

    def to_arrow(self, *, persistence: Persistence | None = None) -> pa.RecordBatch:
        """All that is remembered, or what the stores of one persistence do."""
        chosen = [store for store in self if persistence in (None, store.persistence)]
        return self._batch(self._all_keys(chosen), chosen)

    def from_arrow(self, rows: pa.RecordBatch | pa.Table) -> None:
        """Add what `to_arrow` returned here or elsewhere; known values of its keys are replaced."""
        batches = rows.to_batches() if isinstance(rows, pa.Table) else [rows]
        known = [*self.keys.schema.names, *self._stores]
        for name in rows.schema.names:
            if name not in known:
                raise self._error(f"no store is called '{name}'; {did_you_mean(name, known)}")
        if rows.schema.names[: len(self.keys.schema)] != self.keys.schema.names:
            raise self._error(
                f"key columns {self.keys.schema.names} must come first, got {rows.schema.names}"
            )
        for batch in batches:
            self._add(batch)

    def donate(self, channels: int, own: int, channels_of: ChannelsOf) -> _Donation:
        """What belongs to other channels than `own` when there are so many; still remembered."""
        keys = self._all_keys(self)
        names = self.keys.schema.names
        batch = pa.RecordBatch.from_arrays(self.keys.columns(keys), names=names)
        leaving: dict[int, list[Any]] = {}
        for key, channel in zip(keys, channels_of(batch, channels), strict=True):
            if channel != own:
                leaving.setdefault(channel, []).append(key)
        gone = [key for channel in sorted(leaving) for key in leaving[channel]]
        shares = [(channel, len(leaving[channel])) for channel in sorted(leaving)]
        return _Donation(self._batch(gone, list(self)), shares, gone)

    def forget(self, keys: Iterable[Any]) -> None:
        """Forget some keys, as `donate` named them, in every store."""
        for key in keys:
            for store in self:
                store.values.pop(key, None)

    def _all_keys(self, stores: Iterable[Store]) -> list[Any]:
        return list(dict.fromkeys(key for store in stores for key in store.values))

    def _schema(self, stores: Iterable[Store]) -> pa.Schema:
        fields = list(self.keys.schema)
        fields += [pa.field(s.name, pa.struct([("value", s.type.kind)])) for s in stores]
        return pa.schema(fields)

    def _batch(self, keys: Sequence[Any], stores: Sequence[Store]) -> pa.RecordBatch:
        columns = self.keys.columns(keys)
        columns += [self._column(store, keys) for store in stores]
        return pa.RecordBatch.from_arrays(columns, schema=self._schema(stores))

    def _column(self, store: Store, keys: Sequence[Any]) -> pa.Array:
        known = store.values
        try:
            values = store.type.array([known.get(key) for key in keys])
        except UNFIT:
            raise self._unfit(store, keys) from None
        absent = pa.array([key not in known for key in keys], pa.bool_())
        wrapped = [pa.field("value", store.type.kind)]
        return pa.StructArray.from_arrays([values], fields=wrapped, mask=absent)

    def _unfit(self, store: Store, keys: Sequence[Any]) -> FlowError:
        for key in keys:
            value = store.values.get(key)
            try:
                store.type.array([value])
            except UNFIT as error:
                return self._error(
                    f"store '{store.name}' holds {value!r} for key "
                    f"{self.keys.shown([key])[0]!r}, which is not {type_name(store.type.kind)}: "
                    f"{error}"
                )
        return self._error(f"store '{store.name}' is too large for one Arrow batch")

    def _add(self, batch: pa.RecordBatch) -> None:
        first = len(self.keys.schema)
        fields = zip(self.keys.schema, batch.columns, strict=False)
        keys = self.keys.of_columns([self._cast(f.name, column, f.type) for f, column in fields])
        for name, given in zip(batch.schema.names[first:], batch.columns[first:], strict=True):
            store = self.store(name)
            column = self._cast(name, given, pa.struct([("value", store.type.kind)]))
            values = store.type.values(pc.struct_field(column, "value"))
            held = column.is_valid().to_pylist()
            for key, value, has in zip(keys, values, held, strict=True):
                if has:  # one by one: a Counter would add up what it is updated with
                    store.values[key] = value

    def _cast(self, name: str, column: pa.Array, kind: pa.DataType) -> pa.Array:
        if column.type == kind:
            return column
        try:
            return column.cast(kind)
        except pa.ArrowException:
            raise self._error(f"column '{name}' must be {kind}, got {column.type}") from None

    def _key(self, store: str, key: Any) -> Any:
        try:
            found = self.keys.of_value(key)
        except FlowError as error:
            raise self._error(f"store '{store}': {error}") from None
        if self._scope is not None and found not in {self._scope.key}:
            raise self._error(
                f"store '{store}': {key!r} is not the key of the row at hand, and other keys may "
                "be on other channels"
            )
        return found

    def _check_free(self, otherwise: str) -> None:
        if self._scope is not None:
            raise self._error(otherwise)

    def _error(self, text: str) -> FlowError:
        return FlowError(f"state of operator '{self.operator}': {text}")


def _check_name(name: Any) -> None:
    if not (isinstance(name, str) and name):
        raise FlowError(f"a store needs a name, got {name!r}")


@dataclass(frozen=True)
class _Donation:
    """Rows for other channels: a batch, how many rows of it each gets in turn, and their keys."""

    batch: pa.RecordBatch
    shares: list[tuple[int, int]]
    keys: list[Any]
