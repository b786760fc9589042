"""Patterns on random rows, tuples and threads: a search through all subsets of rows finds the same."""

from __future__ import annotations

import itertools
from typing import Any

import pyarrow.compute as pc
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.prop.comparison import EXAMPLES
from tests.prop.two_sides import START, often, run

Word = str | None
# Of no word it is not known whether it fits, so it does not; no key is a key of its own.
WORDS = ["a", "b", "c", "ab", "ac", "", "x", None]
KEYS = [0, 1, None]


@settings(often, max_examples=4 * EXAMPLES)  # what a `next` behind a `+` forbids is rare
@given(st.data())
def test_patterns_equal_a_search_through_all_subsets(data: st.DataObject) -> None:
    steps = data.draw(
        st.lists(
            st.tuples(
                st.sampled_from("abc"),
                st.sampled_from([(1, 1), (2, 2), (1, 2), (2, 3), (1, 99), (2, 99)]),
                st.booleans(),
            ),
            min_size=1,
            max_size=3,
        )
    )
    words = data.draw(st.lists(st.sampled_from(WORDS), max_size=11))
    keys = [data.draw(st.sampled_from(KEYS)) for _ in words]
    gaps = [data.draw(st.none() | st.integers(0, 3)) for _ in words]
    # A row without a time is none for a pattern, wherever it stands.
    times = [
        None if gap is None else so_far
        for gap, so_far in zip(gaps, itertools.accumulate(gap or 0 for gap in gaps), strict=True)
    ]
    within = data.draw(st.none() | st.integers(0, 12))
    text = " ".join(
        ("" if place == 0 else "next " if strict else "then ")
        + f"{name}{{{least},{'' if most == 99 else most}}}"
        for place, (name, (least, most), strict) in enumerate(steps)
    )
    named = {n: pc.match_substring(pc.field("k"), n) for n, _, _ in steps}
    made = run(
        START.key_by("side").pattern(text, on="ts", within=within, **named),
        [
            {"side": key, "k": word, "ts": ts, "v": 0}
            for key, word, ts in zip(keys, words, times, strict=True)
        ],
        data,
    )
    right = []
    for key in KEYS:
        timed = [
            (place, time, words[place])
            for place, time in enumerate(times)
            if keys[place] == key and time is not None
        ]
        places = [place for place, _, _ in timed]
        own = [(time, word) for _, time, word in timed]
        right += [(places[last], (key, *match)) for last, match in _search(steps, own, within)]
    right.sort(key=lambda found: found[0])
    assert made == [match for _, match in right], "each when its last row comes"


def _search(
    steps: Any, rows: list[tuple[int, Word]], within: int | None
) -> list[tuple[int, tuple[int, ...]]]:
    """The place of the last row, and what is made of it."""
    found: list[tuple[int, tuple[int, ...]]] = []
    begin = 0
    for last in range(len(rows)):
        for first in range(begin, last + 1):
            span = rows[last][0] - rows[first][0]
            if (within is None or span <= within) and _some_subset(steps, rows[first : last + 1]):
                match = (rows[first][0], rows[last][0], last - first + 1)
                found.append((last, match))
                begin = last + 1
                break
    return found


def _some_subset(steps: Any, rows: list[tuple[int, Word]]) -> bool:
    inner = range(1, len(rows) - 1)
    for count in range(len(inner) + 1):
        for chosen in itertools.combinations(inner, count):
            taken = [0, *chosen, len(rows) - 1] if len(rows) > 1 else [0]
            if _fits(steps, [rows[place][1] for place in taken], taken):
                return True
    return False


def _fits(steps: Any, words: list[Word], places: list[int]) -> bool:
    """Whether the rows taken are one step after the other, each as often as it may be."""
    if not steps:
        return not words
    name, (least, most), _ = steps[0]
    for count in range(least, min(most, len(words)) + 1):
        if not all(word is not None and name in word for word in words[:count]):
            return False
        strict = len(steps) > 1 and steps[1][2]
        if strict and (count == len(places) or places[count] != places[count - 1] + 1):
            continue
        if _fits(steps[1:], words[count:], places[count:]):
            return True
    return False
