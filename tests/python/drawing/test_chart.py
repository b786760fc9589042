from __future__ import annotations

from xml.etree import ElementTree

from tests.python.drawing.test_svg import check_safe

from penstock.drawing.chart import MOST_MARKS, chart_svg, panels_of
from penstock.drawing.curves import channels_over_time, throughput
from penstock.drawing.sheet import NAMESPACE
from penstock.metrics import Decision, FlowMetrics, LevelChange


def decided(at: float, lever: str, previous: int, chosen: int, text: str = "why") -> Decision:
    return Decision(at, lever, previous, chosen, "rising", text, 90.0, None)


METRICS = FlowMetrics(
    (),
    (),
    levels=(LevelChange(0.0, 1), LevelChange(1.0, 2)),
    seconds=4.0,
    decisions=(
        decided(1.0, "threads", 1, 2, "1 -> 2 threads: <it> rose"),
        decided(2.0, "channels", 2, 4, "region 'hot': 2 -> 4 channels"),
        decided(2.5, "channels", 1, 3, "region 'cold': 1 -> 3 channels"),
        decided(3.0, "channels", 4, 3, "region 'hot': 4 -> 3 channels"),
    ),
    pace=((0.0, 0), (1.0, 100), (2.0, 300), (3.0, 600), (4.0, 700)),
)


def titles(svg: str) -> list[str]:
    found = ElementTree.fromstring(svg).iter(f"{{{NAMESPACE}}}title")
    return [one.text or "" for one in found]


def test_each_decision_is_marked_with_its_reason() -> None:
    svg = chart_svg("f", METRICS)
    check_safe(svg)
    for one in METRICS.decisions:
        assert str(one) in titles(svg)


def test_channels_are_followed_region_by_region() -> None:
    curves = {curve.name: curve.points for curve in channels_over_time(METRICS)}
    assert curves == {
        "hot": ((0.0, 2), (2.0, 4), (3.0, 3), (4.0, 3)),
        "cold": ((0.0, 1), (2.5, 3), (4.0, 3)),
    }


def test_decisions_by_utilization_name_operators_or_nobody() -> None:
    metrics = FlowMetrics(
        (),
        (),
        (),
        seconds=2.0,
        decisions=(
            decided(0.5, "channels", 0, 0, "stay: no operator holds the others up"),
            decided(1.0, "channels", 1, 2, "operator 'hot': 1 -> 2 replicas: it was blocked"),
        ),
    )
    (curve,) = channels_over_time(metrics)
    assert (curve.name, curve.points) == ("hot", ((0.0, 1), (1.0, 2), (2.0, 2)))
    (panel,) = panels_of(metrics)
    assert [one.seconds for one in panel.decisions] == [1.0]


def test_throughput_is_rows_between_two_looks() -> None:
    (curve,) = throughput(METRICS)
    assert [round(value) for _, value in curve.points[1:-1]] == [100, 200, 300, 100]


def test_only_what_was_measured_has_a_panel() -> None:
    assert [panel.title for panel in panels_of(METRICS)] == ["threads", "channels", "throughput"]
    bare = FlowMetrics((), (), (LevelChange(0.0, 1),), seconds=1.0)
    assert [panel.title for panel in panels_of(bare)] == ["threads"]
    assert chart_svg("f", FlowMetrics((), (), (), seconds=0.0)) == ""


def test_thousands_of_decisions_do_not_make_thousands_of_marks() -> None:
    many = tuple(decided(k / 1000, "threads", 1, 1 + k % 2, f"number {k}") for k in range(4000))
    metrics = FlowMetrics((), (), (LevelChange(0.0, 1),), seconds=4.0, decisions=many)
    svg = chart_svg("f", metrics)
    assert (
        sum(title.startswith(("0", "1")) or "number" in title for title in titles(svg))
        <= MOST_MARKS
    )
    assert "not marked" in svg
