from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python.drawing.example_flows import FLOWS, clicks

from penstock import Flow, flow
from penstock.drawing.sheet import NAMESPACE, flow_svg
from penstock.drawing.tags import hover, tag, words
from penstock.metrics import FlowMetrics, LevelChange, OperatorMetrics, WorkerMetrics
from penstock.plain_text import visible

ALLOWED = {"svg", "g", "rect", "path", "circle", "text", "tspan", "title", "style", "line"}
EVIL = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "']]>--><!--",
    "&amp;&lt;",
    "\x00\x07\x1b[31m\x9b",
    "turned \u202e round \u2066",
    "\U0001f680\U0001f469\u200d\U0001f52c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "\ud800 lone",
    "\ufffe\uffff",
    "x" * 5000,
]


def elements(svg: str) -> Iterator[tuple[str, ElementTree.Element]]:
    for element in ElementTree.fromstring(svg).iter():
        yield element.tag.removeprefix(f"{{{NAMESPACE}}}"), element


def check_safe(svg: str) -> None:
    """Well-formed, of plain shapes only, with nothing to run and nothing to load."""
    for name, element in elements(svg):
        assert name in ALLOWED, name
        for key, value in element.attrib.items():
            assert not key.startswith("on"), key
            assert "href" not in key
            assert "url(" not in value
            assert "script" not in value or key == "aria-label"
    outside = svg.replace(f'xmlns="{NAMESPACE}"', "")
    assert not re.search(r"https?:", re.sub(r"<title>.*?</title>", "", outside, flags=re.DOTALL))


def text_of(svg: str) -> str:
    return "".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", FLOWS)
def test_a_drawing_is_well_formed_and_loads_nothing(name: str, alone: bool) -> None:
    check_safe(flow_svg(FLOWS[name], alone=alone))


def renamed(made: Flow, text: str) -> Flow:
    """A flow with names that the methods of a flow refuse, but a picture must bear."""
    operators = [dataclasses.replace(one, name=text) for one in made.operators]
    return dataclasses.replace(made, name=text, operators=tuple(operators))


@pytest.mark.parametrize("evil", EVIL)
def test_names_and_columns_cannot_break_out(evil: str) -> None:
    column = evil.replace("\ud800", "").replace("\x00", "") or "x"
    given_schema = pa.schema([(column, pa.int64())])
    made = flow("f", given_schema).filter(pc.field(column) > 1)
    svg = flow_svg(renamed(made, evil))
    check_safe(svg)
    assert "<script" not in svg
    assert "<img" not in svg
    assert "\x1b" not in svg
    assert "\u202e" not in svg


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_stays_text(text: str) -> None:
    made = tag("g", hover(text), tag("text", words(text)), data_any=text)
    root = ElementTree.fromstring(made)
    assert [one.tag for one in root] == (["title", "text"] if text else ["text"])
    expected = "\n".join(visible(line) for line in text.split("\n"))
    assert (root[-1].text or "") == expected
    assert root.attrib["data-any"] == expected.replace("\n", " ")


def test_a_long_name_is_shortened_and_told_on_hovering() -> None:
    long = "a_name_" * 40
    svg = flow_svg(flow("f", "n long").filter(pc.field("n") > 1, name=long))
    shown = [one.text or "" for name, one in elements(svg) if name == "text"]
    assert any(text.startswith("a_name_") and text.endswith("…") for text in shown)
    titles = [one.text or "" for name, one in elements(svg) if name == "title"]
    assert any(text.startswith(long) for text in titles)


def test_operators_that_hold_the_gil_wear_a_badge() -> None:
    made = flow("f", "n long").map(lambda batch: batch).filter(pc.field("n") > 1)
    shown = [one.text for name, one in elements(flow_svg(made)) if name == "text"]
    assert shown.count("GIL") == 1


METRICS = FlowMetrics(
    operators=(
        OperatorMetrics("timed", 4, 4000, 3000, busy=0.25, waiting_mean=0.5, waiting_most=1),
        OperatorMetrics("per_user", 4, 3000, 3000, busy=0.7, waiting_mean=40, waiting_most=64),
        OperatorMetrics("seen+slowest", 4, 3000, 3000, busy=0.05),
        OperatorMetrics("select_7", 4, 3000, 3000),
    ),
    workers=(WorkerMetrics(0, busy=1.0, seconds=1.0),),
    levels=(LevelChange(0.0, 1),),
    seconds=1.0,
    runs=4,
)


def test_a_measured_drawing_shows_rows_time_and_queues() -> None:
    svg = flow_svg(clicks(), METRICS)
    check_safe(svg)
    text = text_of(svg)
    assert "4.00 k → 3.00 k rows" in text
    assert "3.00 k → 3.00 k rows, 70% of the time" in text
    assert "25%" in text
    assert "40.0 tuples waited before it on average, 64 at most" in text
    assert "4.00 k rows in, 3.00 k out in 1.00 s, 4.00 k rows/s; 1 thread 100% busy" in text


def test_a_hotter_operator_is_drawn_hotter() -> None:
    def heat(share: float) -> float:
        rest = OperatorMetrics("pick", busy=share), OperatorMetrics("keep", busy=1 - share)
        metrics = FlowMetrics(rest, (), (), seconds=1.0)
        made = flow("f", "n long").select("n", name="pick").filter(pc.field("n") > 1, name="keep")
        boxes = [one for name, one in elements(flow_svg(made, metrics)) if name == "rect"]
        return max(
            float(one.attrib["fill-opacity"])
            for one in boxes
            if one.attrib.get("rx") == "7" and one.attrib["fill"] == "#f0883e"
        )

    assert heat(0.9) > heat(0.6)


def test_a_picture_that_stands_alone_has_light_and_dark_paper() -> None:
    svg = clicks().to_svg()
    assert "prefers-color-scheme:dark" in svg
    assert "<style" not in flow_svg(clicks())
