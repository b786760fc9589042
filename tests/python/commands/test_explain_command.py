from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from penstock.cli import main

JOBS = str(Path(__file__).parent / "jobs.py")


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_explain_prints_what_the_flow_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", f"{JOBS}:big"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("flow 'logins'\n")
    assert said.endswith("flow 'logins': 1/1 operators native\n")


def test_explain_takes_flows_with_several_outputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", f"{JOBS}:parted"]) == 0
    assert "branch 2" in capsys.readouterr().out


def test_explain_draws_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flow.svg"
    assert main(["explain", f"{JOBS}:big", "--svg", str(path)]) == 0
    assert ElementTree.fromstring(path.read_text()).tag.endswith("svg")
    assert main(["explain", f"{JOBS}:big", "--svg", str(tmp_path / "no" / "flow.svg")]) == 1
    assert "cannot be written" in capsys.readouterr().err
