"""What a notebook shows of `penstock.last_run(df)` and `flow.metrics`."""

from __future__ import annotations

from types import SimpleNamespace
from xml.etree import ElementTree

import pyarrow.compute as pc

import penstock
from penstock import runs
from penstock.flow import Flow
from penstock.metrics import FlowMetrics, LevelChange, OperatorMetrics
from penstock.run_metrics import RunMetrics, TaskMetrics

EVIL = "<script>alert('x')</script>\x1b[31m"


def picking() -> Flow:
    return penstock.flow("f", "n long").filter(pc.field("n") > 1, name="pick").select("n", name="n")


def task(partition: int, rows: int, waiting: float = 0.0, host: str = "here") -> TaskMetrics:
    operators = (
        OperatorMetrics("pick", 1, rows, rows // 2, busy=0.75 * rows, waiting_mean=waiting),
        OperatorMetrics("n", 1, rows // 2, rows // 2, busy=0.25 * rows),
    )
    metrics = FlowMetrics(operators, (), (LevelChange(0.0, 2),), seconds=float(rows))
    return TaskMetrics(3, partition, 0, partition, host, 7, rows, rows // 2, metrics)


def text_of(html: str) -> str:
    return "\n".join(ElementTree.fromstring(html).itertext())


def test_the_flow_is_drawn_with_what_all_tasks_did_together() -> None:
    run = RunMetrics("f", (task(0, 8, waiting=12.0), task(1, 4, waiting=6.0)), graph=picking())
    html = run._repr_html_()
    kinds = [one.tag.rpartition("}")[2] for one in ElementTree.fromstring(html)]
    assert kinds == ["svg", "table", "div"]
    shown = text_of(html)
    assert "12 → 6 rows" in shown
    assert "busy for 9.00 s, 75% of the time of all" in shown
    assert "9.0 tuples waited before it on average" in shown, "that of the tasks on average"
    assert "12 rows in, 6 out; 2 tasks took 12.0 s in all, the operators 12.0 s" in shown
    assert "flow 'f': 2 tasks, 12 rows in, 6 rows out" in shown


def test_the_tasks_that_took_longest_are_shown() -> None:
    html = RunMetrics("f", tuple(task(n, n) for n in range(50)), graph=picking())._repr_html_()
    rows = [
        [cell.text for cell in row] for row in ElementTree.fromstring(html).iterfind("table/tr")
    ]
    assert rows[1] == ["3", "49", "49", "24", "49.0 s", "2", "here"]
    assert len(rows) == 1 + 20
    assert "30 that took less time not shown" in html


def test_without_the_flow_its_operators_are_a_table() -> None:
    html = RunMetrics("f", (task(0, 2_000),))._repr_html_()
    assert "<svg" not in html
    assert "<td>pick</td><td>2,000</td><td>1,000</td>" in html


def test_names_and_hosts_cannot_break_out() -> None:
    evil = OperatorMetrics(EVIL, rows_in=1, late=2)
    metrics = FlowMetrics((evil,), (), (), seconds=1.0)
    told = TaskMetrics(0, 0, 0, 0, EVIL, 7, 1, 1, metrics)
    for graph in (None, picking()):
        html = RunMetrics(EVIL, (told,), graph=graph)._repr_html_()
        ElementTree.fromstring(html)
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert "\x1b" not in html


def test_what_is_asked_for_knows_its_flow() -> None:
    flow = picking()
    run = runs.begin(flow, "drawn")
    execution = runs._Execution(None)
    run._executions["1"] = execution
    made = SimpleNamespace(**{runs.ATTRIBUTE: run, runs.FLOW: flow})
    for asked in (flow.metrics, penstock.last_run(made)):
        assert asked is not None
        assert asked.graph is flow
        assert asked == run.metrics(), "the drawing is not what was measured"
