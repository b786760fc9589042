"""State of the key of the row at hand, as an operator uses it while it runs."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator
from typing import Any

from penstock.errors import FlowError
from penstock.state.keys import canonical_floats
from penstock.state.value_type import ValueType


class Scope:
    """The key that the state belongs to at the moment; none outside of process()."""

    __slots__ = ("_nowhere", "key")

    def __init__(self, operator: str) -> None:
        self._nowhere = _NoKey(operator)
        self.key: Any = self._nowhere

    def leave(self) -> None:
        """Say that no row is at hand."""
        self.key = self._nowhere


class _NoKey:
    """Stands for the key where there is none: to look it up is the mistake that it reports."""

    def __init__(self, operator: str) -> None:
        self._operator = operator

    def __hash__(self) -> int:
        raise FlowError(
            f"operator '{self._operator}': state can be used only while process(row) runs, "
            "because the row says which key it belongs to"
        )


class StateOfKey:
    """What all kinds of state of the current key have in common."""

    __slots__ = ("_label", "_scope", "_type", "_values")

    def __init__(self, label: str, kind: ValueType, values: dict[Any, Any], scope: Scope) -> None:
        self._label = label
        self._type = kind
        self._values = values
        self._scope = scope

    def has(self) -> bool:
        """Whether there is anything for this key."""
        return self._scope.key in self._values

    def remove(self) -> None:
        """Forget what is known of this key."""
        if self._scope.key in self._values:
            del self._values[self._scope.key]

    def _fitted(self, kind: ValueType, value: Any) -> Any:
        if type(value) in kind.exact:
            return value
        try:
            return kind.fitted(value)
        except FlowError as error:
            raise FlowError(f"state '{self._label}': {error}") from None


class ValueOfKey(StateOfKey):
    """One value for each key."""

    __slots__ = ("_exact",)

    def __init__(self, label: str, kind: ValueType, values: dict[Any, Any], scope: Scope) -> None:
        super().__init__(label, kind, values, scope)
        self._exact = kind.exact

    def get(self, default: Any = None) -> Any:
        """The value, or the default."""
        return self._values.get(self._scope.key, default)

    def put(self, value: Any) -> None:
        """Remember a value in place of the one that was there."""
        if type(value) not in self._exact:
            value = self._fitted(self._type, value)
        self._values[self._scope.key] = value


class ListOfKey(StateOfKey):
    """A list for each key; one without items is as good as none."""

    __slots__ = ("_item",)

    def __init__(self, label: str, kind: ValueType, values: dict[Any, Any], scope: Scope) -> None:
        super().__init__(label, kind, values, scope)
        self._item = ValueType(kind.kind.value_type)

    def append(self, item: Any) -> None:
        """Add an item at the end."""
        if type(item) not in self._item.exact:
            item = self._fitted(self._item, item)
        items = self._values.get(self._scope.key)
        if items is None:
            self._values[self._scope.key] = [item]
        else:
            items.append(item)

    def put(self, items: Iterable[Any]) -> None:
        """Remember these items in place of those that were there."""
        made = [self._fitted(self._item, item) for item in items]
        if made:
            self._values[self._scope.key] = made
        else:
            self.clear()

    def get(self) -> list[Any]:
        """The items, as a list of your own."""
        return list(self._values.get(self._scope.key, ()))

    def clear(self) -> None:
        """Forget all items."""
        self.remove()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values.get(self._scope.key, ()))

    def __len__(self) -> int:
        return len(self._values.get(self._scope.key, ()))


class MapOfKey(StateOfKey):
    """A map for each key; one without entries is as good as none."""

    __slots__ = ("_entry", "_item")

    def __init__(self, label: str, kind: ValueType, values: dict[Any, Any], scope: Scope) -> None:
        super().__init__(label, kind, values, scope)
        self._entry = ValueType(kind.kind.key_type)
        self._item = ValueType(kind.kind.item_type)

    def get(self, entry: Any, default: Any = None) -> Any:
        """The value of an entry, or the default."""
        return self._entries().get(self._as_entry(entry), default)

    def put(self, entry: Any, value: Any) -> None:
        """Remember the value of an entry in place of the one that was there."""
        entry = self._as_entry(entry)
        value = self._fitted(self._item, value)
        if entry is None:
            raise FlowError(f"state '{self._label}': None cannot be an entry of a map")
        self._values.setdefault(self._scope.key, {})[entry] = value

    def has(self, *entry: Any) -> bool:
        """Whether there is this entry; without one, whether there is any."""
        return self._as_entry(*entry) in self._entries() if entry else super().has()

    def remove(self, *entry: Any) -> None:
        """Forget this entry; without one, all of them."""
        if not entry:
            super().remove()
            return
        entries = self._entries()
        entries.pop(self._as_entry(*entry), None)
        if not entries:
            super().remove()

    def clear(self) -> None:
        """Forget all entries."""
        super().remove()

    def items(self) -> ItemsView[Any, Any]:
        """Entries and their values, in the order in which they came."""
        return self._entries().items()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries())

    def __len__(self) -> int:
        return len(self._entries())

    def __contains__(self, entry: object) -> bool:
        return self.has(entry)

    def _as_entry(self, entry: Any) -> Any:
        entry = self._fitted(self._entry, entry)
        return canonical_floats([entry])[0] if type(entry) is float else entry

    def _entries(self) -> dict[Any, Any]:
        found: dict[Any, Any] = self._values.get(self._scope.key, {})
        return found
