"""One function, gone through statement by statement."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from penstock.discovery.calls import Calls
from penstock.discovery.doubt import Doubt
from penstock.discovery.scope import Scope
from penstock.discovery.source import is_generator
from penstock.discovery.values import LAZY, OWN, ROW, Harmless, Self, Store, Value, one_of

if TYPE_CHECKING:
    from penstock.discovery.proof import Proof

# Nothing to look at in these, or nothing but the expressions and statements inside them.
TRANSPARENT = (
    *(ast.Assert, ast.Break, ast.Continue, ast.If, ast.Pass, ast.Raise, ast.Try, ast.While),
    *(ast.ExceptHandler, ast.Match, ast.match_case),
    *(ast.MatchAs, ast.MatchMapping, ast.MatchOr, ast.MatchSequence),
    *(ast.MatchSingleton, ast.MatchStar, ast.MatchValue),
)


class Frame(Calls):
    """A function while it is given certain arguments.

    All statements are gone through once, also those that may never run: what a line does to the
    state does not depend on the lines before it, as a name means the same wherever it is read.
    """

    def __init__(self, proof: Proof, scope: Scope) -> None:
        super().__init__(proof, scope)
        self._returned: list[Harmless] = []

    def run(self) -> Value:
        """What a call of the function stands for."""
        node = self.scope.source.node
        if isinstance(node, ast.Lambda):
            return self.harmless(node.body)
        for statement in node.body:
            self._visit(statement)
        if not isinstance(node.body[-1], ast.Return):
            self._returned.append(OWN)  # None, where the end is reached
        return LAZY if is_generator(node) else one_of(self._returned)

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr):
            self.harmless(node)
        elif isinstance(node, TRANSPARENT):
            for child in ast.iter_child_nodes(node):
                self._visit(child)
        else:
            visit = getattr(self, f"_on_{type(node).__name__.lower()}", None)
            if visit is None:
                raise self._refusal(node)
            visit(node)

    def _refusal(self, node: ast.AST) -> Doubt:
        text = {
            ast.Global: "can change a global",
            ast.Nonlocal: "can change a variable of the function around it",
            ast.FunctionDef: "defines a function inside a function",
            ast.ClassDef: "defines a class inside a function",
            ast.With: "uses a context manager",
        }
        kind = type(node).__name__.lower()
        fallback = f"has a statement of the kind '{kind}', which is not analysed"
        return self.scope.doubt(node, text.get(type(node), fallback))

    def _on_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.YieldFrom):
            self.consumed(node.value.value)
        elif isinstance(node.value, ast.Yield):
            # Whoever runs the operator takes what is yielded before the next row, so it may
            # well be a value that a later row of the same key changes.
            if node.value.value is not None:
                self.harmless(node.value.value)
        else:
            self.consumed(node.value)

    def _on_return(self, node: ast.Return) -> None:
        self._returned.append(OWN if node.value is None else self.harmless(node.value))

    def _on_assign(self, node: ast.Assign) -> None:
        value = self.harmless(node.value)
        for target in node.targets:
            self._assign(target, value, node.value)

    def _on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self.harmless(node.value), node.value)

    def _on_augassign(self, node: ast.AugAssign) -> None:
        self.harmless(node.value)
        self._assign(node.target, OWN)

    def _on_for(self, node: ast.For) -> None:
        self.consumed(node.iter)
        self._assign(node.target, OWN)
        for statement in [*node.body, *node.orelse]:
            self._visit(statement)

    def _on_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._assign(target, OWN)

    def _on_matchclass(self, node: ast.MatchClass) -> None:
        if any(name.startswith("_") for name in node.kwd_attrs):
            raise self.scope.doubt(node, "looks at a private or special name")
        for child in ast.iter_child_nodes(node):
            self._visit(child)

    def _assign(self, target: ast.expr, value: Harmless, source: ast.expr | None = None) -> None:
        """Assign to a target, delete it, or change it in place: all of them write."""
        if isinstance(target, ast.Name):
            self.scope.bind(target.id, value)
        elif isinstance(target, ast.Starred):
            self._assign(target.value, OWN)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, source)
        elif isinstance(target, ast.Subscript):
            self._assign_entry(target)
        elif isinstance(target, ast.Attribute):
            of_operator = isinstance(self.evaluate(target.value), Self)
            what = "which is not indexed by a key" if of_operator else "an attribute"
            raise self.scope.doubt(target, f"changes '{target.attr}', {what}")
        else:
            raise self.scope.doubt(target, "assigns to something that is not analysed")

    def _unpack(self, targets: list[ast.expr], source: ast.expr | None) -> None:
        parts: list[ast.expr | None] = [None] * len(targets)
        if isinstance(source, ast.Tuple) and len(source.elts) == len(targets):
            stars = (isinstance(e, ast.Starred) for e in [*source.elts, *targets])
            parts = parts if any(stars) else [*source.elts]
        for target, part in zip(targets, parts, strict=True):
            self._assign(target, OWN if part is None else self.harmless(part), part)

    def _assign_entry(self, target: ast.Subscript) -> None:
        base = self.evaluate(target.value)
        if isinstance(base, Store):
            key = self.key(target.slice)
            self.proof.access(self.scope, target, base.name, key, writes=True)
            return
        if base == ROW:
            raise self.scope.doubt(target, "changes the row")
        self.checked(target.value, base)
        self.harmless(target.slice)
