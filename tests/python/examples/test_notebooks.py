"""The notebooks hold no stored results, run to their end, and draw without a network."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[3] / "examples" / "notebooks"
NAMES = ["first_steps", "ordered_keyed_state", "watching_elasticity"]
NAMESPACE = "http://www.w3.org/2000/svg"
# Seconds: three minutes for all of them. Only the first one starts Spark.
LIMITS = {"first_steps": 110, "ordered_keyed_state": 30, "watching_elasticity": 40}
DRAWINGS = {"first_steps": 3, "ordered_keyed_state": 3, "watching_elasticity": 3}


def read(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def test_these_are_all_notebooks() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_no_output_is_stored(name: str) -> None:
    for cell in read(name).cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.parametrize("name", NAMES)
def test_each_has_one_claim_and_asserts_it(name: str) -> None:
    cells = read(name).cells
    told = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert told.count("**The claim: ") == 1
    assert any("\nassert " in f"\n{cell.source}" for cell in cells if cell.cell_type == "code")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.timeout(LIMITS[name])) for name in NAMES]
)
def test_a_notebook_runs_and_draws_without_a_network(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)  # Spark would take any python3 there is
    notebook = read(name)
    NotebookClient(
        notebook,
        timeout=LIMITS[name],
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    pages = [
        output.data["text/html"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]
    assert sum(page.count("<svg ") for page in pages) >= DRAWINGS[name]
    for page in pages:
        assert not re.search(
            r"https?:|<script|<link|<img|\bsrc=|\bhref=|url\(", page.replace(NAMESPACE, "")
        )
