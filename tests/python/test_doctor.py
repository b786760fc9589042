from __future__ import annotations

import os
from pathlib import Path

import pytest

from penstock.checkup import Check, installed
from penstock.doctor import (
    check_cores,
    check_limits,
    check_native,
    check_pyarrow,
    check_python,
    examine,
    java_version,
)
from penstock.machine import Cores, Limits

GIB = 1024**3


@pytest.mark.parametrize(
    ("found", "status"),
    [((3, 9, 18), "FAIL"), ((3, 10, 0), "ok"), ((3, 13, 2), "ok"), ((3, 14, 0), "warn")],
)
def test_python_is_judged_by_its_version(found: tuple[int, ...], status: str) -> None:
    assert check_python(found).status == status


@pytest.mark.parametrize(
    ("found", "status"), [(None, "FAIL"), ("14.0.2", "FAIL"), ("15.0.0", "ok"), ("26.0.1", "ok")]
)
def test_pyarrow_is_judged_by_its_version(found: str | None, status: str) -> None:
    assert check_pyarrow(found).status == status


def test_java_of_java_home_goes_before_that_of_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho Picked up options >&2\necho 'x version \"99\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_version() == 'x version "99"'
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", f"{java.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")
    assert java_version() == 'x version "99"'
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    assert java_version() is None
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java_version() is None


@pytest.mark.parametrize(("cores", "status"), [(Cores(2, None), "ok"), (Cores(8, 1.9), "warn")])
def test_one_core_is_warned_of(cores: Cores, status: str) -> None:
    assert check_cores(cores).status == status


def test_each_limit_is_judged_by_itself() -> None:
    roomy = check_limits(Limits(None, None, None, GIB))
    tight = check_limits(Limits(GIB, 100, 256, 1024))
    assert {check.status for check in roomy} == {"ok"}
    assert [check.detail for check in tight] == ["1 GiB", "100", "256", "1 KiB"]
    assert all(check.status == "warn" and check.fix for check in tight)


def test_the_engine_is_tried_and_found_to_work() -> None:
    assert check_native().status == "ok"


def test_an_unknown_package_is_not_installed() -> None:
    assert installed("no-such-package-anywhere") is None


def test_everything_is_looked_at_once() -> None:
    checks = examine()
    names = [check.name for check in checks]
    assert names[:6] == ["python", "pyarrow", "native engine", "pyspark", "java", "plugin jar"]
    assert len(set(names)) == len(names)
    assert all(check.fix for check in checks if check.status != "ok")


def test_a_check_is_one_line_and_its_remedy_another() -> None:
    assert str(Check("java", "ok", "17")) == "ok    java           17"
    assert str(Check("java", "FAIL", "none", "get one")).splitlines()[1].strip() == "fix: get one"
