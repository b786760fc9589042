from __future__ import annotations

import os
from pathlib import Path

import pytest

from penstock import _native
from penstock.executor.ledger import places, tasks_running


def test_what_the_engine_writes_is_read(tmp_path: Path) -> None:
    file = tmp_path / "threads"
    first = _native.Seat(str(file), cores=4, guaranteed=1)
    second = _native.Seat(str(file), cores=4, guaranteed=2)
    first.look(wanted=3, most=3, rows=17)
    assert first.raise_to(2) == 2
    found = places(file)
    assert [place.pid for place in found] == [os.getpid(), os.getpid()]
    assert [(place.guaranteed, place.wanted, place.in_use) for place in found] == [
        (1, 3, 2),
        (2, 2, 2),
    ]
    assert [place.rows for place in found] == [17, 0]
    assert found[0].started == found[1].started > 0
    second.lower_to(1)
    assert places(file)[1].in_use == 2, "what Spark gave to a task stays with it"
    second.leave()
    assert len(places(file)) == 1
    assert tasks_running(file) == -1, "there is no JVM to say"


@pytest.mark.parametrize("page", [b"", b"PSBudget", b"x" * 32768])
def test_something_else_is_refused(tmp_path: Path, page: bytes) -> None:
    (tmp_path / "threads").write_bytes(page)
    with pytest.raises(ValueError, match="is no ledger of threads"):
        places(tmp_path / "threads")


def test_another_version_is_refused(tmp_path: Path) -> None:
    _native.Seat(str(tmp_path / "threads"), cores=1, guaranteed=1).leave()
    page = bytearray((tmp_path / "threads").read_bytes())
    page[8] = 2
    (tmp_path / "threads").write_bytes(page)
    with pytest.raises(ValueError, match="has version 2, and this Penstock knows 1"):
        places(tmp_path / "threads")
