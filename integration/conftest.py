from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
# The repository, for `integration`, and its examples, which are in no package.
for _folder in (ROOT, ROOT / "examples"):
    if str(_folder) not in sys.path:
        sys.path.append(str(_folder))

from integration.environments import build_wheel
from integration.sessions import LOCAL, Sessions


def pytest_configure(config: pytest.Config) -> None:
    # Said by PySpark of a pandas that is newer than it; no test here uses pandas.
    config.addinivalue_line(
        "filterwarnings", "ignore:PySpark does not yet fully support pandas:FutureWarning"
    )
    # py4j leaves its sockets to the garbage collector when a JVM ends.
    config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")


@pytest.fixture(scope="session", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where all of Spark's files go, with the environment that its processes inherit."""
    made = tmp_path_factory.mktemp("spark")
    (made / "tmp").mkdir()
    paths = [str(ROOT), str(ROOT / "examples"), os.environ.get("PYTHONPATH", "")]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS"):
            patch.delenv(name, raising=False)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("TMPDIR", str(made / "tmp"))
        yield made


@pytest.fixture(scope="session")
def sessions(folder: Path) -> Iterator[Sessions]:
    """Starts and ends sessions; only one is there at a time."""
    made = Sessions(folder)
    made.close()
    yield made
    made.close_all()


@pytest.fixture
def spark(sessions: Sessions) -> Any:
    """Spark on two local cores, with the plugin."""
    return sessions.of(LOCAL)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as users get it, built once for all tests that install it."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))
