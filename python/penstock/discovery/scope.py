"""What the names in a function stand for."""

from __future__ import annotations

import ast
import builtins
from types import FunctionType, ModuleType

from penstock.discovery.doubt import Doubt
from penstock.discovery.source import Source, local_bindings, short_name
from penstock.discovery.trusted import BUILTINS, MEMBERS, is_trusted, is_unchanging
from penstock.discovery.values import OWN, SELF, Callee, Harmless, Module, Self, Trusted, Value

WIDEST = 80


class Scope:
    """The names of one function while it is given certain arguments.

    It knows a local name only if the function binds it once; otherwise the name is just harmless.
    So the order in which the lines run does not matter.
    """

    def __init__(
        self, function: FunctionType, source: Source, given: dict[str, Harmless | Self]
    ) -> None:
        self.function = function
        self.source = source
        self._bindings = local_bindings(source.node)
        self._known: dict[str, Harmless | Self] = {}
        # Names of comprehensions and lambdas, which hide those outside, innermost last.
        self.inner: list[set[str]] = []
        self.hidden_by_lambda: set[str] | None = None
        for name, value in given.items():
            if value == SELF and self._bindings[name] > 1:
                raise Doubt(f"{short_name(function)} binds '{name}' anew")
            self._remember(name, value)

    def bind(self, name: str, value: Harmless) -> None:
        """Assign to a local name."""
        self._remember(name, value)

    def value_of(self, node: ast.Name) -> Value:
        """What a name stands for where it is read."""
        name = node.id
        if any(name in names for names in self.inner):
            return OWN
        local = name in self._bindings
        if self.hidden_by_lambda is not None and (local or name in self.hidden_by_lambda):
            raise self.doubt(node, f"captures '{name}' in a lambda")
        if local:
            return self._known.get(name, OWN)
        if name in self.function.__code__.co_freevars:
            raise self.doubt(node, f"captures '{name}' from the function around it")
        return self._global(node, name)

    def doubt(self, node: ast.AST, why: str) -> Doubt:
        """What to raise because of a line."""
        line = getattr(node, "lineno", self.source.node.lineno)
        text = self.source.lines[line - 1].strip()
        text = text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
        return Doubt(f"line {line} of {short_name(self.function)}, `{text}`, {why}")

    def _remember(self, name: str, value: Harmless | Self) -> None:
        self._known[name] = value if self._bindings[name] == 1 else OWN

    def _global(self, node: ast.Name, name: str) -> Value:
        if name.startswith("__"):
            raise self.doubt(node, f"uses '{name}', a private or special name")
        bindings, names = self.source.bindings[name], self.function.__globals__
        if name not in names:
            if name in BUILTINS and not bindings:
                return Trusted(vars(builtins)[name])
            raise self.doubt(node, f"uses '{name}', of which nothing is known")
        thing = names[name]
        if bindings > 1:
            raise self.doubt(
                node, f"reads the global '{name}', which is set in more than one place"
            )
        if is_trusted(thing):
            return Trusted(thing)
        if type(thing) is ModuleType and thing in MEMBERS:
            return Module(thing)
        if type(thing) is FunctionType:
            return Callee(thing, is_method=False)
        if is_unchanging(thing) and bindings == 1:
            return OWN
        raise self.doubt(node, f"reads the global '{name}', which may change; hand it to __init__")
