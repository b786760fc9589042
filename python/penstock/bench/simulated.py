"""E4 and E5 in the report: the worst of the simulated machines, case by case."""

from __future__ import annotations

from dataclasses import asdict

from penstock.bench.elasticity import LAST, CaseResult, simulate
from penstock.bench.report import Grid, Point, Target
from penstock.bench.section import Section, Stage

TARGET_NOISE = 0.02


def simulated(stage: Stage) -> Section:
    """Let the thread controller find its way on machines of 8 to 184 processors."""
    return section_of(simulate(stage.tell, seeds=2 if stage.size.quick else 20))


def section_of(results: tuple[CaseResult, ...]) -> Section:
    """What the simulation found, as points, goals and a table."""
    points = tuple(Point(_name(each), _numbers(each)) for each in results)
    wanted = [
        each
        for each in results
        if each.experiment == "E4"
        and each.load_change == "confirmed"
        and each.noise <= TARGET_NOISE
    ]
    rows: dict[str, tuple[float, ...]] = {}
    targets: list[Target] = []
    for name in dict.fromkeys(each.name for each in wanted):
        here = [each for each in wanted if each.name == name]
        ratio = min(each.ratio for each in here)
        settled = max(each.settle_period for each in here)
        changes = max(each.late_changes for each in here)
        rows[name] = (ratio, settled, changes)
        targets += [
            Target(f"E4 {name}: throughput / best fixed level", ratio, least=0.95),
            Target(f"E4 {name}: settled after periods", settled, most=15),
            Target(f"E4 {name}: changes in the last {LAST} periods", changes, most=1),
        ]
    violations = sum(each.violations for each in results)
    targets.append(Target("E5: rises and falls that are forbidden", violations, most=0))
    title = "elastic threads, simulated: worst of 8 to 184 processors and 0 to 2 % noise"
    columns = ("throughput / best", "settled after", f"changes in last {LAST}")
    return Section(points, tuple(targets), (Grid(title, columns, rows),))


def _name(result: CaseResult) -> str:
    return (
        f"{result.experiment} {result.name}/{result.processors} processors, "
        f"{result.noise:.0%} noise, {result.load_change}"
    )


def _numbers(result: CaseResult) -> dict[str, float | str]:
    kept = ("settled_level", "settle_period", "ratio", "late_changes", "explored", "violations")
    everything = asdict(result)
    beyond = "yes" if result.explored_beyond_peak else "no"
    return {name: everything[name] for name in kept} | {"explored_beyond_peak": beyond}
