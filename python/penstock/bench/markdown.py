"""A report as a Markdown page, to be published beside what it measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from penstock.bench.report import Measure, Point, Report, in_words


def page(report: Report) -> str:
    """Every point and every goal of a report, also the ones that were missed."""
    lines = [f"# penstock bench {report.suite}" + (" --quick" if report.quick else ""), ""]
    lines += [report.facts(), ""]
    grids = report.findings.grids
    for grid in grids:
        lines += [f"## {grid.title}", ""]
        lines += _table(("", *grid.columns), ((name, *row) for name, row in grid.rows.items()))
    if not grids:
        lines += ["## Points", "", *_points(report.findings.points)]
    missed = sum(not target.holds for target in report.findings.targets)
    lines += [f"## Goals: {len(report.findings.targets)}, of which {missed} missed", ""]
    lines += _table(
        ("goal", "measured", "wanted", "holds"),
        (
            (each.name, each.value, each.told_goal, "yes" if each.holds else "**no**")
            for each in report.findings.targets
        ),
    )
    lines += [f"{note}\n" for note in report.findings.notes]
    return "\n".join(lines).rstrip("\n") + "\n"


def _points(points: Iterable[Point]) -> Iterator[str]:
    measured = list(points)
    columns = list(dict.fromkeys(name for point in measured for name in point.measures))
    rows = ((p.name, *(p.measures.get(column, "") for column in columns)) for p in measured)
    return _table(("point", *(column.replace("_", " ") for column in columns)), rows)


def _table(header: tuple[str, ...], rows: Iterable[tuple[Measure, ...]]) -> Iterator[str]:
    yield _row(header)
    yield "|---" + "|--:" * (len(header) - 1) + "|"
    for row in rows:
        yield _row(map(in_words, row))
    yield ""


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
