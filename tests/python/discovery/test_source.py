"""A source proves something only if it is the one that was compiled."""

from __future__ import annotations

import importlib.util
import linecache
import sys
from pathlib import Path
from typing import Any

from tests.python.discovery.classes import COLUMNS, Case, module

from penstock.discovery import discover

GOOD = Case("", "self.last[row.k] = 1").source()


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("written", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_file_that_has_not_changed_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "written.py"
    path.write_text(GOOD)
    assert discover(load(path).Op(), COLUMNS).key == ("k",)


def test_a_file_that_changed_after_it_was_imported_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "written.py"
    path.write_text(GOOD.replace("self.last[row.k] = 1", "self.n = 1"))
    made = load(path).Op()
    path.write_text(GOOD)
    found = discover(made, COLUMNS)
    assert found.reason == "serial: the source of Op.process is not what was compiled"


def test_a_file_that_is_imported_again_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "written.py"
    path.write_text(GOOD)
    assert discover(load(path).Op(), COLUMNS).key == ("k",)
    path.write_text(GOOD.replace("row.k", "(row.k, row.j)"))
    assert discover(load(path).Op(), COLUMNS).key == ("k", "j")


def test_a_global_that_the_source_does_not_set_may_change() -> None:
    names = module(GOOD.replace("= 1", "= limit"))
    names["limit"] = 3
    found = discover(names["Op"](), COLUMNS)
    assert "reads the global 'limit', which may change" in found.reason


def test_a_file_that_was_deleted_leaves_the_operator_serial(tmp_path: Path) -> None:
    path = tmp_path / "written.py"
    path.write_text(GOOD)
    made = load(path).Op()
    path.unlink()
    found = discover(made, COLUMNS)
    assert found.reason == "serial: the source of Op.process is not available"


def test_a_file_that_is_no_python_any_more_leaves_the_operator_serial(tmp_path: Path) -> None:
    path = tmp_path / "written.py"
    path.write_text(GOOD)
    made = load(path).Op()
    path.write_text("class Op\n" * 20)
    found = discover(made, COLUMNS)
    assert found.reason == "serial: the source of Op.process cannot be read"


def test_a_class_without_source_stays_serial() -> None:
    names = module(GOOD)
    linecache.cache.pop(names["Op"].process.__code__.co_filename)
    assert "is not available" in discover(names["Op"](), COLUMNS).reason


def test_a_method_put_into_the_class_later_is_the_one_that_counts() -> None:
    names = module(GOOD + "\ndef count(self, row):\n    self.n += 1\n")
    names["Op"].process = names["count"]
    found = discover(names["Op"](), COLUMNS)
    assert "of count, `self.n += 1`" in found.reason


def test_a_class_in_a_function_that_captures_stays_serial() -> None:
    inner = GOOD.replace("= 1", "= seen").replace("\n", "\n    ")
    names = module(f"def make(seen):\n    {inner}\n    return Op\nOp = make(1)")
    found = discover(names["Op"](), COLUMNS)
    assert "captures 'seen' from the function around it" in found.reason
    assert "of Op.process" in found.reason


def test_a_wrapped_process_is_not_taken_for_the_one_inside() -> None:
    wrapper = """
from functools import wraps
def counted(f):
    @wraps(f)
    def wrapper(self, row):
        self.n += 1
        return f(self, row)
    return wrapper
"""
    source = wrapper + GOOD.replace("    def process", "    @counted\n    def process")
    found = discover(module(source)["Op"](), COLUMNS)
    assert found.key is None


def test_a_very_deep_expression_stays_serial() -> None:
    depth = sys.getrecursionlimit() // 3
    value = "+".join(["1"] * depth)
    found = discover(module(GOOD.replace("= 1", f"= row.v+{value}"))["Op"](), COLUMNS)
    assert found.reason == "serial: Op is too deeply nested"
