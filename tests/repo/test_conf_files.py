"""The ready settings of Spark in conf/spark-defaults load the plugin and repeat no default of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.cli import spark_lines
from penstock.settings import PREFIX, Settings, declarations
from penstock.spark_setup import parse_properties

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "conf/spark-defaults").glob("*.conf"))
# What integration/test_conf.py starts Spark with; the others say themselves that they are untested.
TRIED = {"local", "standalone", "connect-server"}


def test_there_is_one_for_each_way_to_run() -> None:
    names = {file.stem for file in FILES}
    assert names == TRIED | {"yarn", "kubernetes", "databricks"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_sets_what_penstock_conf_would(file: Path) -> None:
    found = parse_properties(file.read_text())
    for key, value, _ in spark_lines():
        if key != "spark.jars":
            assert found[key] == value
    jar = found.get("spark.jars", "").removeprefix("local://")
    # The init script puts it on the class path.
    assert jar == ("" if file.stem == "databricks" else "/opt/penstock/penstock-spark.jar")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_settings_of_penstock_are_possible_and_not_their_defaults(file: Path) -> None:
    ours = {
        key: value
        for key, value in parse_properties(file.read_text()).items()
        if key.startswith(PREFIX)
    }
    assert Settings.of(ours).as_dict() == ours
    assert [key for key, value in ours.items() if declarations()[key].default == value] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_that_was_never_tried_says_so(file: Path) -> None:
    head = file.read_text().partition("\n\n")[0]
    assert ("UNTESTED" in head) == (file.stem not in TRIED)
