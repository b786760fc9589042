"""The Penstock tab in a real browser, while a job runs, and in the History Server afterwards."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from integration.browser import dom, screenshot
from integration.history_server import history_server
from integration.processes import eventually
from integration.sessions import Sessions
from integration.ui_flows import BATCH, HOSTILE, SHARES
from integration.watched import BATCHES, Watched, asked, flow_named

ARTIFACTS = Path(__file__).parent.parent / "build/artifacts"
OPERATORS = ("valid", "visitor", "by_visitor", "enrich", "result")
ROWS = sum(SHARES) * BATCHES * BATCH


@pytest.fixture(scope="module")
def running(sessions: Sessions, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A job that runs, and has been running for long enough to look at it."""
    made = Watched(sessions, tmp_path_factory.mktemp("ui"))
    try:
        made.begin()
        yield made
    finally:
        sessions.close()


@pytest.fixture(scope="module")
def finished(running: Watched) -> Watched:
    """The same, after its last row; the application is still there."""
    running.finish()
    return running


@pytest.fixture(scope="module")
def history(finished: Watched) -> Iterator[str]:
    """The tab in the History Server, after the application ended."""
    application = finished.spark.sparkContext.applicationId
    finished.sessions.close()
    with history_server(finished.events, finished.folder) as address:
        site = f"{address}/history/{application}/penstock/"
        eventually(lambda: asked(f"{site}json"), "the tab in the History Server", within=120)
        yield site


def picture(url: str, name: str, *, height: int) -> bytes:
    screenshot(url, ARTIFACTS / name, height=height)
    return (ARTIFACTS / name).read_bytes()


def holders_of_the_gil(found: str) -> list[str]:
    """Names in the table of operators that wear the badge."""
    kind, gil = (f'<span class="badge {words}</span>' for words in ('[^"]*">[^<]*', 'gil">GIL'))
    return re.findall(f"<b>([^<]*)</b></td><td>{kind} {gil}", found)


def test_spark_s_own_pages_lead_to_the_tab(running: Watched) -> None:
    with urllib.request.urlopen(f"{running.spark.sparkContext.uiWebUrl}/jobs/") as answer:
        assert "/penstock/" in answer.read().decode()


def test_the_overview_shows_flows_and_executors_while_the_job_runs(running: Watched) -> None:
    found = dom(running.site)
    assert not running.counted, "the job still runs"
    assert ">clicks</a>" in found
    assert ">live</span>" in found
    assert "threads / cores" in found
    assert "clicks, partition 0 of stage" in found
    assert picture(running.site, "ui-flows.png", height=620).startswith(b"\x89PNG")


def test_a_flow_shows_its_graph_operators_charts_and_decisions(running: Watched) -> None:
    page = running.page_of("clicks")
    # Asked for first: another decision may follow while the browser starts.
    decision = flow_named(running.site, "clicks")["decisions"][-1]
    found = dom(page)
    assert not running.counted, "the job still runs"
    for operator in OPERATORS:
        assert f"<b>{operator}</b>" in found
    assert ">Rows/s now</th>" in found
    # The engine has no bit_wise_and of its own: that expression is Arrow's, and called from Python.
    assert holders_of_the_gil(found) == ["visitor", "enrich"]
    assert found.count('<path class="curve') == len(("throughput", "threads", "channels"))
    assert "\u00d7 2 channels" in found
    assert 'class="mark' in found
    assert decision["reason"]
    assert escape(decision["text"], quote=False) in found
    assert picture(page, "ui-flow.png", height=2100).startswith(b"\x89PNG")


def test_names_that_are_html_are_shown_as_text(running: Watched) -> None:
    escaped = escape(HOSTILE, quote=False)
    for page in (running.site, running.page_of(HOSTILE)):
        found = dom(page)
        assert escaped in found
        assert '<img src="x"' not in found
        assert "<title>taken" not in found


def test_the_hot_partition_is_named(finished: Watched) -> None:
    assert finished.counted == [ROWS]
    found = dom(finished.page_of("clicks"))
    assert "Partition 0 is hot: it has 5.0 times the rows" in found


def numbers(flow: Any) -> dict[str, Any]:
    return {key: flow["flow"][key] for key in ("running", "done", "failed", "rows_in", "rows_out")}


def test_the_history_server_shows_how_the_flow_ended(history: str) -> None:
    flow = flow_named(history, "clicks")
    assert numbers(flow) == {
        "running": 0,
        "done": len(SHARES),
        "failed": 0,
        "rows_in": ROWS,
        "rows_out": ROWS,
    }
    found = dom(f"{history}#{flow['flow']['id']}")
    assert ">from the event log</span>" in found
    assert "Rows/s now" not in found, "nothing is fast any more"
    for operator in OPERATORS:
        assert f"<b>{operator}</b>" in found
    assert "Partition 0 is hot" in found
    assert picture(f"{history}#{flow['flow']['id']}", "ui-history.png", height=2100)
