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
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from penstock.checkup import FAIL, OK, WARN, Check, installed, numbers
from penstock.errors import PenstockError
from penstock.flow import flow
from penstock.jar import jar_path, jar_version
from penstock.machine import Cores, Limits, cores, limits, readable_size
from penstock.spark_companions import check_java, check_pandas, check_pyspark
from penstock.spark_setup import examine_setup


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
        check_pandas(installed("pandas"), pyspark),
        *examine_setup(),
        check_cores(cores()),
        *check_limits(limits()),
    ]


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
    if found is None or numbers(found) < (15,):
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
