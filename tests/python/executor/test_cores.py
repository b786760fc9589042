from __future__ import annotations

import os
from pathlib import Path

import pytest

from penstock.executor.cores import command_lines, executor_cores, task_cpus
from penstock.machine import cores

JAVA = ["/usr/bin/java", "-cp", "/spark/conf:/spark/jars/*", "-Xmx1024M"]


def backend(name: str, *options: str) -> list[str]:
    return [*JAVA, f"org.apache.spark.{name}", "--driver-url", "spark://x", *options]


@pytest.mark.parametrize(
    "name",
    [
        "executor.CoarseGrainedExecutorBackend",
        "executor.YarnCoarseGrainedExecutorBackend",
        "scheduler.cluster.k8s.KubernetesExecutorBackend",
    ],
)
def test_the_command_line_of_the_executor_knows_best(name: str) -> None:
    lines = [["python", "-m", "pyspark.daemon"], backend(name, "--cores", "3", "--app-id", "a")]
    session = {"spark.master": "yarn", "spark.executor.cores": "5"}
    assert executor_cores(0, session, lines, usable=8) == 3


def test_the_command_line_of_a_driver_says_nothing_about_executors() -> None:
    driver = [*JAVA, "org.apache.spark.deploy.SparkSubmit", "--cores", "7", "pyspark-shell"]
    assert executor_cores(0, {"spark.master": "local[2]"}, [driver], usable=8) == 2


def test_a_setting_wins_over_all_else() -> None:
    lines = [backend("executor.CoarseGrainedExecutorBackend", "--cores", "3")]
    assert executor_cores(5, {"spark.master": "local[2]"}, lines, usable=8) == 5


@pytest.mark.parametrize(
    ("session", "found"),
    [
        ({"spark.master": "local"}, 1),
        ({"spark.master": "local[3]"}, 3),
        ({"spark.master": "local[3,4]"}, 3),
        ({"spark.master": "local[*]"}, 8),
        ({"spark.master": "local[*, 2]"}, 8),
        ({"spark.master": "local[3]", "spark.executor.cores": "6"}, 3),
        ({"spark.master": "k8s://x", "spark.executor.cores": "6"}, 6),
        ({"spark.master": "yarn"}, 8),
        ({}, 8),
    ],
)
def test_without_an_executor_the_session_tells_and_then_the_machine(
    session: dict[str, str], found: int
) -> None:
    assert executor_cores(0, session, [], usable=8) == found


def test_nobody_has_more_than_the_kernel_allows() -> None:
    assert executor_cores(64, {}, [], usable=2) == 2
    assert executor_cores(0, {"spark.master": "local[64]"}, [], usable=2) == 2
    assert executor_cores(0, {}, []) == cores().usable


def test_a_task_has_one_core_unless_the_session_says_otherwise() -> None:
    assert task_cpus({}) == 1
    assert task_cpus({"spark.task.cpus": "2"}) == 2


def test_the_processes_above_this_one_are_found() -> None:
    first = next(command_lines())
    assert first == Path(f"/proc/{os.getppid()}/cmdline").read_text().rstrip("\0").split("\0")


def test_programs_with_odd_names_are_walked_past(tmp_path: Path) -> None:
    for pid, parent, line in ((30, 20, "worker"), (20, 10, "a) R 1 (b"), (10, 0, "java\0--cores")):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} ({line[:9]}) S {parent} 1 1")
        (tmp_path / str(pid) / "cmdline").write_text(line + "\0")
    assert list(command_lines(tmp_path, 30)) == [["a) R 1 (b"], ["java", "--cores"]]


def test_a_process_that_is_gone_ends_the_walk(tmp_path: Path) -> None:
    assert list(command_lines(tmp_path, 30)) == []
