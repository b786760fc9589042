from __future__ import annotations

import pickle
import sysconfig
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import flow
from penstock.errors import PenstockError
from penstock.package_version import package_version
from penstock.spec import FlowSpec
from penstock.task import refuse_other_version, start, why_no_engine

SPEC = FlowSpec.of(flow("f", "n long").filter(pc.field("n") > 1))
NO_MODULE = ImportError("No module named 'penstock._native'")


def test_a_flow_of_this_version_runs() -> None:
    batches = iter([pa.RecordBatch.from_pydict({"n": [1, 2, 3]})])
    made = start(pickle.dumps((SPEC, None)), package_version(), batches)
    assert [batch.to_pydict() for batch in made] == [{"n": [2, 3]}]


def test_another_version_is_refused_before_anything_is_unpickled() -> None:
    with pytest.raises(PenstockError, match=r"has penstock .*, the driver has 0\.0\.9"):
        start(b"not a pickle", "0.0.9", iter([]))


def test_a_refusal_says_both_versions_and_both_remedies() -> None:
    with pytest.raises(PenstockError) as raised:
        refuse_other_version("1.2.3", "1.2.2")
    said = str(raised.value)
    assert "penstock 1.2.2" in said
    assert "pip install penstock==1.2.3" in said
    assert "penstock archive" in said


def test_a_package_inside_a_zip_is_told_from_others(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "penstock.zip", "w") as file:
        file.writestr("penstock/__init__.py", "")
    said = why_no_engine(tmp_path / "penstock.zip" / "penstock", NO_MODULE)
    assert f"inside {tmp_path / 'penstock.zip'}" in said
    assert "instead of --py-files" in said


def test_an_engine_for_another_python_is_named(tmp_path: Path) -> None:
    (tmp_path / "_native.cpython-39-riscv64-linux-gnu.so").touch()
    said = why_no_engine(tmp_path, NO_MODULE)
    assert f"no _native{sysconfig.get_config_var('EXT_SUFFIX')}" in said
    assert "but _native.cpython-39-riscv64-linux-gnu.so" in said
    assert "none at all" in why_no_engine(tmp_path / "nowhere", NO_MODULE)


def test_an_engine_that_does_not_load_says_what_the_loader_said(tmp_path: Path) -> None:
    (tmp_path / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}").touch()
    said = why_no_engine(tmp_path, ImportError("file too short"))
    assert said.endswith("does not load: file too short")
