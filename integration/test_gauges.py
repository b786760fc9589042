"""Gauges of the plugin, read where an operator reads them: in Prometheus' own format."""

from __future__ import annotations

import contextlib
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

import penstock
from integration import flows
from integration.checks import words
from integration.counting import by_hand, counted, status_files
from integration.processes import eventually
from integration.sessions import Mode, Sessions

PROMETHEUS = {
    "spark.ui.enabled": "true",
    "spark.ui.port": "0",
    "spark.metrics.namespace": "here",
    "spark.metrics.conf.*.sink.prometheusServlet.class": (
        "org.apache.spark.metrics.sink.PrometheusServlet"
    ),
    "spark.metrics.conf.*.sink.prometheusServlet.path": "/metrics/prometheus",
    "spark.metrics.conf.*.sink.jmx.class": "org.apache.spark.metrics.sink.JmxSink",
}
# What executors show of themselves goes into files, one for each gauge of each executor.
CSV = "csv"
SINK = {"class": "org.apache.spark.metrics.sink.CsvSink", "period": "1", "unit": "seconds"}
MANY, OF_EARLIER_TESTS = 100_000, 10_000  # rows
LINE = re.compile(
    r"^metrics_here_driver_plugin_io_penstock_spark_PenstockPlugin_(\w+)_Value\{[^}]*\} (\S+)$",
    re.MULTILINE,
)


@pytest.fixture(
    scope="module", params=["local[2]", "local-cluster[2,1,1024]"], ids=["local", "local-cluster"]
)
def shown(request: pytest.FixtureRequest, sessions: Sessions, folder: Path) -> Iterator[Any]:
    """A session of its own, whose gauges begin at nothing."""
    sessions.close()
    (folder / CSV).mkdir(exist_ok=True)
    csv = {f"spark.metrics.conf.executor.sink.csv.{key}": value for key, value in SINK.items()}
    csv["spark.metrics.conf.executor.sink.csv.directory"] = str(folder / CSV)
    spark = sessions.start(Mode(request.param, plugin=True), PROMETHEUS | csv)
    try:
        yield spark
    finally:
        with contextlib.suppress(Exception):
            spark.stop()
        sessions.close()


def gauges(spark: Any) -> dict[str, float]:
    with urllib.request.urlopen(f"{spark.sparkContext.uiWebUrl}/metrics/prometheus/") as answer:
        text = answer.read().decode()
    return {name: float(value) for name, value in LINE.findall(text)}


def in_jmx(spark: Any, name: str) -> float:
    """What an attribute of the driver's JVM says, asked as JMX is asked."""
    java = spark._jvm.java.lang
    server = java.management.ManagementFactory.getPlatformMBeanServer()
    called = spark._jvm.javax.management.ObjectName(f"metrics:name={name},type=gauges")
    # The server's own class cannot be seen from outside of its module, its interface can.
    interface = java.Class.forName("javax.management.MBeanServerConnection")
    gateway = spark.sparkContext._gateway
    types, values = gateway.new_array(java.Class, 2), gateway.new_array(java.Object, 2)
    types[0], types[1] = called.getClass(), java.Class.forName("java.lang.String")
    values[0], values[1] = called, "Value"
    return float(interface.getMethod("getAttribute", types).invoke(server, values))


def settled(spark: Any, flow: str, pes: int) -> dict[str, float]:
    """The gauges of a flow once so many PEs of it have ended, by the rest of their name."""

    def look() -> dict[str, float]:
        prefix = f"flow_{flow}_"
        found = {
            name.removeprefix(prefix): value
            for name, value in gauges(spark).items()
            if name.startswith(prefix)
        }
        ended = found.get("pe_done", 0) + found.get("pe_failed", 0)
        return found if ended == pes and found["pe_running"] == 0 else {}

    return eventually(look, f"{pes} PEs of flow '{flow}' ended")


