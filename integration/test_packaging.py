"""The wheel: what is in it, and what it needs at least."""

from __future__ import annotations

import re
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from integration.environments import ROOT, run

# A wheel is compiled from nothing, twice as slowly where something else runs.
pytestmark = pytest.mark.timeout(1200)

# As pyproject.toml states it, unless this Python has no wheel of one so old.
STATED = re.search(r'"pyarrow>=(\d+)"', (ROOT / "pyproject.toml").read_text())
OLDEST_PYARROW = (
    f"{max(int(STATED[1]) if STATED else 0, 18 if sys.version_info >= (3, 13) else 0)}.0.0"
)
# Everything that touches Arrow and needs no Spark.
TESTS = ["worker", "local", "expressions", "fit", "functions", "arrow_types", "layouts"]


def test_one_wheel_holds_the_engine_the_jar_and_the_defaults(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    engine = [name for name in names if name.startswith("penstock/_native.") and ".so" in name]
    assert len(engine) == 1
    assert "penstock/jars/penstock-spark.jar" in names
    assert "penstock/penstock-defaults.conf" in names
    assert "penstock/py.typed" in names
    sources = [name for name in names if name.endswith((".cpp", ".h", ".hpp", ".java"))]
    headers = {f"penstock/include/{header.name}" for header in (ROOT / "native/include").iterdir()}
    assert set(sources) == headers


@pytest.mark.timeout(600)
def test_it_works_with_the_oldest_pyarrow_that_is_stated(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    # A pyarrow of that age was built for the numpy of its time.
    needed = [f"pyarrow=={OLDEST_PYARROW}", "numpy<2" if sys.version_info < (3, 13) else "numpy"]
    tools = ["pytest", "pytest-timeout", "hypothesis", "pandas<3"]
    run(python, "-m", "pip", "install", "-q", wheel, *needed, *tools)
    tests = [f"tests/python/test_{name}.py" for name in TESTS]
    # Without Spark there is no task that it could run in.
    needs_spark = (
        "tests/python/test_worker.py::test_inside_spark_the_lines_of_the_user_are_in_the_message"
    )
    options = ["-q", "-p", "no:cacheprovider", f"--deselect={needs_spark}"]
    assert " passed" in run(python, "-m", "pytest", *options, *tests)
    version = run(python, "-c", "import pyarrow; print(pyarrow.__version__)")
    assert version.strip() == OLDEST_PYARROW
