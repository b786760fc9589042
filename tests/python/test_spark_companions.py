from __future__ import annotations

import pytest

from penstock.spark_companions import check_java, check_pandas, check_pyspark


@pytest.mark.parametrize(
    ("found", "python", "pyarrow", "status", "said"),
    [
        (None, (3, 11), "20.0", "warn", "penstock[spark]"),
        ("3.4.4", (3, 11), "20.0", "FAIL", "pyspark>=3.5"),
        ("3.5.8", (3, 10), "15.0", "ok", ""),
        ("4.0.1", (3, 9), "15.0", "ok", ""),
        ("4.0.1", (3, 8), "15.0", "FAIL", "use 3.9, or pyspark<4.0"),
        ("4.2.1", (3, 10), "15.0", "ok", ""),
        ("4.3.0", (3, 11), "18.0", "ok", ""),
        ("4.3.0", (3, 10), "18.0", "FAIL", "use 3.11"),
        ("4.3.0.dev1", (3, 11), "17.0", "FAIL", "pyarrow>=18"),
        ("4.4.0", (3, 12), "26.0", "warn", "use 3.5 to 4.3"),
    ],
)
def test_pyspark_is_judged_with_its_companions(
    found: str | None, python: tuple[int, int], pyarrow: str, status: str, said: str
) -> None:
    check = check_pyspark(found, python, pyarrow)
    assert check.status == status
    assert said in check.fix


@pytest.mark.parametrize(
    ("said", "pyspark", "status"),
    [
        ('openjdk version "17.0.15" 2025-04-15', "4.3.0", "ok"),
        ('openjdk version "21" 2023-09-19', "4.3.0", "ok"),
        ('java version "1.8.0_292"', "4.3.0", "FAIL"),
        ('java version "1.8.0_292"', "3.5.8", "warn"),
        ('openjdk version "11.0.2"', None, "warn"),
        ('openjdk version "25" 2025-09-16', "4.3.0", "ok"),
        ('openjdk version "25" 2025-09-16', "4.0.1", "FAIL"),
        ('openjdk version "25" 2025-09-16', "3.5.8", "FAIL"),
        ('openjdk version "25" 2025-09-16', "4.2.1", "warn"),
        ('openjdk version "21" 2023-09-19', "4.0.1", "ok"),
        ('openjdk version "21" 2023-09-19', "3.5.8", "warn"),
        (None, "4.3.0", "FAIL"),
        (None, None, "warn"),
    ],
)
def test_java_is_judged_by_who_needs_it(said: str | None, pyspark: str | None, status: str) -> None:
    assert check_java(said, pyspark).status == status


@pytest.mark.parametrize(
    ("found", "pyspark", "status"),
    [
        (None, None, "ok"),
        (None, "4.3.0", "FAIL"),
        ("2.1.4", "4.3.0", "FAIL"),
        ("2.1.4", "4.0.1", "ok"),
        ("1.5.3", "4.0.1", "FAIL"),
        ("1.5.3", "3.5.8", "ok"),
        ("2.3.3", "4.3.0", "ok"),
        ("3.0.0", "4.3.0", "warn"),
    ],
)
def test_pandas_is_judged_by_what_spark_asks_for(
    found: str | None, pyspark: str | None, status: str
) -> None:
    check = check_pandas(found, pyspark)
    assert check.status == status
    assert bool(check.fix) == (status != "ok")


def test_a_java_that_does_not_suit_is_told_with_those_that_do() -> None:
    assert "JDK 17 (" in check_java('openjdk version "25"', "3.5.8").fix
    assert "JDK 17 to 21 (" in check_java('openjdk version "25"', "4.0.1").fix
    assert "JDK 17 or newer (" in check_java(None, None).fix


def test_spark_35_needs_what_newer_pythons_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.spark_companions.find_spec", lambda _: None)
    assert check_pyspark("3.5.8", (3, 12), "20.0").fix.startswith("pip install setuptools")
    assert check_pyspark("3.5.8", (3, 11), "20.0").status == "ok"
    assert check_pyspark("4.0.1", (3, 12), "20.0").status == "ok"
