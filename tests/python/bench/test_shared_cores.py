from __future__ import annotations

import json
from pathlib import Path

import pytest

import penstock
from penstock.bench.placed import PARTITION, sequential
from penstock.bench.shared_cores import _reaction, _reaction_target
from penstock.busy_work import with_work


def write(folder: Path, part: int, ended: float, *levels: tuple[float, int]) -> None:
    (folder / f"{part}.json").write_text(json.dumps({"ended": ended, "levels": levels}))


PERIOD = 0.1


def test_the_reaction_counts_from_the_end_of_the_last_other_task(tmp_path: Path) -> None:
    write(tmp_path, 0, 20.0, (2.0, 2), (3.0, 1), (10.25, 2))
    write(tmp_path, 1, 9.0)
    write(tmp_path, 2, 10.0)
    assert _reaction(tmp_path, PERIOD) == pytest.approx(0.25)


def test_a_task_that_had_both_cores_already_did_not_wait(tmp_path: Path) -> None:
    write(tmp_path, 0, 20.0, (2.0, 2))
    write(tmp_path, 1, 10.0)
    assert _reaction(tmp_path, PERIOD) == 0.0


def test_a_task_that_never_got_both_cores_waited_to_its_end(tmp_path: Path) -> None:
    write(tmp_path, 0, 20.0, (2.0, 2), (3.0, 1))
    write(tmp_path, 1, 10.0)
    assert _reaction(tmp_path, PERIOD) == pytest.approx(10.0)


def test_nothing_is_said_where_the_first_task_was_not_alone_for_a_period(tmp_path: Path) -> None:
    write(tmp_path, 0, 20.0)
    write(tmp_path, 1, 19.95)
    assert _reaction(tmp_path, PERIOD) is None
    write(tmp_path, 1, 30.0)
    assert _reaction(tmp_path, PERIOD) is None


def test_the_sequential_program_makes_what_the_operator_makes_of_every_row() -> None:
    rounds = 37
    table = sequential([3, 2], rounds)
    rows = table.select(["part", "n"])
    flow = with_work(penstock.flow("working", "part bigint, n bigint"), "n", rounds)
    assert flow.run(rows).table.equals(rows.append_column("worked", table["worked"]))
    assert rows.to_pydict() == {"part": [0, 0, 0, 1, 1], "n": [1, 2, 3, 1, 2]}
    assert table["place"].to_pylist() == [0, 1, 2, PARTITION, PARTITION + 1]


def test_the_goal_is_that_of_the_middle_round() -> None:
    assert _reaction_target([0.02, 0.09, 5.0], PERIOD).holds
    assert not _reaction_target([0.02, 0.11, 5.0], PERIOD).holds


def test_the_goal_is_missed_where_no_round_showed_anything() -> None:
    target = _reaction_target([], PERIOD)
    assert target.name == _reaction_target([0.02], PERIOD).name
    assert not target.holds
    assert target.note == "no round showed it"
