from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.bench import ordered
from penstock.bench.keyed import ARROW_LOOP, EXPONENTS, LOOP, WAYS
from penstock.bench.migration import CHANGES
from penstock.bench.ordered_queries import CASES as QUERIES
from penstock.bench.ordered_queries import CONTENDERS
from penstock.bench.ordered_stage import CASES
from penstock.bench.programs import ORDERED, Program, own_program
from penstock.bench.region_elastic import FINDING
from penstock.bench.regions import CASES as REGIONS
from penstock.bench.report import Point
from penstock.bench.section import Section
from penstock.bench.simulated_channels import CRITERIA, EXPERIMENTS
from penstock.bench.suites import Size


def test_a_tiny_run_gives_one_document_with_every_point_and_target(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    command = [sys.executable, "-m", "penstock", "bench", "ordered", "--markdown", str(page)]
    command += ["--quick", "--json", "--scale", "0.001"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    points = {point["name"]: point for point in document["points"]}
    for case in CASES:
        for name in case.contenders:
            point = points[f"{case.name}/{name}"]
            assert point["tuples_per_s"] > 0
            assert point["order"] == "kept"
            assert ("blocked_share" in point) is case.timed
    for query in QUERIES:
        for name in CONTENDERS:
            point = points[f"{query.name}/{name}"]
            assert min(point["rows_per_s"], point["runs"]) > 0
            assert point["result"] == "same"
    for keys in EXPONENTS:
        for way in (*WAYS, LOOP, ARROW_LOOP):
            point = points[f"keyed, {keys}/{way}"]
            assert min(point["rows_per_s"], point["rows_per_cpu_s"]) > 0
            assert point["totals"] == "same"
    for change in CHANGES:
        point = points[f"E17 1000 keys/{change}"]
        assert point["seconds"] > 0
        assert point["moved_keys"] > 0
        assert point["keys"] == "kept"
    for region in REGIONS:
        for runs in region.ways:
            point = points[f"region, {region}/{runs}"]
            assert point["rows_per_s"] > 0
            assert point["totals"] == "same"
    for keys in EXPONENTS:
        for finding in FINDING:
            assert points[f"found, {keys}/{finding}"]["rows"] == "same"
    assert points["E17 while rows flow, 65536 keys, 4 -> 1"]["totals"] == "same"
    for experiment in EXPERIMENTS:
        assert f"{experiment}/1% noise, seed 1" in points
    names = [target["name"] for target in document["targets"]]
    assert len(set(names)) == len(names) == 11 + 28 + 7 + 11 + 5 + 7 + 2 + len(CRITERIA)
    assert "E23 50 outputs: throughput, nonblocking / lock" in page.read_text()


def test_what_all_sections_found_comes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def section(name: str) -> Section:
        return Section((Point(name, {}),))

    monkeypatch.setattr(
        ordered, "SECTIONS", (lambda _: section("first"), lambda _: section("second"))
    )
    findings = ordered.measure(Size(), lambda _: None)
    assert [point.name for point in findings.points] == ["first", "second"]


def test_the_installed_program_knows_every_contender_of_every_case() -> None:
    with Program(own_program(ORDERED)) as program:
        assert {name for case in CASES for name in case.contenders} == set(program.contenders)
        assert set(CONTENDERS) <= set(program.contenders)
