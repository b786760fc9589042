"""Build backend: scikit-build-core, plus PySpark when the plugin jar has nothing to compile against.

The jar is compiled by plain javac against the jars of an installed PySpark. An isolated build
cannot import the PySpark of the environment it builds for, but it can see its files; only where
there are none does the build ask for a PySpark of its own.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import Any

from scikit_build_core import build as _inner
from scikit_build_core.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
    "spark_jars",
]


def spark_jars() -> Path | None:
    """The folder of Spark's jars to compile against, or None when this machine has none."""
    homes = [Path(os.environ["SPARK_HOME"])] if "SPARK_HOME" in os.environ else []
    homes += [Path(sysconfig.get_path(kind)) / "pyspark" for kind in ("purelib", "platlib")]
    folders = (home / "jars" for home in homes)
    return next((folder for folder in folders if any(folder.glob("spark-core_*.jar"))), None)


def get_requires_for_build_wheel(settings: dict[str, Any] | None = None) -> list[str]:
    """What an isolated build installs first."""
    return _with_spark(_inner.get_requires_for_build_wheel(settings))


def get_requires_for_build_editable(settings: dict[str, Any] | None = None) -> list[str]:
    """What an isolated editable build installs first."""
    return _with_spark(_inner.get_requires_for_build_editable(settings))


def _with_spark(requires: list[str]) -> list[str]:
    return requires if spark_jars() else [*requires, "pyspark>=3.5,<4.4"]
