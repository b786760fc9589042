from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from penstock.bench import cli
from penstock.bench.report import Findings, Point, Target
from penstock.bench.suites import BenchError, Size, Suite, Tell

MISSED = Findings((Point("p", {"median_s": 1.0}),), (Target("t", 2.0, most=1.0),))


def call(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    cli.add_arguments(parser)
    return cli.run(parser.parse_args(arguments))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Size]:
    """Replace all suites by one that measures nothing; return the sizes it was asked for."""
    sizes: list[Size] = []

    class Instant(Suite):
        def measure(self, size: Size, tell: Tell) -> Findings:
            tell("measuring nothing")
            sizes.append(size)
            return MISSED

    monkeypatch.setattr(cli, "find", lambda name: Instant(name, "nothing", "no.module"))
    return sizes


def test_json_is_the_only_thing_on_standard_output(
    asked: list[Size], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("instant", "--json", "--quick", "--scale", "0.5") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["suite"] == "instant"
    assert document["points"] == [{"name": "p", "median_s": 1.0}]
    assert asked == [Size(quick=True, scale=0.5)]


def test_the_program_with_the_peers_is_handed_on(asked: list[Size]) -> None:
    assert call("instant", "--peers", "some/program") == 0
    assert asked == [Size(peers=Path("some/program"))]


@pytest.mark.usefixtures("asked")
def test_a_missed_target_is_shown_and_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("instant") == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "<= 1" in line)
    assert line.split() == ["t", "2", "<=", "1", "no"]


def test_the_list_names_each_suite_and_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--list") == 0
    assert "transport  what an identity flow costs" in capsys.readouterr().out
    assert call("--list", "--json") == 0
    assert json.loads(capsys.readouterr().out)["suites"][0]["name"] == "transport"


def test_a_missing_suite_is_answered_with_the_way_to_the_list() -> None:
    with pytest.raises(BenchError, match="penstock bench --list"):
        call()


@pytest.mark.parametrize("scale", ["0", "-1", "nan"])
def test_a_scale_that_leaves_no_data_is_refused(scale: str) -> None:
    with pytest.raises(BenchError, match="--scale must be more than 0"):
        call("transport", "--scale", scale)


@pytest.mark.usefixtures("asked")
def test_the_report_is_written_to_a_file_as_well(tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    assert call("instant", "--markdown", str(file)) == 0
    assert "| t | 2 | <= 1 | **no** |" in file.read_text()


def test_a_file_that_cannot_be_written_is_found_before_anything_is_measured(
    asked: list[Size], tmp_path: Path
) -> None:
    with pytest.raises(BenchError, match=r"there is no folder .*nowhere for report\.md"):
        call("instant", "--markdown", str(tmp_path / "nowhere" / "report.md"))
    assert asked == []


@pytest.mark.usefixtures("asked")
def test_a_file_that_cannot_be_written_after_all_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=f"cannot write {tmp_path}: Is a directory"):
        call("instant", "--markdown", str(tmp_path))
