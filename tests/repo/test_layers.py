"""The architecture, as a test: who may include whom.

A layer lists every layer it may see. Anything else is an upward or sideways include, and
each one of those is how a clean tree starts to rot.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
PACKAGE = ROOT / "python/penstock"

MAY_SEE: dict[str, set[str]] = {
    "base": set(),
    "budget": {"base"},
    "elastic": {"base"},
    "policy": {"base"},
    "tuple": {"base"},
    "queue": {"base"},
    "graph": {"base", "tuple", "queue"},
    "region": {"base", "tuple", "queue", "graph"},
    "loop": {"base", "tuple", "graph"},
    "ops": {"base", "tuple", "graph", "loop", "region"},
    "schedule": {"base", "queue", "graph", "policy"},
    "engine": {
        *(
            "base",
            "budget",
            "elastic",
            "tuple",
            "queue",
            "graph",
            "loop",
            "ops",
            "policy",
            "region",
        ),
        "schedule",
    },
    "binding": {
        *("base", "budget", "elastic", "tuple", "graph", "loop", "ops", "policy", "region"),
        "engine",
    },
}
# The driver may run on another kind of machine, so it must not need the extension, and a
# notebook without Spark must not need Spark.
ONLY_IN: dict[str, set[str]] = {
    "pyspark": {
        *("dataframe.py", "driver_metrics.py", "accumulated.py"),
        *("executor/budget.py", "executor/status.py"),
        *("bench/local_spark.py", "bench/shared_cores.py", "bench/transport.py"),
        "bench/headline/in_groups.py",
    },
    "penstock._native": {
        "measured.py",
        "partition.py",
        "worker.py",
        "executor/crashes.py",
        "executor/memory.py",
        "executor/peer.py",
        "wiring.py",
        "executor/budget.py",
        "elastic/channel_controller.py",
        "elastic/decision.py",
        "elastic/thread_controller.py",
        "elastic/thread_levels.py",
        "elastic/bottleneck.py",
        "elastic/utilization_controller.py",
        "policies/pick.py",
    },
}

INCLUDE = re.compile(r'^#include "(?:penstock/)?(\w+)/', re.MULTILINE)


def native_files() -> list[Path]:
    return sorted(p for top in ("penstock", "binding") for p in (NATIVE / top).rglob("*.[ch]pp"))


def layer_of(path: Path) -> str:
    parts = path.relative_to(NATIVE).parts
    return parts[1] if parts[0] == "penstock" else parts[0]


def imports_of(path: Path) -> set[str]:
    """Every module a file imports, wherever in the file; `from a import b` counts as a and a.b."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def imports_at_start(path: Path) -> set[str]:
    """What importing a file imports; what a function imports when it is called is left out."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", native_files(), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_native_file_includes_only_the_layers_below_it(path: Path) -> None:
    seen = set(INCLUDE.findall(path.read_text()))
    assert seen <= MAY_SEE[layer_of(path)] | {layer_of(path)}


@pytest.mark.parametrize("module", ONLY_IN)
def test_a_heavy_dependency_stays_behind_its_one_door(module: str) -> None:
    users = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(name == module or name.startswith(module + ".") for name in imports_of(path))
    }
    assert users <= ONLY_IN[module]


@pytest.mark.parametrize("folder", ["drawing", "terminal", "commands"])
def test_what_shows_flows_is_needed_by_nobody_who_runs_them(folder: str) -> None:
    users = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in {"drawing", "terminal", "commands"}
        if any(name.startswith(f"penstock.{folder}") for name in imports_at_start(path))
    }
    assert users == set()


def test_a_drawing_is_pure() -> None:
    seen = {name for path in (PACKAGE / "drawing").rglob("*.py") for name in imports_of(path)}
    tops = {name.partition(".")[0] for name in seen}
    assert tops & {"os", "subprocess", "rich", "psutil", "time", "random", "pyspark"} == set()
    assert not any(name.startswith(("penstock._native", "penstock.terminal")) for name in seen)


@pytest.mark.parametrize(
    "folder", ["native", "python", "jvm-shim", "tests", "integration", "examples"]
)
def test_no_source_file_outgrows_three_hundred_lines(folder: str) -> None:
    sources = {".hpp", ".cpp", ".py", ".java"}
    files = (p for p in (ROOT / folder).rglob("*") if p.suffix in sources)
    assert [p for p in files if len(p.read_text().splitlines()) > 300] == []
