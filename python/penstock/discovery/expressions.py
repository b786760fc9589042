"""What an expression stands for, and which entries of which dictionaries it touches.

Every kind of expression is named here; one that is not is doubted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from penstock.discovery.doubt import Doubt
from penstock.discovery.scope import Scope
from penstock.discovery.trusted import (
    CLOCKS,
    MEMBERS,
    is_trusted,
    is_unchanging,
)
from penstock.discovery.values import (
    LAZY,
    OWN,
    ROW,
    Callee,
    Columns,
    Harmless,
    Lazy,
    Module,
    Own,
    Row,
    Self,
    Store,
    Trusted,
    Value,
    one_of,
)

if TYPE_CHECKING:
    from penstock.discovery.proof import Proof

# Built of harmless values, so harmless.
COMPOSED = (
    *(ast.BinOp, ast.BoolOp, ast.Dict, ast.FormattedValue, ast.JoinedStr, ast.List, ast.Set),
    *(ast.Slice, ast.Starred, ast.UnaryOp),
)
MEMBERSHIP = (ast.In, ast.NotIn)  # codespell:ignore notin
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Expressions:
    """Goes through the expressions of one function."""

    def __init__(self, proof: Proof, scope: Scope) -> None:
        self.proof = proof
        self.scope = scope

    def harmless(self, node: ast.expr) -> Harmless:
        """The value of an expression whose result may go anywhere."""
        return self.checked(node, self.evaluate(node))

    def checked(self, node: ast.expr, value: Value) -> Harmless:
        """The value of an expression, if it may go anywhere."""
        if isinstance(value, (Own, Row, Columns, Trusted)):
            return value
        raise self.refuse(node, value)

    def consumed(self, node: ast.expr) -> None:
        """An expression whose result is used up at once, so it may be code that runs later."""
        value = self.evaluate(node)
        if value != LAZY:
            self.checked(node, value)

    def refuse(self, node: ast.expr, value: Value) -> Doubt:
        """What to raise because of a value that would get out of sight."""
        text = {
            Self: "lets the operator itself out of sight",
            Lazy: "keeps code that runs later",
            Callee: "uses a function as a value",
            Module: "uses a module as a value",
        }
        if isinstance(value, Store):
            return self.scope.doubt(node, f"uses '{value.name}' as a whole")
        return self.scope.doubt(node, text[type(value)])

    def evaluate(self, node: ast.expr) -> Value:
        """What an expression stands for."""
        if isinstance(node, COMPOSED):
            return self._composed(node)
        if isinstance(node, COMPREHENSIONS):
            return self._comprehension(node)
        visit = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is None:
            kind = type(node).__name__.lower()
            raise self.scope.doubt(
                node, f"has an expression of the kind '{kind}', which is not analysed"
            )
        value: Value = visit(node)
        return value

    def key(self, node: ast.expr) -> Columns | None:
        """The columns that an index consists of, if it consists of columns alone."""
        value = self.harmless(node)
        return value if isinstance(value, Columns) else None

    def _composed(self, node: ast.expr) -> Own:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.harmless(child)
        return OWN

    def _constant(self, _: ast.Constant) -> Own:
        return OWN

    def _name(self, node: ast.Name) -> Value:
        return self.scope.value_of(node)

    def _tuple(self, node: ast.Tuple) -> Harmless:
        parts = [self.harmless(part) for part in node.elts]
        columns = [p.names[0] for p in parts if isinstance(p, Columns) and not p.in_tuple]
        if parts and len(columns) == len(parts) == len(set(columns)):
            return Columns(tuple(columns), in_tuple=True)
        return OWN

    def _ifexp(self, node: ast.IfExp) -> Harmless:
        self.harmless(node.test)
        return one_of([self.harmless(node.body), self.harmless(node.orelse)])

    def _namedexpr(self, node: ast.NamedExpr) -> Harmless:
        value = self.harmless(node.value)
        if self.scope.hidden_by_lambda is not None:
            raise self.scope.doubt(node, "assigns inside a lambda")
        self.scope.bind(node.target.id, value)
        return value

    def _compare(self, node: ast.Compare) -> Own:
        sides = [node.left, *node.comparators]
        for left, operation, right in zip(sides, node.ops, sides[1:], strict=False):
            value = self.evaluate(right)
            if isinstance(value, Store) and isinstance(operation, MEMBERSHIP):
                self.proof.access(self.scope, left, value.name, self.key(left), writes=False)
            else:
                self.checked(right, value)
                self.harmless(left)
        return OWN

    def _attribute(self, node: ast.Attribute) -> Value:
        base = self.evaluate(node.value)
        if isinstance(base, Self):
            return self._of_operator(node)
        if isinstance(base, Module):
            return self._of_module(node, base)
        if base == ROW:
            return self._column(node, node.attr, mangled=node.attr.startswith("__"))
        self._plain_attribute(node)
        self.checked(node.value, base)
        return OWN

    def _subscript(self, node: ast.Subscript) -> Harmless:
        base = self.evaluate(node.value)
        if isinstance(base, Store):
            writes = self.proof.creates_entries(base.name)
            self.proof.access(self.scope, node, base.name, self.key(node.slice), writes)
            return OWN
        if base == ROW and isinstance(node.slice, ast.Constant):
            return self._column(node, node.slice.value)
        self.checked(node.value, base)
        self.harmless(node.slice)
        return OWN

    def _lambda(self, node: ast.Lambda) -> Lazy:
        given = node.args
        if given.defaults or given.kw_defaults or given.vararg or given.kwarg:
            raise self.scope.doubt(node, "has a lambda with other than plain parameters")
        names = {a.arg for a in [*given.posonlyargs, *given.args]}
        outer, before = self.scope.inner, self.scope.hidden_by_lambda
        self.scope.hidden_by_lambda = (before or set()).union(*outer)
        self.scope.inner = [names]
        self.harmless(node.body)
        self.scope.inner, self.scope.hidden_by_lambda = outer, before
        return LAZY

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> Value:
        with self._inner_names() as names:
            for part in node.generators:
                self.consumed(part.iter)
                if part.is_async:
                    raise self.scope.doubt(node, "is asynchronous")
                names.update(self._targets(part.target))
                for condition in part.ifs:
                    self.harmless(condition)
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            for part_of_result in parts:
                self.harmless(part_of_result)
        return LAZY if isinstance(node, ast.GeneratorExp) else OWN

    @contextmanager
    def _inner_names(self) -> Iterator[set[str]]:
        names: set[str] = set()
        self.scope.inner.append(names)
        yield names
        self.scope.inner.pop()

    def _targets(self, target: ast.expr) -> Iterator[str]:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                yield from self._targets(part)
        elif isinstance(target, ast.Starred):
            yield from self._targets(target.value)
        else:
            raise self.scope.doubt(target, "assigns inside a comprehension")

    def _of_operator(self, node: ast.Attribute) -> Value:
        try:
            return self.proof.subject.attribute(node.attr)
        except Doubt as doubt:
            raise self.scope.doubt(node, str(doubt)) from None

    def _of_module(self, node: ast.Attribute, base: Module) -> Value:
        known = node.attr in MEMBERS[base.module]
        thing = vars(base.module).get(node.attr) if known else None
        if is_trusted(thing):
            return Trusted(thing)
        if known and is_unchanging(thing):
            return OWN
        raise self.scope.doubt(node, f"uses '{ast.unparse(node)}', of which nothing is known")

    def _column(self, node: ast.expr, name: object, *, mangled: bool = False) -> Columns:
        if isinstance(name, str) and name in self.proof.columns and not mangled:
            return Columns((name,))
        have = ", ".join(self.proof.columns)
        raise self.scope.doubt(node, f"reads {name!r} of the row, whose columns are {have}")

    def _plain_attribute(self, node: ast.Attribute) -> None:
        if node.attr.startswith("_") or node.attr in CLOCKS:
            raise self.scope.doubt(node, f"uses '{node.attr}', of which nothing is known")
