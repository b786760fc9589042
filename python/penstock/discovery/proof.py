"""The proof that an operator can run by key: every access to its state, and what they share."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType

from penstock.discovery.doubt import Doubt
from penstock.discovery.frame import Frame
from penstock.discovery.origin import check_origin
from penstock.discovery.result import Discovery
from penstock.discovery.scope import Scope
from penstock.discovery.source import short_name, source_of
from penstock.discovery.subject import Subject
from penstock.discovery.trusted import is_unchanging, makes_anew
from penstock.discovery.values import LAZY, OWN, ROW, SELF, Columns, Harmless, Self, Value


@dataclass(frozen=True)
class Access:
    """A place that touches one entry of a dictionary; the key is None if it is no column."""

    store: str
    key: Columns | None
    writes: bool
    scope: Scope
    node: ast.AST


class Proof:
    """Follows `process` and all that it calls; raises `Doubt` at the first thing unproven."""

    def __init__(self, operator: object, columns: Sequence[str]) -> None:
        self.columns = tuple(columns)
        self.subject = Subject(operator)
        self._accesses: list[Access] = []
        self._calls: dict[tuple[object, ...], Value | None] = {}

    def conclude(self) -> Discovery:
        """What has been proven of the operator."""
        process = self.subject.process()
        self.call(process, self.bound(process, [SELF, ROW], {}))
        by_store: dict[str, list[Access]] = defaultdict(list)
        for access in self._accesses:
            by_store[access.store].append(access)
        stores = [name for name, found in by_store.items() if not self._is_table(name, found)]
        if not stores:
            name = short_name(process)
            return Discovery((), (), f"stateless: {name} keeps nothing from one row to the next")
        for name in stores:
            self._check_store(name, by_store[name][0])
        key = self._common_key([a for a in self._accesses if a.store in stores])
        names = " and ".join(f"'{name}'" for name in stores)
        state = f"state {names} is" if len(stores) == 1 else f"states {names} are"
        return Discovery(
            key.names,
            tuple(stores),
            f"keyed by {', '.join(key.names)}: {state} always indexed by {key}",
            key.in_tuple,
        )

    def access(
        self, scope: Scope, node: ast.AST, store: str, key: Columns | None, writes: bool
    ) -> None:
        """Note that one entry of a dictionary is touched."""
        self._accesses.append(Access(store, key, writes, scope, node))

    def creates_entries(self, store: str) -> bool:
        """Whether reading an entry that is not there makes it."""
        return isinstance(self.subject.store(store), defaultdict)

    def bound(
        self,
        function: FunctionType,
        positional: Sequence[Harmless | Self],
        named: dict[str, Harmless],
    ) -> dict[str, Harmless | Self]:
        """The parameters of a function, with what they are given."""
        code, name = function.__code__, short_name(function)
        if code.co_flags & 0x0C:
            raise Doubt(f"calls {name}, which takes any number of arguments")
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        if not all(map(is_unchanging, defaults)):
            raise Doubt(f"calls {name}, which has a default that rows of all keys would share")
        if len(positional) > code.co_argcount or not set(named) <= set(names[len(positional) :]):
            raise Doubt(f"calls {name} with other arguments than it takes")
        given: dict[str, Harmless | Self] = dict.fromkeys(names, OWN)
        return given | dict(zip(names, positional, strict=False)) | named

    def call(self, function: FunctionType, given: dict[str, Harmless | Self]) -> Value:
        """What a call stands for; the function is gone through once for each kind of call."""
        call = (function, *given.items())
        if call not in self._calls:
            self._calls[call] = None
            self._calls[call] = self._follow(function, given)
        value = self._calls[call]
        if value is None:
            raise Doubt(f"{short_name(function)} calls itself")
        return value

    def _follow(self, function: FunctionType, given: dict[str, Harmless | Self]) -> Value:
        source = source_of(function)
        scope = Scope(function, source, given)
        if isinstance(source.node, ast.FunctionDef):
            for decorator in source.node.decorator_list:
                if not (isinstance(decorator, ast.Name) and decorator.id == "staticmethod"):
                    raise scope.doubt(decorator, "decorates it")
        return Frame(self, scope).run()

    def _is_table(self, name: str, found: list[Access]) -> bool:
        return not any(a.writes for a in found) and self.subject.is_table(name)

    def _check_store(self, name: str, first: Access) -> None:
        store = self.subject.store(name)
        if store:
            raise first.scope.doubt(first.node, f"uses '{name}', which does not start empty")
        check_origin(self.subject, name)
        factory = store.default_factory if isinstance(store, defaultdict) else None
        if makes_anew(factory):
            return
        if type(factory) is not FunctionType:
            raise first.scope.doubt(first.node, f"uses '{name}', whose values nothing is known of")
        if self.call(factory, self.bound(factory, [], {})) == LAZY:
            raise first.scope.doubt(first.node, f"uses '{name}', which makes generators")

    def _common_key(self, accesses: list[Access]) -> Columns:
        first = accesses[0]
        for access in accesses:
            why = f"touches '{access.store}' by something other than columns of the row"
            if access.key is None:
                raise access.scope.doubt(access.node, why)
            if access.key != first.key:
                line = getattr(first.node, "lineno", 0)
                raise access.scope.doubt(
                    access.node,
                    f"indexes '{access.store}' by {access.key}, but line {line} indexes "
                    f"'{first.store}' by {first.key}",
                )
        assert first.key is not None
        return first.key
