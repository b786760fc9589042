"""How far apart the cores are is found while something else is measured, and told."""

from __future__ import annotations

import re

from penstock.bench.core_distance import CoreDistance, note_of
from penstock.bench.section import Stage
from penstock.bench.suites import Size
from penstock.machine import cores


def test_it_is_looked_at_before_and_after_each_group_of_rounds() -> None:
    with CoreDistance() as distance:
        stage = Stage(Size(), lambda _: None, (), distance)
        assert distance.notes() == ()
        stage.rounds_of({"a": dict}, 1, 60.0, "")
        stage.rounds_of({"b": dict}, 1, 60.0, "")
        notes = distance.notes()
    if cores().usable == 1:
        assert notes == ()
    else:
        assert re.search(r"took \d+ ns .* in 4 looks", notes[0])


def test_the_median_and_the_ends_are_told() -> None:
    (note,) = note_of([50.0, 300.0, 80.0])
    assert "took 80 ns from one core to the other (50 to 300 ns in 3 looks" in note
