from __future__ import annotations

from typing import cast

import pytest
from tests.python.drawing.example_flows import FLOWS

from penstock.drawing.parts import Chain, Frame, Step
from penstock.drawing.plan import plan_of


def shape(chain: Chain) -> list[object]:
    """Names, and the lanes of frames."""
    return [
        part.name if isinstance(part, Step) else [part.style, *(shape(lane) for lane in part.lanes)]
        for part in chain
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("empty", ["input", "output"]),
        (
            "clicks",
            [
                "input",
                "timed",
                ["region", ["long_url", "running_4"]],
                ["together", ["seen", "slowest"]],
                "select_7",
                "output",
            ],
        ),
        (
            "quoted",
            [
                "input",
                ["branches", ["split_1", "select_2"], ["rest_1", "select_4"]],
                "quote",
                "output",
            ],
        ),
        (
            "both",
            [
                "input",
                ["branches", ["split_1", "with_column_2"], ["rest_1"], []],
                "select_5",
                "output",
            ],
        ),
        ("parted", ["input", "part", ["branches", ["with_column_4"], []], "output"]),
        ("one", ["input", "part", "output"]),
        (
            "ring",
            [
                "input",
                ["circle", ["echo", "part", ["fork", [], ["with_column_6"]]]],
                "output",
            ],
        ),
        ("two", [["fork", ["left"], ["right"]], "pair", "output"]),
        ("feeds", [["branches", ["trades", "filter_3"], ["quotes", "select_3"]], "output"]),
        (
            "out",
            [
                "input",
                ["branches", ["split_1"], ["rest_1", "filter_2"]],
                ["fork", ["big"], ["rest"]],
            ],
        ),
    ],
)
def test_a_plan_shows_what_a_user_wrote(name: str, expected: list[object]) -> None:
    assert shape(plan_of(FLOWS[name])) == expected


def test_a_join_has_a_port_for_each_branch() -> None:
    plan = plan_of(FLOWS["quoted"])
    assert [len(part.inlets) for part in plan] == [0, 1, 2, 1]
    assert len(plan[1].outlets) == 2


def test_what_reads_one_output_of_several_says_which() -> None:
    plan = plan_of(FLOWS["one"])
    assert [port.name for port in plan[1].outlets] == ["out", "back"]
    assert plan[2].inlets[0].takes == "back"


def test_branches_behind_a_loop_begin_at_its_outputs() -> None:
    plan = plan_of(FLOWS["parted"])
    assert [port.takes for port in plan[2].inlets] == ["out", "back"]


def test_a_loop_that_reads_inputs_directly_names_them() -> None:
    plan = plan_of(FLOWS["two"])
    assert [(port.name, port.takes) for port in plan[1].inlets] == [
        ("left", "left"),
        ("right", "right"),
    ]


def test_boxes_tell_kind_gil_and_schema() -> None:
    plan = plan_of(FLOWS["clicks"])
    lane = cast("Frame", plan[2]).lanes[0]
    long_url, running = cast("Step", lane[0]), cast("Step", lane[1])
    assert (long_url.holds_gil, running.holds_gil) == (True, False)
    assert running.kind == "keyed"
    assert "schema   user string, url string, ms bigint, total bigint" in running.hover
    assert plan[0].hover == "input\n  user string\n  url string\n  ms bigint"


def test_a_region_says_its_key_and_channels() -> None:
    frame = plan_of(FLOWS["clicks"])[2]
    assert frame.does == "by user, 1 to 8 channels"
    assert "order    stream" in frame.hover
