"""What a suite found, as one document: a number without its machine means nothing.

>>> target = Target("identity flow / identity mapInArrow", 1.04, most=1.1)
>>> target.document()["goal"], target.holds
('<= 1.1', True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table

Measure: TypeAlias = "str | int | float"


@dataclass(frozen=True)
class Point:
    """One measured thing: what it was, and its numbers under names that end in their unit."""

    name: str
    measures: Mapping[str, Measure]

    def document(self) -> dict[str, Any]:
        """The point as JSON shows it."""
        return {"name": self.name, **self.measures}


@dataclass(frozen=True)
class Target:
    """A goal the project has set itself, and the value that was measured.

    Attributes:
        name: What is compared.
        value: What was measured.
        most: The goal when small is good: the value may be so much at most.
        least: The goal when large is good; one of the two is given.
        note: What a reader must know to judge it, such as how much can be reached at all.
    """

    name: str
    value: float
    most: float | None = None
    least: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if (self.most is None) == (self.least is None):
            raise ValueError(f"target '{self.name}' needs either most= or least=")

    @property
    def holds(self) -> bool:
        """Whether the goal is met."""
        if self.most is not None:
            return self.value <= self.most
        return self.least is not None and self.value >= self.least

    @property
    def goal(self) -> str:
        """The goal in words."""
        return f"<= {self.most:g}" if self.most is not None else f">= {self.least:g}"

    @property
    def told_goal(self) -> str:
        """The goal in words, with its note, as tables show it."""
        return f"{self.goal} ({self.note})" if self.note else self.goal

    def document(self) -> dict[str, Any]:
        """The target as JSON shows it."""
        told = {"name": self.name, "value": self.value, "goal": self.goal, "holds": self.holds}
        return told | ({"note": self.note} if self.note else {})


@dataclass(frozen=True)
class Grid:
    """Points arranged for reading: a table with a row for each of many contenders.

    Attributes:
        title: What is shown, with its unit.
        columns: Names of the columns.
        rows: The cells of each row, by the row's name.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Measure, ...]]


@dataclass(frozen=True)
class Findings:
    """What a suite measured.

    Attributes:
        points: Every measured thing.
        targets: Goals and what was reached.
        grids: How to show the points, where one long table would not be readable.
        notes: What a reader must know, such as what was not measured.
    """

    points: tuple[Point, ...]
    targets: tuple[Target, ...]
    grids: tuple[Grid, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """Findings with all that is needed to judge them.

    Attributes:
        suite: Name of the suite.
        quick: Whether it ran with `--quick`.
        machine: Processor, cores, memory, governor and load.
        versions: Versions of all that took part; None for what is not installed.
        commit: Commit of the checkout that was measured, None outside of one.
        findings: What was measured.
    """

    suite: str
    quick: bool
    machine: Mapping[str, Any]
    versions: Mapping[str, str | None]
    commit: str | None
    findings: Findings

    def document(self) -> dict[str, Any]:
        """The report as `--json` prints it."""
        return {
            "suite": self.suite,
            "quick": self.quick,
            "machine": dict(self.machine),
            "versions": dict(self.versions),
            "commit": self.commit,
            "points": [point.document() for point in self.findings.points],
            "targets": [target.document() for target in self.findings.targets],
            "notes": list(self.findings.notes),
        }

    def show(self, console: Console) -> None:
        """Print the report as tables."""
        shown = [_grid(grid) for grid in self.findings.grids] or [_points(self)]
        console.print(*shown, _targets(self), *self.findings.notes, sep="\n")
        console.print(self.facts(), style="dim", highlight=False)

    def facts(self) -> str:
        """The machine, the versions and the commit, as far as they are known."""
        facts = {**self.machine, **self.versions, "commit": self.commit}
        return ", ".join(f"{name} {value}" for name, value in facts.items() if value is not None)


def _points(report: Report) -> Table:
    title = f"penstock bench {report.suite}" + (" --quick" if report.quick else "")
    table = _table(title)
    columns = list(dict.fromkeys(name for p in report.findings.points for name in p.measures))
    table.add_column("point", no_wrap=True)
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for point in report.findings.points:
        cells = [in_words(point.measures.get(column, "")) for column in columns]
        table.add_row(point.name, *cells)
    return table


def _grid(grid: Grid) -> Table:
    table = _table(grid.title)
    table.add_column("", no_wrap=True)
    for column in grid.columns:
        table.add_column(column, justify="right")
    for name, cells in grid.rows.items():
        table.add_row(name, *map(in_words, cells))
    return table


def _targets(report: Report) -> Table:
    table = _table("targets")
    table.add_column("target")
    table.add_column("value", justify="right")
    table.add_column("goal", justify="right")
    table.add_column("holds")
    for target in report.findings.targets:
        holds = "[green]yes[/]" if target.holds else "[red]no[/]"
        table.add_row(target.name, in_words(target.value), target.told_goal, holds)
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)


def in_words(value: Measure) -> str:
    """A measure with three digits, as tables show it."""
    if isinstance(value, str):
        return value
    if abs(value) >= 1e6:
        return f"{value / 1e6:.3g} M"
    if abs(value) >= 1e3:
        return f"{value / 1e3:.3g} k"
    return f"{value:.3g}"
