"""Attributes in which an operator that goes by keys remembers something without saying so.

What is declared follows its key from channel to channel; a plain attribute stays behind, and would
mix up the keys of a channel. So it is refused: where the operator is written, if its source shows
it, and otherwise as soon as an attribute changes.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from penstock.errors import FlowError
from penstock.state.of_key import StateOfKey

CONTAINERS = (list, dict, set, bytearray, deque)
LOOKED_INTO = 64  # items; of a larger container only the length is watched


class Undeclared:
    """Watches the plain attributes of an operator."""

    def __init__(self, work: Any) -> None:
        self._work = work
        self._attributes = {
            name: value for name, value in vars(work).items() if not isinstance(value, StateOfKey)
        }
        self._first = {name: _contents(value) for name, value in self._attributes.items()}

    def check(self) -> None:
        """Raise FlowError if one is not what it was in the beginning."""
        now = vars(self._work)
        for name, value in now.items():
            if name in self._attributes:
                same = value is self._attributes[name] and _contents(value) == self._first[name]
            else:
                same = isinstance(value, StateOfKey)
            if not same:
                raise undeclared(self._work, name)
        for name in self._attributes:
            if name not in now:
                raise undeclared(self._work, name)


def undeclared(work: Any, name: str) -> FlowError:
    """The error for an attribute that changes."""
    kind = type(work).__name__
    return FlowError(
        f"{kind}.process changes self.{name}, which is not declared as state, so it would not "
        f"follow its key; declare it in the class, as in {name} = penstock.state.Value('long'), or "
        "apply the operator without key_by"
    )


def attribute_set_by(process: Callable[..., Any]) -> str:
    """The first attribute of its object that a method sets, as far as its own source tells."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(process)))
    except (OSError, TypeError, SyntaxError):
        return ""
    method = tree.body[0]
    if not isinstance(method, ast.FunctionDef) or not method.args.args:
        return ""
    own = method.args.args[0].arg
    for node in ast.walk(method):
        for target in _targets(node):
            if (
                isinstance(target, ast.Attribute)
                and isinstance(target.value, ast.Name)
                and target.value.id == own
                and not _is_descriptor(process, target.attr)
            ):
                return target.attr
    return ""


def _targets(node: ast.AST) -> Iterable[ast.expr]:
    if isinstance(node, ast.Assign):
        return [each for one in node.targets for each in _flat(one)]
    if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        return [node.target]
    return node.targets if isinstance(node, ast.Delete) else []


def _flat(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


def _is_descriptor(process: Callable[..., Any], name: str) -> bool:
    # Setting a property need not change an attribute.
    owner = type(getattr(process, "__self__", None))
    return hasattr(inspect.getattr_static(owner, name, None), "__set__")


def _contents(value: Any) -> Any:
    """What is in a container, cheaply: two that differ may look the same, never the reverse."""
    if type(value) not in CONTAINERS:
        return None
    if len(value) > LOOKED_INTO:
        return len(value)
    items = value.values() if isinstance(value, dict) else value
    return len(value), *map(id, items)
