"""State as an operator declares it: typed, a store for each."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, cast

import pyarrow as pa

from penstock.errors import FlowError
from penstock.state.of_key import ListOfKey, MapOfKey, Scope, StateOfKey, ValueOfKey
from penstock.state.stores import Persistence, Stores
from penstock.state.value_type import ValueType

STORES = "_penstock_stores"

OfKey = TypeVar("OfKey", bound=StateOfKey)


class Declared(Generic[OfKey]):
    """State in the body of an operator's class.

    Attributes:
        kind: Type of what a key has.
        persistence: Whether it is meant to outlive the run.
    """

    of_key: type[OfKey]

    def __init__(self, kind: pa.DataType, persistence: Persistence) -> None:
        self.kind = kind
        self.persistence = persistence
        self._name = "state"
        self._owner = "the operator"

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner.__name__, name

    def __get__(self, instance: object, owner: type) -> OfKey:
        if instance is None:
            return cast("OfKey", self)
        raise FlowError(
            f"state '{self._name}' of {self._owner} is there only in a flow that runs, as in "
            f"flow.key_by(...).apply({self._owner}(...))"
        )


class Value(Declared[ValueOfKey]):
    """One value for each key: `get(default=None)`, `put(value)`, `has()` and `remove()`.

    Args:
        kind: A DDL type such as `double`, or a pyarrow type.
        persistence: `checkpointed` if it is meant to outlive the run, else `transient`.
    """

    of_key = ValueOfKey

    def __init__(self, kind: Any, *, persistence: Persistence = "transient") -> None:
        super().__init__(ValueType.of(kind).kind, persistence)


class List(Declared[ListOfKey]):
    """A list for each key: `append(item)`, `clear()`, `get()`, `put(items)`, `len` and `for`.

    Args:
        item: The type of an item.
        persistence: `checkpointed` if it is meant to outlive the run, else `transient`.
    """

    of_key = ListOfKey

    def __init__(self, item: Any, *, persistence: Persistence = "transient") -> None:
        super().__init__(pa.list_(ValueType.of(item).kind), persistence)


class Map(Declared[MapOfKey]):
    """A map for each key: `get`, `put`, `has` and `remove` of an entry, `items()`, `len`, `in`.

    Args:
        entry: The type of what the entries are found by.
        value: The type of their values.
        persistence: `checkpointed` if it is meant to outlive the run, else `transient`.
    """

    of_key = MapOfKey

    def __init__(self, entry: Any, value: Any, *, persistence: Persistence = "transient") -> None:
        kind = pa.map_(ValueType.of(entry).kind, ValueType.of(value).kind)
        super().__init__(kind, persistence)


def declared_by(operator: object) -> dict[str, Declared[Any]]:
    """The state that an operator's class declares, by name."""
    found: dict[str, Declared[Any]] = {}
    for owner in reversed(type(operator).__mro__):
        for name, value in vars(owner).items():
            if isinstance(value, Declared):
                found[name] = value
            else:
                found.pop(name, None)
    return found


def bind(operator: object, stores: Stores, scope: Scope) -> None:
    """Give an operator the state that it declares: a store for each, in `stores`."""
    attributes = getattr(operator, "__dict__", None)
    if attributes is None:
        raise FlowError(
            f"{type(operator).__name__} has __slots__ and no __dict__, which state needs; "
            "leave __slots__ out"
        )
    for name, declared in declared_by(operator).items():
        stores.create_store(name, declared.kind, declared.persistence)
        store = stores.store(name)
        label = f"{type(operator).__name__}.{name}"
        # Where the instance has an attribute of its own, no descriptor stands in the way.
        attributes[name] = declared.of_key(label, store.type, store.values, scope)
    attributes[STORES] = stores
    stores.tie_to(scope)


def stores_of(operator: object) -> Stores:
    """The stores of an operator by name, from within its process().

    Only the key of the row at hand can be read and written: others may be on other channels.
    """
    found = getattr(operator, "__dict__", {}).get(STORES)
    if not isinstance(found, Stores):
        raise FlowError(
            f"{type(operator).__name__} has no stores: it must be applied by key_by(...).apply(...)"
        )
    return found
