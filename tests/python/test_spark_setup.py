from __future__ import annotations

import sys
from pathlib import Path

import pytest

from penstock.archive import write_archive
from penstock.jar import PLUGIN_CLASS
from penstock.package_version import package_version
from penstock.spark_setup import (
    check_archives,
    check_plugin,
    check_worker_python,
    examine_setup,
    parse_properties,
    spark_defaults,
)

DRIVER, EXECUTOR = "spark.driver.extraClassPath", "spark.executor.extraClassPath"


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        ({}, "ok", "not set"),
        ({"spark.plugins": "org.example.Other"}, "ok", "not set"),
        ({"spark.plugins": f"org.example.Other,{PLUGIN_CLASS}", "spark.jars": "/p.jar"}, "ok", ""),
        ({"spark.plugins": PLUGIN_CLASS, DRIVER: "/p.jar", EXECUTOR: "/p.jar"}, "ok", "both"),
        ({"spark.plugins": PLUGIN_CLASS, DRIVER: "/p.jar"}, "FAIL", "jobs hang"),
        ({"spark.plugins": PLUGIN_CLASS, EXECUTOR: "/p.jar"}, "FAIL", "would not start"),
        ({"spark.plugins": PLUGIN_CLASS}, "FAIL", "would not start"),
    ],
)
def test_the_plugin_needs_its_jar_on_both_sides(
    given: dict[str, str], status: str, said: str
) -> None:
    check = check_plugin(given)
    assert check.status == status
    assert said in check.detail
    assert all(
        key in check.fix for key in (DRIVER, EXECUTOR) if status != "ok" and key not in given
    )


def test_properties_are_read_as_spark_writes_them() -> None:
    text = "# why\n\n! also why\na.b c d\na.c=d\n  a.d : e=f\na.e\n"
    assert parse_properties(text) == {"a.b": "c d", "a.c": "d", "a.d": "e=f", "a.e": ""}


def test_the_defaults_of_the_conf_folder_go_before_those_of_the_home(tmp_path: Path) -> None:
    for folder in ("own", "home/conf"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "spark-defaults.conf").write_text(f"spark.app.name {folder}\n")
    home = {"SPARK_HOME": str(tmp_path / "home")}
    assert spark_defaults(home) == {"spark.app.name": "home/conf"}
    assert spark_defaults(home | {"SPARK_CONF_DIR": str(tmp_path / "own")}) == {
        "spark.app.name": "own"
    }
    assert spark_defaults({"SPARK_HOME": str(tmp_path)}) is None


def test_an_archive_must_be_there_and_of_this_version(tmp_path: Path) -> None:
    archive = write_archive("penstock", tmp_path)
    other = tmp_path / "penstock-0.0.9-cpython-39.zip"
    other.touch()
    given = f"{archive.option},{other}#penstock,{tmp_path}/none.zip#penstock,s3://a/b.zip#penstock"
    checks = check_archives({"spark.archives": f"{given},/environment.tar.gz#environment"})
    assert [check.status for check in checks] == ["ok", "warn", "FAIL", "ok"]
    assert archive.path.name in checks[1].detail
    assert check_archives({}) == []


def test_workers_of_another_python_are_asked_for_the_package(tmp_path: Path) -> None:
    assert check_worker_python(sys.executable).detail.endswith("which is this one")
    script = tmp_path / "script"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    script.chmod(0o755)
    assert check_worker_python(str(script)).detail == f"{script} has penstock {package_version()}"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E "$@"\n')
    without = check_worker_python(str(script))
    assert without.status == "warn"
    assert "No module named" in without.detail
    assert "penstock archive" in without.fix
    script.write_text("#!/bin/sh\necho 0.0.9\n")
    assert check_worker_python(str(script)).detail.endswith(": 0.0.9")
    assert check_worker_python(str(tmp_path / "none")).status == "warn"


def test_only_what_is_set_up_is_looked_at(tmp_path: Path) -> None:
    assert examine_setup({"SPARK_HOME": str(tmp_path)}) == []
    (tmp_path / "spark-defaults.conf").write_text(f"spark.plugins {PLUGIN_CLASS}\n")
    both = {"SPARK_CONF_DIR": str(tmp_path), "PYSPARK_PYTHON": sys.executable}
    names = [check.name for check in examine_setup(both)]
    assert names == ["spark.plugins", "worker python"]
