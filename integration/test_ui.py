"""The Penstock tab in a real browser, while a job runs, and in the History Server afterwards."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from integration.browser import dom, screenshot
from integration.history_server import history_server, user_filter
from integration.processes import eventually
from integration.sessions import Sessions
from integration.ui_flows import BATCH, HOSTILE, SHARES
from integration.watched import BATCHES, Watched, asked, flow_named
from penstock.jar import jar_path
from penstock.machine import cores

ARTIFACTS = Path(__file__).parent.parent / "build/artifacts"
OPERATORS = ("valid", "visitor", "by_visitor", "enrich", "result")
SLOTS = 6  # of a queue in the graph
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
def ended(finished: Watched) -> str:
    """The name that Spark gave to the application, which has ended."""
    application = str(finished.spark.sparkContext.applicationId)
    finished.sessions.close()
    return application


@pytest.fixture(scope="module")
def history(finished: Watched, ended: str) -> Iterator[str]:
    """The tab in the History Server, which knows who asks and who may."""
    users, settings = user_filter(finished.folder / "users")
    settings["spark.history.ui.acls.enable"] = "true"
    settings["spark.history.ui.admin.acls"] = "alice"
    folder = finished.folder / "with-jar"
    with history_server(finished.events, folder, (jar_path(), users), settings) as address:
        site = f"{address}/history/{ended}/penstock/"
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
    assert "threads / budget" in found
    budget = min(2, cores().usable)
    assert re.search(rf'<td class="n">\d / {budget}<', found), "what flows share, not Spark's cores"
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


def test_tuples_that_wait_are_shown_before_the_operator_they_wait_for(running: Watched) -> None:
    found = dom(running.page_of("waits"))
    edges = re.findall(r'<div class="edge"(?: title="([^"]*)")?>(.*?)(?=<div class="node)', found)
    # Before both operators, and before the output, where nothing can wait.
    [_, (title, edge), (nothing, _)] = edges
    assert re.fullmatch(r"[\d.]+ tuples wait on average, \d+ at most", title)
    assert nothing == ""
    assert edge.count("<i") == SLOTS
    assert edge.count('class="full"') >= 1
    column = re.findall(r'<td class="n">([\d.]+ tuples, \d+ at most)</td>', found)
    assert column[-1] == title.replace(" wait on average", "")


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


def tabs_of(page: str, *names: str) -> list[str]:
    """Which of some tabs a page of Spark's leads to."""
    with urllib.request.urlopen(page) as answer:
        found = answer.read().decode()
    return [name for name in names if f"/{name}/" in found]


def test_pages_of_the_history_server_lead_to_the_tab(history: str) -> None:
    page = history.replace("/penstock/", "/jobs/")
    assert tabs_of(page, "stages", "penstock") == ["stages", "penstock"]


def status(url: str, user: str) -> int:
    """What a page answers a user."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"User": user})) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.mark.parametrize("part", ["", "json", "page.js"])
def test_the_history_server_refuses_who_may_not_view_the_application(
    history: str, part: str
) -> None:
    found = {user: status(f"{history}{part}", user) for user in ("alice", "mallory")}
    assert found == {"alice": 200, "mallory": 403}


def test_a_history_server_without_the_jar_shows_everything_else(
    finished: Watched, ended: str
) -> None:
    with history_server(finished.events, finished.folder / "without-jar", ()) as address:
        about = f"{address}/api/v1/applications/{ended}/jobs"
        jobs = eventually(lambda: asked(about), "the application's jobs", within=120)
        assert {job["status"] for job in jobs} == {"SUCCEEDED"}
        assert tabs_of(f"{address}/history/{ended}/jobs/", "stages", "penstock") == ["stages"]
