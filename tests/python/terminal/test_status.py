from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.terminal.status import MOST_BYTES, read_status, status_of

GOOD: dict[str, Any] = {
    "version": 1,
    "flow": "clicks",
    "pid": 42,
    "host": "here",
    "executor": "driver",
    "application": "local-1",
    "stage": 3,
    "partition": 1,
    "attempt": 0,
    "task": 9,
    "started": 1_700_000_000.5,
    "seconds": 2.5,
    "state": "running",
    "error": None,
    "threads": 2,
    "rows_in": 1000,
    "rows_out": 10,
    "operators": [
        {
            "name": "pick",
            "kind": "stateless",
            "gil": True,
            "tuples": 4,
            "rows_in": 1000,
            "rows_out": 10,
            "busy": 1.5,
            "waiting_mean": 0.5,
            "waiting_most": 3,
        },
        {"name": "keep", "busy": 0.5},
    ],
    "workers": [],
    "levels": [[0.0, 2]],
    "channels": {"region": 4},
    "decisions": [],
}


def test_a_status_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pe-1.json"
    path.write_text(json.dumps(GOOD))
    said = read_status(path)
    assert (said.flow, said.stage, said.partition, said.rows_in) == ("clicks", 3, 1, 1000)
    assert said.busiest is not None
    assert (said.busiest[0].name, said.busiest[1]) == ("pick", 0.75)
    assert said.channels == {"region": 4}
    assert json.loads(json.dumps(said.to_dict()))["operators"][0]["gil"] is True


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 2}, "version 2, not 1"),
        ({"version": None}, "version None, not 1"),
        ({"state": "dancing"}, "state 'dancing'"),
        ({"rows_in": -1}, "rows_in must be a whole number"),
        ({"rows_in": 1.5}, "rows_in must be a whole number"),
        ({"rows_in": 2**70}, "rows_in must be a whole number"),
        ({"rows_in": True}, "rows_in must be a whole number"),
        ({"seconds": "long"}, "seconds must be a number"),
        ({"flow": ["f"]}, "flow must be text"),
        ({"operators": {}}, "operators must be a list"),
        ({"operators": [3]}, "operators must be objects"),
        ({"operators": [{}] * 5000}, "operators must be a list of 4,096"),
        ({"channels": {"r": "many"}}, "channels must be a whole number"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        status_of(GOOD | change)


def test_names_cannot_reach_the_terminal() -> None:
    said = status_of(GOOD | {"flow": "\x1b]0;owned\x07" + "x" * 10_000, "error": "\u202e"})
    assert said.flow.startswith("\\x1b]0;owned\\x07xxx")
    assert len(said.flow) <= 500
    assert said.error == "\\u202e"


def bad(tmp_path: Path, content: bytes) -> str:
    path = tmp_path / "pe-1.json"
    path.write_bytes(content)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the caller looks at the text
        read_status(path)
    return str(caught.value)


def test_large_nested_and_odd_files_are_refused(tmp_path: Path) -> None:
    assert "larger than" in bad(tmp_path, b" " * (MOST_BYTES + 1))
    assert "nested too deeply" in bad(tmp_path, b"[" * 200_000)
    assert "not an object" in bad(tmp_path, b"[]")
    assert "NaN is not a number" in bad(tmp_path, b'{"version": NaN}')
    bad(tmp_path, b"\xff\xfe")
    bad(tmp_path, b"{")
    bad(tmp_path, b"9" * 10_000)


def test_links_pipes_and_folders_are_not_read(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text(json.dumps(GOOD))
    link, pipe = tmp_path / "pe-link.json", tmp_path / "pe-pipe.json"
    link.symlink_to(target)
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="symbolic links"):
        read_status(link)
    with pytest.raises(ValueError, match="not a plain file"):
        read_status(pipe)
    with pytest.raises((OSError, ValueError)):
        read_status(tmp_path)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(GOOD)), ANY, max_size=4))
def test_any_document_is_read_or_refused_in_words(changes: dict[str, Any]) -> None:
    try:
        said = status_of(GOOD | changes)
    except ValueError:
        return
    assert json.dumps(said.to_dict(), allow_nan=False)
