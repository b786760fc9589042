"""The plugin jar that comes with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from penstock.errors import PenstockError

JAR = "jars/penstock-spark.jar"
PLUGIN_CLASS = "io.penstock.spark.PenstockPlugin"
VERSION_RESOURCE = "penstock-version.properties"


def jar_path() -> Path:
    """Where the jar is.

    Raises:
        PenstockError: When the package was built without it.
    """
    path = Path(str(files("penstock") / JAR))
    if not path.is_file():
        raise PenstockError(
            f"{path} does not exist: the package was built without the plugin jar, which needs "
            "javac 17 or newer; install a JDK (Debian: openjdk-17-jdk-headless) and install "
            "penstock again. Flows work without the jar"
        )
    return path


def jar_version(path: Path) -> str | None:
    """The version a jar says it has; None when it does not say."""
    try:
        with ZipFile(path) as jar:
            lines = jar.read(VERSION_RESOURCE).decode().splitlines()
    except (BadZipFile, KeyError):
        return None
    pairs = dict(line.split("=", 1) for line in lines if "=" in line and line[:1] != "#")
    return pairs.get("version")
