"""How Spark is set up on this machine, as far as `penstock doctor` can see it.

A plugin class that executors cannot load ends each of them at its start, and Spark starts new ones
for ever: the job hangs. So it is worth looking before.

>>> print(check_plugin({"spark.plugins": PLUGIN_CLASS, "spark.driver.extraClassPath": "/p.jar"}))
FAIL  spark.plugins  names the plugin, and nothing gives executors its jar: they would die at once, and jobs hang
                     fix: set spark.jars to what `penstock jar` prints, or spark.executor.extraClassPath as well
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from penstock.checkup import FAIL, OK, WARN, Check
from penstock.jar import PLUGIN_CLASS
from penstock.package_version import package_version

JARS = ("spark.jars", "spark.jars.packages")
CLASS_PATHS = ("spark.driver.extraClassPath", "spark.executor.extraClassPath")
ARCHIVES = ("spark.archives", "spark.yarn.dist.archives")
PROBE = (
    "import penstock.worker; from penstock.package_version import package_version; "
    "print(package_version())"
)


def examine_setup(environment: Mapping[str, str] = os.environ) -> list[Check]:
    """Look at spark-defaults.conf, if there is one, and at the Python of Spark's workers."""
    defaults = spark_defaults(environment)
    checks = []
    if defaults is not None:
        checks = [check_plugin(defaults), *check_archives(defaults)]
    # Spark's workers inherit the path of the driver on this machine, but not on others.
    python = environment.get("PYSPARK_PYTHON", "")
    return [*checks, check_worker_python(python)] if python else checks


def spark_defaults(environment: Mapping[str, str]) -> dict[str, str] | None:
    """The settings that Spark reads on this machine; None where there is no such file."""
    folders = [environment.get("SPARK_CONF_DIR")]
    home = environment.get("SPARK_HOME")
    if not home and (found := find_spec("pyspark")) is not None:
        home = str(Path(str(found.origin)).parent)
    folders += [f"{home}/conf"] if home else []
    file = Path(next((folder for folder in folders if folder), "")) / "spark-defaults.conf"
    return parse_properties(file.read_text(encoding="utf-8")) if file.is_file() else None


def parse_properties(text: str) -> dict[str, str]:
    r"""Read a file of Spark's settings.

    >>> parse_properties("# why\nspark.master  local[2]\nspark.jars=/a.jar\n")
    {'spark.master': 'local[2]', 'spark.jars': '/a.jar'}
    """
    lines = (line.strip() for line in text.splitlines())
    pairs = (re.split(r"\s*[=:\s]\s*", line, maxsplit=1) for line in lines if line[:1] not in "#!")
    return {pair[0]: pair[1] if len(pair) > 1 else "" for pair in pairs if pair[0]}


def check_plugin(defaults: Mapping[str, str]) -> Check:
    """The jar must reach driver and executors before they look for the plugin."""
    name = "spark.plugins"
    if PLUGIN_CLASS not in defaults.get(name, ""):
        return Check(name, OK, "not set in spark-defaults.conf; flows need no plugin")
    if any(defaults.get(key) for key in JARS):
        return Check(name, OK, "set in spark-defaults.conf, with jars")
    sides = {key for key in CLASS_PATHS if defaults.get(key)}
    if sides == set(CLASS_PATHS):
        return Check(name, OK, "set in spark-defaults.conf, with class paths on both sides")
    if sides == {CLASS_PATHS[0]}:
        detail = (
            "names the plugin, and nothing gives executors its jar: they would die at once, and "
            "jobs hang"
        )
    else:
        detail = "names the plugin, and nothing gives the driver its jar: Spark would not start"
    missing = " and ".join(key for key in CLASS_PATHS if key not in sides)
    advice = f"set spark.jars to what `penstock jar` prints, or {missing} as well"
    return Check(name, FAIL, detail, advice)


def check_archives(defaults: Mapping[str, str]) -> list[Check]:
    """Archives of the package must be there, and of this version and Python."""
    given = ",".join(defaults.get(key, "") for key in ARCHIVES).split(",")
    ours = [entry.partition("#")[0] for entry in given if entry.endswith("#penstock")]
    return [_check_archive(path) for path in ours]


def _check_archive(path: str) -> Check:
    name, again = "archive", "write it again: penstock archive"
    local = path.removeprefix("file://")
    if "://" in local:
        return Check(name, OK, f"{path}, not looked at")
    if not Path(local).is_file():
        return Check(name, FAIL, f"{path} does not exist", again)
    wanted = f"penstock-{package_version()}-{sysconfig.get_config_var('SOABI')}.zip"
    if Path(local).name != wanted:
        detail = f"{path} is not {wanted}, the one for this version and Python"
        return Check(name, WARN, detail, again)
    return Check(name, OK, path)


def check_worker_python(python: str) -> Check:
    """Where PYSPARK_PYTHON names another interpreter, that one needs the package."""
    name = "worker python"
    path = shutil.which(python)
    if path is None:
        detail = f"PYSPARK_PYTHON={python} is not on this machine"
        return Check(name, WARN, detail, "see that it is on every executor, with the package")
    if Path(path).absolute() == Path(sys.executable).absolute():
        return Check(name, OK, f"{path}, which is this one")
    asked = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False)
    said = asked.stdout.strip()
    if asked.returncode == 0 and said == package_version():
        return Check(name, OK, f"{path} has penstock {said}")
    why = said or (asked.stderr.strip().splitlines() or ["nothing was said"])[-1]
    advice = (
        f"{path} -m pip install penstock=={package_version()}, or send it to the executors: "
        "penstock archive"
    )
    detail = f"PYSPARK_PYTHON={python} has not penstock {package_version()}: {why}"
    return Check(name, WARN, detail, advice)
