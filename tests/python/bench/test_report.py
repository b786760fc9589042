from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from penstock.bench.report import Findings, Grid, Point, Report, Target


def report(*targets: Target) -> Report:
    points = (
        Point("narrow/flow", {"rows": 2_500_000, "median_s": 0.512, "ratio": 1.04}),
        Point("wide/flow", {"rows": 900, "note": "cold"}),
    )
    findings = Findings(points, targets)
    return Report("transport", True, {"cpu": "x", "governor": None}, {"java": None}, None, findings)


def shown(shown_report: Report) -> str:
    text = io.StringIO()
    shown_report.show(Console(file=text, width=100))
    return text.getvalue()


@pytest.mark.parametrize(
    ("value", "holds"), [(1.0, True), (1.1, True), (1.101, False), (float("nan"), False)]
)
def test_a_value_up_to_the_most_allowed_holds(value: float, holds: bool) -> None:
    assert Target("t", value, most=1.1).holds is holds


@pytest.mark.parametrize(("value", "holds"), [(1.9, False), (2.0, True), (2.1, True)])
def test_a_value_from_the_least_wanted_on_holds(value: float, holds: bool) -> None:
    assert Target("t", value, least=2).holds is holds


@pytest.mark.parametrize("limit", [None, 1.0])
def test_a_target_has_exactly_one_limit(limit: float | None) -> None:
    with pytest.raises(ValueError, match="target 't' needs either most= or least="):
        Target("t", 1.0, most=limit, least=limit)


def test_the_document_survives_json_unchanged() -> None:
    document = report(Target("flow / plain", 1.2, most=1.1)).document()
    assert json.loads(json.dumps(document)) == document
    assert document == {
        "suite": "transport",
        "quick": True,
        "machine": {"cpu": "x", "governor": None},
        "versions": {"java": None},
        "commit": None,
        "points": [
            {"name": "narrow/flow", "rows": 2_500_000, "median_s": 0.512, "ratio": 1.04},
            {"name": "wide/flow", "rows": 900, "note": "cold"},
        ],
        "targets": [{"name": "flow / plain", "value": 1.2, "goal": "<= 1.1", "holds": False}],
        "notes": [],
    }


def test_the_table_shows_every_point_with_readable_numbers() -> None:
    text = shown(report(Target("flow / plain", 1.0, most=1.1)))
    row = next(line for line in text.splitlines() if "narrow/flow" in line)
    assert row.split() == ["narrow/flow", "2.5", "M", "0.512", "1.04"]
    assert next(line for line in text.splitlines() if "wide/flow" in line).split()[-1] == "cold"


def test_the_table_says_which_targets_hold() -> None:
    text = shown(report(Target("good", 1.0, most=1.1), Target("bad", 1.5, least=2)))
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert lines["good"] == ["good", "1", "<=", "1.1", "yes"]
    assert lines["bad"] == ["bad", "1.5", ">=", "2", "no"]


def test_what_is_not_known_of_the_machine_is_left_out_of_the_text() -> None:
    text = shown(report())
    assert "cpu x" in text
    assert "governor" not in text
    assert "None" not in text


def test_points_with_an_arrangement_of_their_own_are_shown_by_it() -> None:
    grid = Grid("speed, M/s", ("10", "100"), {"fast": (2_500_000, "7*"), "slow": (1.5, "")})
    findings = Findings((Point("hidden", {"x": 1}),), (), (grid,), ("peers were not measured",))
    text = shown(Report("s", False, {}, {}, None, findings))
    lines = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert lines["fast"] == ["2.5", "M", "7*"]
    assert lines["slow"] == ["1.5"]
    assert "peers were not measured" in text
    assert "hidden" not in text
