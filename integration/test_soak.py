"""That `make soak` measures, and that its judge sees what grows; not how flat anything is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from integration.soak.flatness import judged

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


def test_a_short_soak_tells_what_it_measured(tmp_path: Path) -> None:
    report = tmp_path / "soak.json"
    command = [sys.executable, "-m", "integration.soak", "--seconds", "3", "--json", str(report)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    found = json.loads(report.read_text())
    assert done.returncode == (0 if found["flat"] and found["enough"] else 1), done.stderr
    assert found["channel_changes"] >= 20 * found["rounds"]
    names = {series["name"] for series in found["series"]}
    assert {"driver MiB", "workers MiB", "worker threads", "worker descriptors"} <= names
    by_name = {series["name"]: series for series in found["series"]}
    assert by_name["workers"]["last"] >= 1
    assert by_name["worker threads"]["last"] >= by_name["workers"]["last"]
    assert "soak: 3 s" in done.stdout
