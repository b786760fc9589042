"""The syntax tree of a function, proven to be what was compiled."""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType

from penstock.discovery.doubt import Doubt

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
# They bind a name that is not a node of its own.
NAMED = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)


@dataclass(frozen=True)
class Source:
    """A function as it is written.

    Attributes:
        node: Its syntax tree; line numbers count from the top of its file.
        lines: All lines of that file.
        bindings: How often the file binds each global name; one means that it is a constant.
    """

    node: ast.FunctionDef | ast.Lambda
    lines: list[str]
    bindings: Counter[str]


def source_of(function: FunctionType) -> Source:
    """Find the source of a function, and compare it with the compiled code.

    A file may have been edited since it was imported, and a wrong source proves nothing.
    """
    code, name = function.__code__, short_name(function)
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise Doubt(f"the source of {name} is not available")
    try:
        tree, compiled = _read(code.co_filename, "".join(lines))
    except SyntaxError:
        raise Doubt(f"the source of {name} cannot be read") from None
    codes = [c for c in _codes(compiled) if _place(c) == _place(code)]
    nodes = [n for n in ast.walk(tree) if _is_at(n, code)]
    if len(codes) != 1 or len(nodes) != 1 or _shape(codes[0]) != _shape(code):
        raise Doubt(f"the source of {name} is not what was compiled")
    node = nodes[0]
    if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
        raise Doubt(f"{name} is asynchronous")
    return Source(node, lines, _global_bindings(tree))


def short_name(function: FunctionType) -> str:
    """The name of a function with its class, without the function around them."""
    return function.__qualname__.rpartition("<locals>.")[2]


def local_bindings(node: ast.FunctionDef | ast.Lambda) -> Counter[str]:
    """How often a function binds each of its local names; a parameter is bound once already.

    The variables of comprehensions are not among them: they are names of their own.
    """
    found = Counter(a.arg for a in _parameters(node.args))
    body = node.body if isinstance(node, ast.FunctionDef) else [node.body]
    for statement in body:
        found.update(_bound_names(statement))
    return found


def is_generator(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether calling the function runs none of it yet."""
    body = node.body if isinstance(node, ast.FunctionDef) else [node.body]
    inside = (n for statement in body for n in _walk_scope(statement))
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside)


@lru_cache(maxsize=64)
def _read(filename: str, text: str) -> tuple[ast.Module, CodeType]:
    return ast.parse(text), compile(text, filename, "exec", dont_inherit=True)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_name, code.co_firstlineno


def _is_at(node: ast.AST, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return ("<lambda>", node.lineno) == _place(code)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return (node.name, first) == _place(code)
    return False


def _shape(code: CodeType) -> tuple[object, ...]:
    constants = tuple(
        _shape(c) if isinstance(c, CodeType) else (type(c), c) for c in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, code.co_argcount, code.co_kwonlyargcount, names, constants)


def _parameters(given: ast.arguments) -> list[ast.arg]:
    stars = [a for a in (given.vararg, given.kwarg) if a is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]


def _walk_scope(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of one scope: neither nested functions nor the variables of comprehensions."""
    yield node
    if isinstance(node, SCOPES):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.comprehension) and child is node.target:
            continue
        yield from _walk_scope(child)


def _bound_names(statement: ast.AST) -> Iterator[str]:
    for node in _walk_scope(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, NAMED) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]


def _global_bindings(tree: ast.Module) -> Counter[str]:
    found = Counter(name for statement in tree.body for name in _bound_names(statement))
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            # Whoever says `global` can bind the name at any time.
            found.update(dict.fromkeys(node.names, 2))
    return found
