from __future__ import annotations

import sys

import pytest
from tests.python.examples.kernels import EXAMPLES

from penstock.bench.interleave import Timing

sys.path.insert(0, str(EXAMPLES))

import stage


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (2.0, "and 2.00 x as fast as pyarrow.compute by hand"),
        (1.0, "It is as fast as the same pyarrow.compute written by hand"),
        (0.5, "It is slower (0.50 x the speed) than the same pyarrow.compute"),
    ],
)
def test_the_verdict_says_plainly_when_the_flow_is_not_faster(columns: float, words: str) -> None:
    timings = {
        stage.ROWS: Timing((4.0,)),
        stage.COLUMNS: Timing((columns,)),
        stage.FLOW: Timing((1.0,)),
    }
    said = stage.verdict(timings)
    assert said.startswith("The flow is 4.0 x as fast as the loop over rows")
    assert words in said
