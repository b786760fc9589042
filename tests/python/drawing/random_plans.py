"""Plans of pictures, drawn by lot: any nesting, any number of ports, any text."""

from __future__ import annotations

from typing import cast

from hypothesis import strategies as st

from penstock.drawing.parts import ONE, Chain, Frame, Part, Port, Step, Style

WORDS = st.text(max_size=40)
KINDS = st.sampled_from(["stateless", "keyed", "stateful"])


def ports(most: int) -> st.SearchStrategy[tuple[Port, ...]]:
    return st.lists(st.builds(Port, WORDS, WORDS), min_size=1, max_size=most).map(tuple)


STEPS = st.builds(
    Step,
    WORDS,
    WORDS,
    KINDS,
    st.booleans(),
    WORDS,
    inlets=ports(4),
    outlets=ports(4),
    control=st.none() | st.builds(Port, WORDS),
)


@st.composite
def frames(draw: st.DrawFn, inside: st.SearchStrategy[Chain]) -> Part:
    style = draw(st.sampled_from(["region", "branches", "circle", "together", "fork"]))
    lanes = draw(st.lists(inside, min_size=1, max_size=3))
    if style in ("region", "circle", "together"):
        lanes = [lane or (Step("one", "pass"),) for lane in lanes[:1]]
    each = tuple(Port() for _ in lanes)
    inlets, outlets = (draw(st.sampled_from([ONE, each])) for _ in range(2))
    return Frame(
        draw(WORDS),
        cast("Style", style),
        draw(WORDS),
        tuple(lanes),
        draw(KINDS),
        draw(WORDS),
        inlets,
        outlets,
    )


PLANS: st.SearchStrategy[Chain] = st.recursive(
    st.lists(STEPS, max_size=6).map(tuple),
    lambda inside: st.lists(STEPS | frames(inside), max_size=5).map(tuple),
    max_leaves=12,
)
