"""`penstock doctor`: is everything here that flows need, and if not, how to get it.

Each check is a pure function of what was found, so that every verdict can be tested.

>>> check_pyarrow("14.0.2").status
'FAIL'
>>> print(check_cores(Cores(affinity=1, quota=None)))
warn  cores          1 (affinity 1, no cgroup limit)
                     fix: give Python workers two cores or more; with one, flows cannot run faster \
than plain Python
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from penstock.errors import PenstockError
from penstock.flow import flow
from penstock.jar import jar_path, jar_version
from penstock.machine import Cores, Limits, cores, limits, readable_size

OK, WARN, FAIL = "ok", "warn", "FAIL"
JDK = "install a JDK 17 or newer (Debian: openjdk-17-jre-headless) and set JAVA_HOME to it"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, the verdict (`ok`, `warn` or `FAIL`), and how to mend it."""

    name: str
    status: str
    detail: str
    fix: str = ""

    def __str__(self) -> str:
        line = f"{self.status:<5} {self.name:<14} {self.detail}"
        return f"{line}\n{'':<21}fix: {self.fix}" if self.fix else line


def examine() -> list[Check]:
    """Look at everything."""
    pyspark = installed("pyspark") or installed("pyspark-client")
    return [
        check_python(sys.version_info[:3]),
        check_pyarrow(installed("pyarrow")),
        check_native(),
        check_pyspark(pyspark, sys.version_info[:2], installed("pyarrow")),
        check_java(java_version(), pyspark),
        check_jar(),
        check_cores(cores()),
        *check_limits(limits()),
    ]


def installed(package: str) -> str | None:
    """The installed version of a package, without importing it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def java_version() -> str | None:
    """What `java -version` says first, of JAVA_HOME or else of the PATH."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None:
        return None
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    lines = (said.stderr or said.stdout).splitlines()
    return next((line for line in lines if "version" in line), None)


def check_python(found: tuple[int, ...]) -> Check:
    """Python 3.10 to 3.13 are tested."""
    text = ".".join(map(str, found))
    if found[:2] < (3, 10):
        return Check("python", FAIL, text, "use Python 3.10 or newer")
    if found[:2] > (3, 13):
        return Check("python", WARN, f"{text}, newer than what is tested", "use 3.10 to 3.13")
    return Check("python", OK, text)


def check_pyarrow(found: str | None) -> Check:
    """Pyarrow 15 is the oldest that works."""
    if found is None or _numbers(found) < (15,):
        return Check("pyarrow", FAIL, found or "not installed", "pip install 'pyarrow>=15'")
    return Check("pyarrow", OK, found)


def check_native() -> Check:
    """Load the engine and run three rows through it."""
    try:
        from penstock.worker import build_info  # noqa: PLC0415 - its absence is a finding

        made = flow("doctor", "n long").filter(pc.field("n") > 1).run(pa.table({"n": [1, 2, 3]}))
        if made.table["n"].to_pylist() != [2, 3]:
            return Check("native engine", FAIL, f"gave a wrong result: {made.to_pylist()}", REBUILD)
        info = build_info()
    except (ImportError, PenstockError, pa.ArrowException) as error:
        return Check("native engine", FAIL, f"{type(error).__name__}: {error}", REBUILD)
    return Check("native engine", OK, f"{info['version']}, built by {info['compiler']}")


REBUILD = "install penstock again with this interpreter: pip install --force-reinstall penstock"


def check_pyspark(found: str | None, python: tuple[int, ...], pyarrow: str | None) -> Check:
    """PySpark 3.5 to 4.3 are supported; 4.3 needs newer companions."""
    if found is None:
        return Check(
            "pyspark",
            WARN,
            "not installed; flows run on Arrow data only",
            "pip install 'penstock[spark]'",
        )
    release = _numbers(found)[:2]
    if release < (3, 5):
        return Check("pyspark", FAIL, found, "pip install 'pyspark>=3.5,<4.4'")
    if release >= (4, 3) and python < (3, 11):
        return Check("pyspark", FAIL, f"{found} needs Python 3.11", "use 3.11, or pyspark<4.3")
    if release >= (4, 3) and pyarrow is not None and _numbers(pyarrow) < (18,):
        return Check("pyspark", FAIL, f"{found} needs pyarrow 18", "pip install 'pyarrow>=18'")
    if release > (4, 3):
        return Check("pyspark", WARN, f"{found}, newer than what is tested", "use 3.5 to 4.3")
    return Check("pyspark", OK, found)


def check_java(said: str | None, pyspark: str | None) -> Check:
    """Spark 4 and the plugin need Java 17; a Connect client and Arrow data need none."""
    wanted = FAIL if pyspark is not None else WARN
    if said is None:
        return Check("java", wanted, "not found in JAVA_HOME or on the PATH", JDK)
    match = re.search(r'"(?:1\.)?(\d+)', said)
    major = int(match[1]) if match else 0
    if major < 17:
        old_spark = pyspark is not None and _numbers(pyspark) < (4,)
        return Check("java", WARN if old_spark else wanted, f"{said}; 17 is needed", JDK)
    return Check("java", OK, said)


def check_jar() -> Check:
    """The jar is optional, but must be of the same version as the package."""
    try:
        path = jar_path()
    except PenstockError as error:
        return Check("plugin jar", WARN, "absent; flows work without it", str(error))
    ours, its = installed("penstock"), jar_version(path)
    if its != ours:
        detail = f"{path} is of version {its}, the package of {ours}"
        return Check("plugin jar", FAIL, detail, "install penstock again")
    return Check("plugin jar", OK, str(path))


def check_cores(found: Cores) -> Check:
    """One core cannot show any gain."""
    quota = "no cgroup limit" if found.quota is None else f"cgroup limit {found.quota:g}"
    detail = f"{found.usable} (affinity {found.affinity}, {quota})"
    if found.usable < 2:
        advice = (
            "give Python workers two cores or more; with one, flows cannot run faster than "
            "plain Python"
        )
        return Check("cores", WARN, detail, advice)
    return Check("cores", OK, detail)


def check_limits(found: Limits) -> list[Check]:
    """Limits below which Spark or threads are known to fail."""
    gib, mib = 1024**3, 1024**2
    space = "unlimited" if found.address_space is None else readable_size(found.address_space)
    return [
        _at_least("address space", found.address_space, 2 * gib, space,
                  "raise ulimit -v, or spark.executor.pyspark.memory, to 2 GiB or more"),
        _at_least("processes", found.processes, 512, None, "raise ulimit -u to 512 or more"),
        _at_least("open files", found.open_files, 1024, None, "raise ulimit -n to 1024 or more"),
        _at_least("/dev/shm", found.shared_memory, 64 * mib, readable_size(found.shared_memory),
                  "mount 64 MiB or more there (docker run --shm-size=64m)"),
    ]  # fmt: skip


def _at_least(name: str, found: int | None, least: int, text: str | None, fix: str) -> Check:
    shown = text or ("unlimited" if found is None else str(found))
    enough = found is None or found >= least
    return Check(name, OK, shown) if enough else Check(name, WARN, shown, fix)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text.partition("+")[0])[:3])
