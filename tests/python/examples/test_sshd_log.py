from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.python.examples import oracle
from tests.python.examples.kernels import EXAMPLES

sys.path.insert(0, str(EXAMPLES))

import intruders
import sshd_log


def rows_of(log: sshd_log.Log) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pa.Table.from_batches(log.batches).to_pylist()
    return rows


def hidden_in(log: sshd_log.Log) -> list[tuple[int, int, str, str, int, int]]:
    return [(b.seq, b.time, b.rhost, b.user, b.failures, b.first) for b in log.break_ins]


@pytest.mark.parametrize("seed", [1, 2, 7])
@pytest.mark.parametrize("lines", [10_000, 61_234])
def test_the_hidden_break_ins_are_the_only_ones_that_a_plain_search_finds(
    lines: int, seed: int
) -> None:
    log = sshd_log.generate(lines, seed)
    found = oracle.alerts(oracle.events(rows_of(log), sshd_log.YEAR))
    assert hidden_in(log) == [
        (a.seq, a.time.timestamp(), a.rhost, a.user, a.failures, a.first.timestamp()) for a in found
    ]
    assert len(log.break_ins) == intruders.BREAK_INS


def test_the_log_has_the_length_asked_for_and_is_numbered_in_order_of_time() -> None:
    rows = rows_of(sshd_log.generate(20_001, seed=3))
    assert [row["seq"] for row in rows] == list(range(20_001))
    times = [oracle.time_of(str(row["line"]).split(), sshd_log.YEAR) for row in rows]
    assert times == sorted(times)


def test_the_log_has_lines_of_every_kind() -> None:
    lines = [str(row["line"]) for row in rows_of(sshd_log.generate(10_000, seed=3))]
    for text in (
        "Failed password for invalid user",
        "Failed password for root",
        "Accepted password for",
        "Accepted publickey for",
        "authentication failure; logname=",
        "Received disconnect from",
        "Connection closed by",
        "reverse mapping checking",
        "Did not receive identification string",
    ):
        assert any(text in line for line in lines), text
    assert not any("{" in line for line in lines)


def test_the_same_seed_writes_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    def written(name: str, seed: int) -> list[bytes]:
        sshd_log.write(tmp_path / name, 10_000, seed)
        return [file.read_bytes() for file in sorted((tmp_path / name).glob("*.parquet"))]

    first = written("first", 5)
    assert len(first) > 1
    assert written("again", 5) == first
    assert written("other", 6) != first


def test_a_log_that_is_there_is_used_again_with_what_is_hidden_in_it(tmp_path: Path) -> None:
    first = sshd_log.write(tmp_path / "log", 10_000, seed=5)
    part = tmp_path / "log" / "part-000.parquet"
    before = part.stat().st_mtime_ns
    assert sshd_log.write(tmp_path / "log", 10_000, seed=5) == first
    assert part.stat().st_mtime_ns == before


@pytest.mark.parametrize("change", ["half done", "made by an older generator"])
def test_a_log_that_cannot_be_trusted_is_made_anew(tmp_path: Path, change: str) -> None:
    first = sshd_log.write(tmp_path / "log", 10_000, seed=5)
    manifest = tmp_path / "log" / "_break_ins.json"
    (tmp_path / "log" / "part-000.parquet").write_bytes(b"")
    if change == "half done":
        manifest.unlink()
    else:
        manifest.write_text(json.dumps({"made_by": "an older one", "break_ins": []}))
    assert sshd_log.write(tmp_path / "log", 10_000, seed=5) == first
    assert pq.read_table(tmp_path / "log" / "part-000.parquet").num_rows > 0


@pytest.mark.parametrize("lines", [9_999, 50_000_001])
def test_a_length_outside_the_range_is_refused_with_the_range(lines: int) -> None:
    with pytest.raises(ValueError, match=f"lines must be 10000 to 50000000, got {lines}"):
        sshd_log.generate(lines, seed=1)


def test_a_time_too_short_for_a_story_is_refused() -> None:
    with pytest.raises(ValueError, match="too short"):
        intruders.stories(seed=1, seconds=intruders.LONGEST)


@pytest.mark.parametrize("seed", range(20))
def test_no_story_outlasts_its_time_or_shares_a_host(seed: int) -> None:
    told = intruders.stories(seed, seconds=2_000)
    hosts = [{attempt.host for attempt in story.attempts} for story in told]
    assert sum(len(each) for each in hosts) == len(set().union(*hosts))
    for story in told:
        seconds = [attempt.second for attempt in story.attempts]
        assert seconds == sorted(seconds)
        assert seconds[0] >= 0
        assert seconds[-1] < 2_000
        assert story.attempts[-1].succeeds
