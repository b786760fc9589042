from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.bench import scheduler
from penstock.bench.contenders import QUICK_CASES
from penstock.bench.lifecycle import THREADINGS
from penstock.bench.programs import Program, own_program
from penstock.bench.report import Point
from penstock.bench.section import Section, Stage
from penstock.bench.suites import Size
from penstock.machine import cores


def nothing(_: str) -> None:
    pass


def test_a_tiny_run_gives_one_document_with_every_case(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "penstock", "bench", "scheduler"]
    command += ["--quick", "--json", "--scale", "0.001", "--peers", str(own_program())]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    points = {point["name"]: point for point in document["points"]}
    for case in QUICK_CASES:
        assert points[f"{case.name}/chain x1 b1 tuple"]["tuples_per_s"] > 0
        assert points[f"{case.name}/conveyor x2 b1024 tuple"]["order"] == "kept"
    assert points["latency at 100000 tuples/s/conveyor x2 b1024 tuple"]["p50_us"] > 0
    assert points["latency at half load/conveyor x2 b1024 tuple"]["due_per_s"] > 0
    for threading in THREADINGS:
        for what in ("operators", "selects"):
            assert points[f"flow of 1000 {what}/{threading}"]["start_ms"] > 0
            assert points[f"flow of 1000 {what}/{threading}"]["stop_ms"] > 0
    names = {target["name"] for target in document["targets"]}
    assert "pipeline of 100, cost 1: one thread / chain, tuple interface" in names
    assert "flow of 1000 operators/conveyor: start, ms" in names
    assert "flow of 1000 operators/automatic: stop, ms" in names
    assert "flow of 1000 selects/dedicated: start, ms" in names
    assert "pipeline of 100, cost 1: E1, context switches of dedicated / dynamic" in names
    told = [note.partition(" took ")[0] for note in document["notes"]]
    assert ("A cache line" in told) == (cores().usable > 1)


def test_missing_peers_are_said_with_the_way_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "peers_program", lambda _: None)
    monkeypatch.setattr(scheduler, "SECTIONS", ())
    (note,) = scheduler.measure(Size(), nothing).notes
    assert note.startswith("Peers (oneTBB) were not measured: `make bench SUITE=scheduler` ")
    assert "--peers PROGRAM" in note


def test_what_all_sections_found_comes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def section(name: str) -> Section:
        return Section((Point(name, {}),), notes=(f"note of {name}",))

    monkeypatch.setattr(scheduler, "peers_program", lambda _: own_program())
    monkeypatch.setattr(
        scheduler, "SECTIONS", (lambda _: section("first"), lambda _: section("second"))
    )
    findings = scheduler.measure(Size(), nothing)
    assert [point.name for point in findings.points] == ["first", "second"]
    assert findings.notes == ("note of first", "note of second")


def test_contenders_of_all_programs_take_turns_and_the_first_round_does_not_count() -> None:
    with Program(own_program()) as one, Program(own_program()) as other:
        told: list[str] = []
        stage = Stage(Size(), told.append, (one, other))
        assert stage.has("chain")
        assert not stage.has("nobody")
        numbers = iter(range(100))
        turns = {label: lambda: {"number": next(numbers)} for label in ("a", "b")}
        answers = stage.rounds_of(turns, 2, 60.0, "measuring ")
        again = stage.rounds_of(turns, 9, 0.0, "measuring ", warm_ups=0, least=2)
    assert answers == {"a": [{"number": 2}, {"number": 4}], "b": [{"number": 3}, {"number": 5}]}
    assert told[:3] == ["measuring a", "measuring b", "measuring a"]
    assert again == {"a": [{"number": 6}, {"number": 8}], "b": [{"number": 7}, {"number": 9}]}
