"""What a call stands for: of a function that is known, that has source, or of a dictionary."""

from __future__ import annotations

import ast

from penstock.discovery.doubt import Doubt
from penstock.discovery.expressions import Expressions
from penstock.discovery.trusted import EAGER, LAZY_MAKERS
from penstock.discovery.values import (
    LAZY,
    OWN,
    SELF,
    Callee,
    Columns,
    Harmless,
    Own,
    Self,
    Store,
    Trusted,
    Value,
)

# How many arguments the methods take that touch one entry alone.
BY_KEY = {"get": (1, 2), "pop": (1, 2), "setdefault": (1, 2)}
# Methods of harmless values that are done with a generator or lambda when they return.
CONSUMERS = frozenset({"extend", "extendleft", "join", "sort", "update"})


class Calls(Expressions):
    """Goes through the calls in expressions as well."""

    def _call(self, node: ast.Call) -> Value:
        function = node.func
        if isinstance(function, ast.Attribute):
            base = self.evaluate(function.value)
            if isinstance(base, Store):
                return self._store_method(node, function.attr, base.name)
            if isinstance(base, (Own, Columns, Trusted)):
                return self._method(node, function)
        if not isinstance(function, (ast.Attribute, ast.Name)):
            raise self.scope.doubt(node, "calls something of which nothing is known")
        called = self.evaluate(function)
        if isinstance(called, Trusted):
            lazy = id(called.thing) in LAZY_MAKERS
            self._arguments(node, eager=lazy or id(called.thing) in EAGER)
            return LAZY if lazy else OWN
        if isinstance(called, Callee):
            return self._analysed(node, called)
        what = ast.unparse(function)
        raise self.scope.doubt(node, f"calls '{what}', of which nothing is known")

    def _method(self, node: ast.Call, function: ast.Attribute) -> Own:
        self._plain_attribute(function)
        if function.attr in {"format", "format_map"}:
            # A format string can reach into attributes; one that is written out can be looked at.
            text = function.value.value if isinstance(function.value, ast.Constant) else None
            if not isinstance(text, str) or "_" in text:
                raise self.scope.doubt(node, "calls 'format' of a text that is not known")
        self._arguments(node, eager=function.attr in CONSUMERS)
        return OWN

    def _store_method(self, node: ast.Call, method: str, store: str) -> Own:
        least, most = BY_KEY.get(method, (1, 0))
        starred = any(isinstance(a, ast.Starred) for a in node.args)
        if not least <= len(node.args) <= most or node.keywords or starred:
            raise self.scope.doubt(node, f"calls '{method}' on '{store}' as a whole")
        key = self.key(node.args[0])
        self.proof.access(self.scope, node, store, key, writes=method != "get")
        for default in node.args[1:]:
            self.harmless(default)
        return OWN

    def _analysed(self, node: ast.Call, called: Callee) -> Value:
        if any(isinstance(a, ast.Starred) for a in node.args):
            raise self.scope.doubt(node, "spreads arguments over a function")
        positional: list[Harmless | Self] = [self.harmless(a) for a in node.args]
        named = {k.arg: self.harmless(k.value) for k in node.keywords if k.arg is not None}
        if len(named) < len(node.keywords):
            raise self.scope.doubt(node, "spreads arguments over a function")
        try:
            me: list[Harmless | Self] = [SELF] if called.is_method else []
            bound = self.proof.bound(called.function, me + positional, named)
        except Doubt as doubt:
            raise self.scope.doubt(node, str(doubt)) from None
        return self.proof.call(called.function, bound)

    def _arguments(self, node: ast.Call, *, eager: bool) -> None:
        for argument in [*node.args, *(k.value for k in node.keywords)]:
            if eager:
                self.consumed(argument)
            else:
                self.harmless(argument)
