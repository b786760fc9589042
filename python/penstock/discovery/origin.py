"""Where the dictionaries of an operator come from: `__init__` makes them and shows them to nobody.

A dictionary that was handed in, or that `__init__` puts anywhere else as well, may be read or
changed by others, and then it must not be split.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from penstock.discovery.doubt import Doubt
from penstock.discovery.scope import Scope
from penstock.discovery.source import Source, source_of
from penstock.discovery.subject import Subject
from penstock.discovery.trusted import STORES
from penstock.discovery.values import Module, Trusted


def check_origin(subject: Subject, store: str) -> None:
    """Make sure that a dictionary is the operator's alone."""
    made = False
    for cls in subject.cls.__mro__[:-1]:
        made |= _made_by_field(cls, store)
        for name in ("__init__", "__post_init__"):
            function = vars(cls).get(name)
            if isinstance(function, FunctionType) and not _is_generated(cls, name):
                made |= _Maker(subject, function).makes(store)
    if not made:
        raise Doubt(f"'{store}' is a dictionary that {subject.name}.__init__ does not make")


def _fields(cls: type) -> dict[str, Any]:
    fields: dict[str, Any] = vars(cls).get("__dataclass_fields__", {})
    return fields


def _is_generated(cls: type, name: str) -> bool:
    """Whether a method was written by `dataclass`, which then leaves no source."""
    function = vars(cls)[name]
    return bool(_fields(cls)) and function.__code__.co_filename == "<string>"


def _made_by_field(cls: type, store: str) -> bool:
    field = _fields(cls).get(store)
    if field is None or not any(field.default_factory is kind for kind in STORES):
        return False
    if field.init:
        raise Doubt(f"'{store}' can be handed in; declare it with field(..., init=False)")
    return True


class _Maker:
    """A function that sets up the operator."""

    def __init__(self, subject: Subject, function: FunctionType) -> None:
        self._subject = subject
        self._source: Source = source_of(function)
        self._scope = Scope(function, self._source, {})
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        self._me = names[0] if names else ""

    def makes(self, store: str) -> bool:
        """Whether it makes the dictionary; doubts it if it shows it to anybody."""
        fresh = set(self._fresh(store))
        seen = set()
        for node in ast.walk(self._source.node):
            if isinstance(node, ast.Attribute) and self._is_me(node.value):
                seen.add(node.value)
                if node not in fresh:
                    self._check_use(node, store)
        for node in ast.walk(self._source.node):
            if self._is_me(node) and node not in seen:
                raise self._scope.doubt(node, "lets the operator itself out of sight")
        return bool(fresh)

    def _is_me(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self._me

    def _is(self, node: ast.expr, name: str) -> bool:
        return isinstance(node, ast.Attribute) and self._is_me(node.value) and node.attr == name

    def _fresh(self, store: str) -> Iterator[ast.expr]:
        for node in ast.walk(self._source.node):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target, value = node.targets[0], node.value
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                target, value = node.target, node.value
            else:
                continue
            if self._is(target, store) and self._is_new(value):
                yield target

    def _is_new(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Dict):
            return True
        if not isinstance(value, ast.Call):
            return False
        called = value.func
        if isinstance(called, ast.Name):
            known = self._scope.value_of(called)
            return isinstance(known, Trusted) and any(known.thing is kind for kind in STORES)
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            base = self._scope.value_of(called.value)
            thing = vars(base.module).get(called.attr) if isinstance(base, Module) else None
            return any(thing is kind for kind in STORES)
        return False

    def _check_use(self, node: ast.Attribute, store: str) -> None:
        if node.attr == store:
            raise self._scope.doubt(node, f"shows '{store}' to others, or does not make it anew")
        if node.attr.startswith("__") or self._subject.is_code(node.attr):
            raise self._scope.doubt(node, f"uses '{node.attr}', which may show '{store}' to others")
