from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from penstock.bench.cstream import PLUG_INS, TOPOLOGIES, WORKERS, Run, cstream, section_of
from penstock.bench.cstream_real import (
    COSTS_US,
    SELECTIVITIES,
    SIZES,
    Case,
    Result,
    cases,
    cstream_real,
)
from penstock.bench.cstream_real import section_of as real_section_of
from penstock.bench.programs import POLICIES as PROGRAM
from penstock.bench.programs import Program, own_program
from penstock.bench.section import Section, Stage
from penstock.bench.suites import Size
from penstock.policy_names import WORDS

LP = "two threads: lastInPipeline /"


def good() -> dict[tuple[str, int, str], Run]:
    return {
        (topology, workers, plug_in): Run(
            100.0 * workers, 30.0 if plug_in == "maxQueue" else 10.0, correct=True
        )
        for topology in TOPOLOGIES
        for workers in WORKERS
        for plug_in in PLUG_INS
    }


def missed(section: Section) -> list[str]:
    return [target.name for target in section.targets if not target.holds]


def test_what_the_paper_found_meets_every_goal() -> None:
    assert missed(section_of(good())) == []


@pytest.mark.parametrize(
    ("where", "change", "goal"),
    [
        (("chain", 2, "random"), {"rate": 150.0}, "chain: two workers / one, worst plug-in"),
        (("tree", 4, "leastRecent"), {"latency_ms": 12.0}, "tree: latency, leastRecent / least"),
        (("tree", 1, "maxQueue"), {"latency_ms": 12.0}, "tree: latency, maxQueue / random"),
        (("reverseTree", 8, "random"), {"correct": False}, "runs out of order"),
    ],
)
def test_a_goal_that_is_missed_is_named(
    where: tuple[str, int, str], change: dict[str, Any], goal: str
) -> None:
    found = good()
    found[where] = replace(found[where], **change)
    (only,) = missed(section_of(found))
    assert only.startswith("E25 simulated")
    assert goal in only


def well_run() -> dict[Case, Result]:
    def result(case: Case) -> Result:
        rate = 1e6 * case.threads / case.tuple_us
        return Result(rate, 10 * case.tuple_us)

    return {case: result(case) for case in cases()}


def test_work_that_is_shared_out_evenly_meets_every_goal_on_two_cores() -> None:
    assert missed(real_section_of(well_run())) == []


@pytest.mark.parametrize(
    ("name", "change", "goal"),
    [
        ("E25 chain/maxQueue x2", {"rate": 900.0}, "E25 chain: two threads / one"),
        ("E25 tree/lastInPipeline x2", {"rate": 2_900.0}, f"E25 tree, {LP} most throughput"),
        ("E25 tree/lastInPipeline x2", {"latency_us": 6_700.0}, f"E25 tree, {LP} least mean"),
        ("E25 dataParallel/random x2", {"latency_us": 900.0}, f"E25 dataParallel, {LP} least mean"),
        ("E26 200 us/random x2", {"rate": 30_000.0}, "E26: distance of the slope"),
        ("E26 20 us/random x2", {"latency_us": 1.0}, "E26: costs whose latency"),
        ("E27 64 operators/random x2", {"rate": 9_000.0}, "E27 random: most / least"),
        ("E28 selectivity 0.6/random x2", {"rate": 20_000.0}, "E28: largest rise"),
        ("E28 selectivity 0.9/random x2", {"latency_us": 4_300.0}, "E28: largest fall of latency"),
        ("E25 tree/random x1", {"broken": 1}, "E25 to E28: runs with a wrong result"),
    ],
)
def test_a_goal_that_is_missed_on_two_cores_is_named(
    name: str, change: dict[str, Any], goal: str
) -> None:
    found = {
        case: replace(result, **change) if case.name == name else result
        for case, result in well_run().items()
    }
    (only,) = missed(real_section_of(found))
    assert only.startswith(goal)


def test_every_policy_meets_every_topology_once() -> None:
    names = [case.name for case in cases()]
    wanted = len(TOPOLOGIES) * len(WORDS) * 2 + len(COSTS_US) + len(SIZES) + len(SELECTIVITIES)
    assert len(set(names)) == len(names) == wanted


def test_all_of_it_is_run_and_right() -> None:
    with Program(own_program(PROGRAM)) as program:
        assert set(WORDS) == set(program.contenders)
        stage = Stage(Size(quick=True, scale=0.05), lambda _: None, (program,))
        simulated, real = cstream(stage), cstream_real(stage)
    assert len(simulated.points) == len(good())
    assert len(real.points) == len(cases())
    assert simulated.targets[0].holds
    assert real.targets[0].holds
