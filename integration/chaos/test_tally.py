"""The last test: what the others did was as much as it had to be."""

from __future__ import annotations

import pytest

from integration.chaos.tally import LEAST, LEAST_KILLS, MOST_CANCEL_SECONDS, Tally
from integration.chaos.verdict import Verdict


@pytest.mark.parametrize("kind", LEAST)
def test_there_was_enough_of_it(kind: str, tally: Tally) -> None:
    assert tally.done[kind] >= LEAST[kind], str(tally)


def test_there_were_enough_kills_and_cancels_were_quick(tally: Tally) -> None:
    assert tally.kills >= LEAST_KILLS, str(tally)
    assert max(tally.cancel_seconds) <= MOST_CANCEL_SECONDS, str(tally)
    assert tally.verdicts
    assert all(verdict.good for verdict in tally.verdicts)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ([1, 2, 4], "lost"),
        ([1, 2, 3, 3, 4], "duplicated"),
        ([1, 3, 2, 4], "misplaced"),
    ],
)
def test_the_judge_sees_what_is_wrong(found: list[int], why: str) -> None:
    verdict = Verdict.of([(n, n) for n in found], [(n, n) for n in (1, 2, 3, 4)])
    assert getattr(verdict, why) == 1
    assert not verdict.good