def test_gauges_of_a_flow_are_what_is_counted_by_hand(shown: Any, folder: Path) -> None:
    df = words(shown, 3_000, 4)
    df.transform(counted()).write.format("noop").mode("overwrite").save()
    given, fourth, late = (sum(column) for column in zip(*by_hand(df).values(), strict=True))
    found = settled(shown, "counted", 4)
    assert (found["pe_done"], found["pe_failed"], found["pe_threads"]) == (4, 0, 0)
    assert (found["rows_in"], found["rows_out"]) == (given, late)
    assert found["operator_fourth_rows_in"] == given
    assert found["operator_same_rows_in"] == found["operator_fourth_rows_out"] == fourth
    assert found["operator_late_rows_out"] == late
    assert found["busy_seconds"] > 0
    plugin = "here.driver.plugin.io.penstock.spark.PenstockPlugin"
    for gauge, rows in {
        "rows.in": given,
        "rows.out": late,
        "pe.done": 4,
        "operator.fourth.rows.in": given,
        "operator.late.rows.out": late,
    }.items():
        assert in_jmx(shown, f"{plugin}.flow.counted.{gauge}") == rows
    if shown.sparkContext.master == "local[2]":  # elsewhere executors have JVMs of their own
        # Those of this executor, with what earlier tests did in it.
        assert in_jmx(shown, f"{plugin}.rows.in") >= given
    eventually(lambda: not status_files(folder), "the plugin removes what it has collected")


def test_a_failed_task_is_told_with_what_it_did(shown: Any, folder: Path) -> None:
    flow = penstock.flow("failing", "id long").map(flows.FailsAt(7), name="bad")
    df = shown.range(0, 10, 1, 1).select(F.col("id"))
    with pytest.raises(PySparkException, match="cannot bear 7"):
        df.transform(flow).collect()
    attempts = 1 if shown.sparkContext.master == "local[2]" else 4
    found = settled(shown, "failing", attempts)
    assert (found["pe_done"], found["pe_failed"]) == (0, attempts)
    assert found["rows_in"] == 10 * attempts
    eventually(lambda: not status_files(folder), "the plugin removes what it has collected")


def of_executors(folder: Path) -> dict[str, float]:
    """The gauges of all executors, summed, as their own JVMs wrote them."""
    found: dict[str, float] = {}
    for path in (folder / CSV).glob("here.*.PenstockPlugin.*.csv"):
        head, *lines = path.read_text().splitlines() or [""]
        if head == "t,value" and lines:
            gauge = path.stem.partition(".PenstockPlugin.")[2]
            found[gauge] = found.get(gauge, 0.0) + float(lines[-1].rpartition(",")[2])
    return found


def test_an_executor_shows_the_sum_of_its_pes(shown: Any, folder: Path) -> None:
    summed = penstock.flow("summed", "id long").select("id")
    if shown.sparkContext.master != "local[2]":
        # The executors' own registries are not the driver's.
        assert not any(name.startswith("rows_in") for name in gauges(shown))
        before = eventually(
            lambda: (
                found if {"pe.done", "rows.in"} <= (found := of_executors(folder)).keys() else {}
            ),
            "executors write their gauges",
        )
        shown.range(0, MANY, 1, 2).transform(summed).collect()
        # Once a second: what earlier tests did may have come between as well.
        rows = eventually(
            lambda: max(0, of_executors(folder)["rows.in"] - before["rows.in"] - MANY + 1),
            "the executors' own gauges have the rows",
        )
        assert rows <= OF_EARLIER_TESTS
        assert of_executors(folder)["pe.done"] >= before["pe.done"] + 2
        return
    before = gauges(shown)
    shown.range(0, 500, 1, 2).transform(summed).collect()
    settled(shown, "summed", 2)
    after = gauges(shown)
    assert after["rows_in"] - before["rows_in"] == 500
    assert after["pe_done"] - before["pe_done"] == 2
    assert after["pe_running"] == 0
