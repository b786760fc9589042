"""The operators and everything else that is public, as pages, of signatures and docstrings.

`python docs/site/operator_reference.py` prints them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from places import ROOT
from showing import BY_KEY, markdown, sections, signature, summary, target

import penstock
from penstock import Flow, agg, elastic, policies, state, windows
from penstock.keyed import KeyedFlow
from penstock.library.window_methods import WindowedFlow
from penstock.result import Result
from penstock.runnable import Runnable

FLOW_HEAD = """`penstock.flow(name, schema)` starts a flow, and each of these adds an operator to it.
[Operators](../operators.md) shows each of them at work.
"""
# Made by something else, so that nobody needs to know how.
NOT_CALLED = (Flow, Result, penstock.RunMetrics, agg.Aggregate, windows.Windows, elastic.Decision)
# Of a flow, and no operators: a page of their own has them.
RUNNING = ("threading", *sorted(name for name in vars(Runnable) if not name.startswith("_")))


def reference_pages(shown: str) -> dict[str, str]:
    """The pages by their places on the site, for docs/operators.md as it is."""
    examples = {
        (section, name): target(section, name)
        for section, found in sections(shown)
        for _, names in found
        for name in names
    }
    return {
        "reference/operators.md": flow_page(examples),
        "reference/keyed.md": keyed_page(examples),
        "reference/values.md": page(
            "Aggregates, windows, state", *(module_part(one) for one in (agg, windows, state))
        ),
        "reference/running.md": running_page(),
        "reference/deciding.md": page(
            "Controllers and policies", *(module_part(one) for one in (elastic, policies))
        ),
    }


def methods(kind: type) -> dict[str, Any]:
    """What is public and can be called, by name."""
    named = ((name, getattr(kind, name)) for name in dir(kind) if not name.startswith("_"))
    return {name: value for name, value in named if callable(value)}


def flow_page(examples: dict[tuple[str, str], str]) -> str:
    """Operators of a flow, in the sections of docs/operators.md."""
    left = {name: value for name, value in methods(Flow).items() if name not in RUNNING}
    parts = [FLOW_HEAD]
    for section in dict.fromkeys(section for section, _ in examples):
        own = [name for place, name in examples if place == section and name in left]
        members = {name: left.pop(name) for name in own}
        if members:
            links = {name: examples[section, name] for name in members}
            parts.append(f"\n## {section}\n\n{methods_part('flow', members, links)}")
    assert not left, f"docs/operators.md shows no {', '.join(left)}"
    return page("Operators of a flow", *parts)


def keyed_page(examples: dict[tuple[str, str], str]) -> str:
    """Operators behind `key_by`, and what windows make."""
    by_name = {name: link for (_, name), link in examples.items()}
    by_key = {name: link for (section, name), link in examples.items() if section == BY_KEY}
    found = methods(KeyedFlow)
    links = {name: by_key.get(name, by_name[name]) for name in found if name in by_name}
    windowed = methods_part("window", methods(WindowedFlow), {"agg": by_key["window"]})
    return page(
        "Operators by key",
        "`flow.key_by(...)` makes a flow whose next operator goes by keys; each of these adds it.\n",
        f"\n## Behind key_by\n\n{methods_part('key', found, links)}",
        f"\n## Behind window\n\n{windowed}",
    )


def running_page() -> str:
    """Beginnings, runs, results and errors: what is no operator."""
    found = {name: getattr(Flow, name) for name in RUNNING}
    public = [(name, getattr(penstock, name)) for name in sorted(penstock.__all__, key=str.lower)]
    parts = [entry("all", name, one) for name, one in public if not isinstance(one, ModuleType)]
    runs = [entry("run", name, value) for name, value in found.items()]
    return page(
        "Flows, runs, results",
        "\n## In `penstock`\n\n",
        *parts,
        "\n## Of a flow: `penstock.Flow`\n\n",
        *runs,
        entry("run", "df.transform(flow)", Flow.__call__, called="flow"),
        "\n## Of a result\n\n",
        entry("run", "Result", Result),
    )


def members_part(kind: type) -> Iterator[str]:
    """Public methods and properties that the class itself has."""
    found = [(name, value) for name, value in vars(kind).items() if not name.startswith("_")]
    for name, value in sorted(found):
        said = inspect.getdoc(value)
        if said and (callable(value) or isinstance(value, property)):
            called = (
                name if isinstance(value, property) else " ".join(signature(name, value).split())
            )
            yield f"- `{called}`: {summary(said)}\n"


def module_part(module: ModuleType) -> str:
    """A module: its documentation, then what is public in it."""
    named = getattr(module, "__all__", None)
    found = [
        (name, value)
        for name, value in vars(module).items()
        if (name in named if named else _is_own(module, name, value))
    ]
    word = module.__name__.removeprefix("penstock.")
    entries = [entry(word, name, one, called=f"{word}.{name}") for name, one in sorted(found)]
    said = markdown(module.__doc__ or "")
    return f"\n## penstock.{word}\n\n{said}\n\n" + "".join(entries)


def _is_own(module: ModuleType, name: str, value: Any) -> bool:
    own = getattr(value, "__module__", "") == module.__name__
    return callable(value) and own and not name.startswith("_")


def methods_part(group: str, found: dict[str, Any], links: dict[str, str]) -> str:
    """A table of methods, then an entry for each."""
    rows = [
        f"| [{name}](#{anchor(group, name)}) | {summary(inspect.getdoc(value) or '')} "
        f"| {example(links.get(name))} |\n"
        for name, value in found.items()
    ]
    entries = [entry(group, name, value, link=links.get(name)) for name, value in found.items()]
    return "".join(["| operator | what it does | shown |\n|---|---|---|\n", *rows, "\n", *entries])


def example(link: str | None) -> str:
    """A link to where an operator is shown."""
    return f"[example](#{link})" if link else ""


def anchor(group: str, name: str) -> str:
    """A name for the entry that no other one has."""
    kind = "type-" if name[0].isupper() else ""
    return f"{group}-{kind}{name}".lower()


def entry(
    group: str, name: str, value: Any, *, link: str | None = None, called: str | None = None
) -> str:
    """A heading, how it is called, and its docstring."""
    said = inspect.getdoc(value) or ""
    is_class = isinstance(value, type)
    call = ""
    if callable(value) and not (is_class and (value in NOT_CALLED or issubclass(value, Exception))):
        call = f"```python\n{signature(called or name, value)}\n```\n\n"
    shown_at = f"\n\nShown at work: {example(link)}." if link else ""
    members = "".join(members_part(value)) if is_class and value is not Flow else ""
    mark = f"({anchor(group, name)})="
    return f"{mark}\n\n### {name}\n\n{call}{markdown(said)}{shown_at}\n\n{members}\n"


def page(title: str, *parts: str) -> str:
    """A page of parts."""
    return f"# {title}\n\n" + "".join(parts)


if __name__ == "__main__":
    for text in reference_pages((ROOT / "docs/operators.md").read_text("utf-8")).values():
        sys.stdout.write(text)
