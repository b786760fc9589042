"""What each version of Spark accepts beside it: Python, pyarrow, pandas, Java.

>>> print(check_pyspark("4.3.0", (3, 10), "20.0"))
FAIL  pyspark        4.3.0 needs Python 3.11
                     fix: use 3.11, or pyspark<4.3
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec

from penstock.checkup import FAIL, OK, WARN, Check, numbers


@dataclass(frozen=True)
class Companions:
    """The oldest of each that a release runs with, and the newest Java."""

    python: tuple[int, int]
    pyarrow: int
    pandas: tuple[int, int]
    java: tuple[int, int]


# As PySpark's metadata and its documentation state them; pyarrow at least what Penstock needs. On
# Java 25 jobs of both 3.5 and 4.0 failed. A release between two is judged by the one before it.
COMPANIONS: dict[tuple[int, int], Companions] = {
    (3, 5): Companions((3, 8), 15, (1, 0), (17, 17)),
    (4, 0): Companions((3, 9), 15, (2, 0), (17, 21)),
    (4, 3): Companions((3, 11), 18, (2, 2), (17, 25)),
}
NEWEST = max(COMPANIONS)


def companions_of(pyspark: str) -> Companions:
    """What goes with a release."""
    release = numbers(pyspark)[:2]
    return COMPANIONS[max([known for known in COMPANIONS if known <= release], default=(3, 5))]


def check_pyspark(found: str | None, python: tuple[int, ...], pyarrow: str | None) -> Check:
    """PySpark 3.5 to 4.3 are supported, each with companions of its time."""
    if found is None:
        return Check(
            "pyspark",
            WARN,
            "not installed; flows run on Arrow data only",
            "pip install 'penstock[spark]'",
        )
    release = numbers(found)[:2]
    if release < (3, 5):
        return Check("pyspark", FAIL, found, "pip install 'pyspark>=3.5,<4.4'")
    if (refused := _refused_companion(found, python, pyarrow)) is not None:
        return refused
    if release > NEWEST:
        return Check("pyspark", WARN, f"{found}, newer than what is tested", "use 3.5 to 4.3")
    return Check("pyspark", OK, found)


def _refused_companion(found: str, python: tuple[int, ...], pyarrow: str | None) -> Check | None:
    release, needs = numbers(found)[:2], companions_of(found)
    if python < needs.python:
        least = ".".join(map(str, needs.python))
        advice = f"use {least}, or pyspark<{release[0]}.{release[1]}"
        return Check("pyspark", FAIL, f"{found} needs Python {least}", advice)
    if pyarrow is not None and numbers(pyarrow) < (needs.pyarrow,):
        advice = f"pip install 'pyarrow>={needs.pyarrow}'"
        return Check("pyspark", FAIL, f"{found} needs pyarrow {needs.pyarrow}", advice)
    if release < (4, 0) and python >= (3, 12) and find_spec("distutils") is None:
        detail = f"{found} imports distutils, which Python 3.12 and newer do not have"
        return Check("pyspark", FAIL, detail, "pip install setuptools, or use pyspark>=4.0")
    return None


def check_pandas(found: str | None, pyspark: str | None) -> Check:
    """No flow uses pandas, but Spark runs no mapInArrow without it."""
    if pyspark is None:
        return Check("pandas", OK, f"{found or 'not installed'}; needed with Spark only")
    least = ".".join(map(str, companions_of(pyspark).pandas))
    if found is None or numbers(found)[:2] < companions_of(pyspark).pandas:
        detail = f"{found or 'not installed'}; pyspark {pyspark} runs no mapInArrow without {least}"
        return Check("pandas", FAIL, detail, f"pip install 'pandas>={least},<3'")
    if numbers(found) >= (3,):
        return Check("pandas", WARN, f"{found}; pyspark warns of 3", "pip install 'pandas<3'")
    return Check("pandas", OK, found)


def check_java(said: str | None, pyspark: str | None) -> Check:
    """Spark 4 and the plugin need Java 17; a Connect client and Arrow data need none."""
    wanted = FAIL if pyspark is not None else WARN
    least, newest = companions_of(pyspark).java if pyspark is not None else (17, 0)
    if said is None:
        return Check("java", wanted, "not found in JAVA_HOME or on the PATH", _jdk(least, newest))
    match = re.search(r'"(?:1\.)?(\d+)', said)
    major = int(match[1]) if match else 0
    if major < least:
        old_spark = pyspark is not None and numbers(pyspark) < (4,)
        detail = f"{said}; {least} is needed" + (" for the plugin" if old_spark else "")
        return Check("java", WARN if old_spark else wanted, detail, _jdk(least, newest))
    if newest and major > newest:
        detail = f"{said}; pyspark {pyspark} is documented for Java {newest} at most"
        # 3.5 and 4.0 were seen to fail on 25; what is between was not tried.
        seen = major >= 25 and numbers(pyspark or "")[:2] in COMPANIONS
        return Check("java", FAIL if seen else WARN, detail, _jdk(least, newest))
    return Check("java", OK, said)


def _jdk(least: int, newest: int) -> str:
    which = {0: f"{least} or newer", least: str(least)}.get(newest, f"{least} to {newest}")
    return f"install a JDK {which} (Debian: openjdk-17-jre-headless) and set JAVA_HOME to it"
