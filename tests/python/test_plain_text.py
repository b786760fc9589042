from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.plain_text import cells, shortened, visible


@pytest.mark.parametrize("text", ["plain", "ümläut", "数据", "🚀", "👩\u200d🔬", "שלום", ""])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b2J", "\\x9b2J"),
        ("a\rb\nc\td", "a\\x0db\\x0ac\\x09d"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
        ("\ufeff", "\\ufeff"),
    ],
)
def test_what_moves_cursors_or_turns_text_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    assert all(one.isprintable() or one in "\u200c\u200d" for one in visible(text))
    assert visible(visible(text)) == visible(text)


@given(st.text(), st.integers(1, 30))
def test_what_is_shortened_fits(text: str, most: int) -> None:
    short = shortened(visible(text), most)
    assert cells(short) <= most
    assert short == visible(text) or short.endswith("…")
