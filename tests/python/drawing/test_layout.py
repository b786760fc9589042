from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python.drawing.example_flows import FLOWS, long_one
from tests.python.drawing.random_plans import PLANS

from penstock import Flow
from penstock.drawing.layout import layout
from penstock.drawing.parts import Chain, Frame, Port, Step, steps_of
from penstock.drawing.places import Block, Box, Point
from penstock.drawing.plan import plan_of

WIDTHS = st.sampled_from([200.0, 600.0, 940.0])


def contains(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width + 1e-6
        and inner.y + inner.height <= outer.y + outer.height + 1e-6
    )


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def spots(box: Box) -> list[Point]:
    own = (*box.inlets, *box.outlets, *((box.control,) if box.control else ()))
    return [(spot.x, spot.y) for spot in own]


def check(picture: Block) -> None:
    for one, other in combinations(picture.boxes, 2):
        # Frames come before what is in them.
        if isinstance(one.part, Frame) and other.depth > one.depth and overlap(one, other):
            assert contains(one, other), (one, other)
        elif overlap(one, other):
            # An empty frame that is not seen, around lanes without a box, covers nothing.
            assert {one.part, other.part} & {box.part for box in picture.boxes if _unseen(box)}
    for box in picture.boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= picture.width + 1e-6
        assert box.y + box.height <= picture.height + 1e-6
        for x, y in spots(box):
            assert x == pytest.approx(box.x) or x == pytest.approx(box.x + box.width)
            assert box.y - 1e-6 <= y <= box.y + box.height + 1e-6
    for edge in picture.edges:
        for (ax, ay), (bx, by) in pairwise(edge.points):
            assert ax == pytest.approx(bx) or ay == pytest.approx(by), "edges have right angles"
            assert -1e-6 <= min(ax, bx) <= max(ax, bx) <= picture.width + 1e-6
            assert -1e-6 <= min(ay, by) <= max(ay, by) <= picture.height + 1e-6


def _unseen(box: Box) -> bool:
    return isinstance(box.part, Frame) and box.part.style == "fork"


def ends(picture: Block) -> set[Point]:
    rounded = {(round(x, 3), round(y, 3)) for box in picture.boxes for x, y in spots(box)}
    lanes = {
        (round(x, 3), round(y, 3))
        for edge in picture.edges
        for x, y in (edge.points[0], edge.points[-1])
        if any(note.y + 5 == pytest.approx(y) for note in picture.notes)
    }
    return rounded | lanes


@given(PLANS, WIDTHS, st.booleans())
@settings(max_examples=150, deadline=None)
def test_boxes_overlap_only_if_one_is_in_the_other(
    plan: Chain, width: float, measured: bool
) -> None:
    names = {step.name for step in steps_of(plan)} if measured else set()
    check(layout(plan, width, measured=names))


@given(PLANS, WIDTHS)
@settings(max_examples=150, deadline=None)
def test_every_edge_begins_and_ends_at_a_port_or_passes_an_empty_lane(
    plan: Chain, width: float
) -> None:
    picture = layout(plan, width)
    known = ends(picture)
    for edge in picture.edges:
        for x, y in (edge.points[0], edge.points[-1]):
            assert (round(x, 3), round(y, 3)) in known


@given(PLANS, WIDTHS)
@settings(max_examples=100, deadline=None)
def test_every_step_is_drawn_once(plan: Chain, width: float) -> None:
    picture = layout(plan, width)
    drawn = [box.part for box in picture.boxes if isinstance(box.part, Step)]
    assert sorted(map(id, drawn)) == sorted(map(id, steps_of(plan)))


@pytest.mark.parametrize("name", FLOWS)
def test_pictures_of_flows_are_laid_out_well(name: str) -> None:
    made: Flow = FLOWS[name]
    picture = layout(plan_of(made), 940)
    check(picture)
    touched = {
        (round(x, 3), round(y, 3))
        for edge in picture.edges
        for x, y in (edge.points[0], edge.points[-1])
    }
    for box in picture.boxes:
        for spot in box.inlets:
            assert (round(spot.x, 3), round(spot.y, 3)) in touched, f"{name}: {box.part.name}"


def test_sixty_operators_fit_into_the_width_of_a_notebook() -> None:
    picture = layout(plan_of(long_one(60)), 940)
    assert picture.width <= 940
    rows = {box.y for box in picture.boxes}
    assert len(rows) > 5


def test_a_few_operators_stand_in_one_row() -> None:
    plan = (Step("a", "x", inlets=()), Step("b", "y"), Step("c", "z", outlets=()))
    assert len({box.y for box in layout(plan, 940).boxes}) == 1


def test_an_input_that_names_an_output_is_joined_to_it() -> None:
    loop = Step("loop", "part", outlets=(Port("big"), Port("small")))
    behind = Step("behind", "take", inlets=(Port(takes="small"),), outlets=())
    picture = layout((loop, behind), 940)
    (edge,) = picture.edges
    assert edge.points[0] == (picture.boxes[0].outlets[1].x, picture.boxes[0].outlets[1].y)


def test_what_goes_back_in_a_circle_ends_at_the_control_port() -> None:
    first = Step("first", "loop", control=Port("before"))
    circle = Frame("ring", "circle", "back to before", ((first, Step("last", "select")),))
    picture = layout((circle,), 940)
    (back,) = [edge for edge in picture.edges if edge.back]
    control = next(box.control for box in picture.boxes if box.control)
    assert back.points[-1] == (control.x, control.y)
