from __future__ import annotations

from penstock.bench.markdown import page
from penstock.bench.report import Findings, Grid, Point, Report, Target

TARGETS = (Target("a / b", 1.04, most=1.1), Target("b / a", 0.5, least=2))


def report(findings: Findings) -> Report:
    return Report("transport", False, {"cores": 2}, {"java": None}, "abc", findings)


def test_points_and_goals_become_tables_and_a_missed_goal_stands_out() -> None:
    points = (Point("narrow", {"rows": 2_500_000}), Point("wide|flat", {"median_s": 0.5}))
    assert page(report(Findings(points, TARGETS, notes=("Without peers.",)))) == (
        "# penstock bench transport\n"
        "\n"
        "cores 2, commit abc\n"
        "\n"
        "## Points\n"
        "\n"
        "| point | rows | median s |\n"
        "|---|--:|--:|\n"
        "| narrow | 2.5 M |  |\n"
        "| wide\\|flat |  | 0.5 |\n"
        "\n"
        "## Goals: 2, of which 1 missed\n"
        "\n"
        "| goal | measured | wanted | holds |\n"
        "|---|--:|--:|--:|\n"
        "| a / b | 1.04 | <= 1.1 | yes |\n"
        "| b / a | 0.5 | >= 2 | **no** |\n"
        "\n"
        "Without peers.\n"
    )


def test_a_goal_says_what_a_reader_must_know_to_judge_it() -> None:
    target = Target("a / b", 9.5, least=20, note="at most 9.87 here")
    assert "| a / b | 9.5 | >= 20 (at most 9.87 here) | **no** |\n" in page(
        report(Findings((), (target,)))
    )
    assert target.document()["goal"] == ">= 20"
    assert target.document()["note"] == "at most 9.87 here"


def test_grids_take_the_place_of_one_long_table() -> None:
    grid = Grid("pipeline, M/s", ("10 operators",), {"chain x1": ("390",)})
    text = page(report(Findings((Point("hidden", {"rows": 1}),), TARGETS, (grid,))))
    assert "## pipeline, M/s\n\n|  | 10 operators |\n|---|--:|\n| chain x1 | 390 |\n" in text
    assert "hidden" not in text
