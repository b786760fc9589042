"""That `make soak` measures, checks its rows and sees what grows; in seconds nothing is flat yet."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from integration.soak import load
from integration.soak.flatness import judged

# Two tasks at once; Spark's daemon may fork one more worker while another gives its own back.
MOST_WORKERS = 3
# Spark's own, and one of pyarrow's for reading; a flow here has three.
MOST_THREADS = 3
STEADY = [(float(at), 100.0 + at % 3) for at in range(60)]
LEAK = [(float(at), 100.0 + at / 10) for at in range(60)]
ONE_JUMP = [(float(at), 100.0 if at < 27 else 104.0) for at in range(60)]


@pytest.mark.parametrize(
    ("points", "flat"),
    [(STEADY, True), (LEAK, False), (ONE_JUMP, True)],
    ids=["steady", "leak", "jump"],
)
def test_memory_may_jump_but_not_climb(points: list[tuple[float, float]], flat: bool) -> None:
    assert judged("MiB", points, most_per_minute=1.0).flat is flat


def test_what_is_counted_may_not_grow_at_all() -> None:
    assert judged("threads", STEADY, most_per_minute=0).flat
    assert not judged("threads", LEAK, most_per_minute=0).flat
    assert judged("threads", [(at, 8.0) for at, _ in STEADY], most_per_minute=0).flat


@pytest.mark.parametrize(
    ("options", "way"),
    [([], "with the plugin"), (["--wheel-alone"], "the wheel alone")],
    ids=["plugin", "wheel alone"],
)
def test_a_short_soak_tells_what_it_measured(options: list[str], way: str, tmp_path: Path) -> None:
    report = tmp_path / "soak.json"
    command = [sys.executable, "-m", "integration.soak", "--seconds", "3", "--json", str(report)]
    command += options
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert report.exists(), done.stderr
    found = json.loads(report.read_text())
    assert done.returncode == (0 if found["flat"] and found["enough"] else 1), done.stderr
    assert found["channel_changes"] >= 20 * found["rounds"]
    names = {series["name"] for series in found["series"]}
    assert {"driver MiB", "workers MiB", "worker threads", "worker descriptors"} <= names
    by_name = {series["name"]: series for series in found["series"]}
    assert by_name["workers"]["last"] >= 1
    assert by_name["worker threads"]["last"] >= by_name["workers"]["last"]
    assert f"soak: 3 s, {way}, " in done.stdout
    # What needs no time to be judged: all rows were right, or there would be no report.
    assert by_name["files"]["last"] == 0, "no file of a flow is left between two jobs"
    assert by_name["workers"]["last"] <= MOST_WORKERS
    threads = by_name["worker threads"]["last"] / by_name["workers"]["last"]
    assert threads <= MOST_THREADS, "no thread of a flow is left between two jobs"


@pytest.mark.parametrize("wrong", [(-1, 0), (0, 1)], ids=["rows", "total"])
def test_a_soak_stops_where_a_row_is_wrong(wrong: tuple[int, int]) -> None:
    right = load.ROWS, load.sum_of_totals(1)
    load.check("here", right, 1)
    with pytest.raises(AssertionError, match="rows and the sum of totals are"):
        load.check("here", (right[0] + wrong[0], right[1] + wrong[1]), 1)
