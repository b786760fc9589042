"""Keyed operators of the library are spread over channels without being asked."""

from __future__ import annotations

import pytest

from penstock import Flow, agg, flow, windows
from penstock.parallel import Region
from penstock.regions import joined

START = flow("f", "k long, n long")
KEYED = {
    "dedup": START.key_by("k").dedup(name="one"),
    "window": START.key_by("k").window(windows.tumbling(rows=2), flush=True).agg(n=agg.count()),
    "top_k": START.key_by("k").top_k(2, by="n"),
}


@pytest.mark.parametrize("made", KEYED.values(), ids=KEYED)
def test_an_operator_that_does_not_divide_itself_gets_a_region(made: Flow) -> None:
    (region,) = joined(made.operators, 4)
    assert isinstance(region, Region)
    assert region.by == ("k",)
    assert (region.channels.least, region.channels.most) == (4, 4)
    assert region.operators == made.operators


def test_one_that_divides_itself_gets_none_and_one_part_needs_none() -> None:
    running = START.key_by("k").running(seen=agg.count())
    assert tuple(joined(running.operators, 4)) == running.operators
    assert tuple(joined(KEYED["dedup"].operators, 1)) == KEYED["dedup"].operators
