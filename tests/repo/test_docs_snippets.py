"""Every block of Python on the pages does what they say, and every command is one that a test runs.

Blocks that need Spark are run by integration/test_docs.py.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))

from snippets import PAGES, blocks_of, run, shell_lines

# Each command on a page, and the test that runs it, or the same with other names of files, or what
# it says below that the command does.
SUBMITTED = "integration/test_plugin.py::test_a_submitted_job_runs_its_flow"
INSTALLED = (
    "integration/test_conf.py::test_the_init_script_installs_wheel_and_jar_and_may_run_again"
)
LOOKED = "tests/python/test_cli.py::test_doctor_says_the_same_to_people_and_to_programs"
SERVED = "integration/test_ui.py::test_the_history_server_shows_how_the_flow_ended"
COMMANDS = {
    "pip install '.[spark]'": "Makefile::$(BIN)/pip install -q --no-build-isolation '.[spark]'",
    "penstock doctor": LOOKED,
    "spark-submit $(penstock conf --submit) job.py": SUBMITTED,
    # What `penstock conf --submit` prints.
    "spark-submit --conf spark.plugins=io.penstock.spark.PenstockPlugin "
    "--conf spark.jars=$(penstock jar) "
    "--conf spark.sql.execution.arrow.maxBytesPerBatch=2147483647 job.py": SUBMITTED,
    "%pip install /Volumes/main/libs/penstock-0.1.0-cp312-cp312-linux_x86_64.whl --no-deps": INSTALLED,
    # The script does nothing but start the class that the test starts, in the background.
    "SPARK_DAEMON_CLASSPATH=$(penstock jar) $SPARK_HOME/sbin/start-history-server.sh": SERVED,
}
LANGUAGES = {"python", "bash", "text", "cpp"}
SHOWN = {line: place for page in PAGES for line, place in shell_lines(blocks_of(page))}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_python_of_a_page_does_what_it_says(page: Path) -> None:
    blocks = [block for block in blocks_of(page) if block.language == "python"]
    run((block for block in blocks if not block.needs), {"__name__": page.stem})


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_block_is_of_a_kind_that_nobody_runs(page: Path) -> None:
    blocks = list(blocks_of(page))
    assert [block.place for block in blocks if block.language not in LANGUAGES] == []
    assert [block.place for block in blocks if block.needs not in {"", "spark"}] == []
    without = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"\n\n {4}\S", without), "indented code, which no test finds"


@pytest.mark.parametrize("line", sorted(SHOWN))
def test_a_command_that_is_shown_is_run_by_a_test(line: str) -> None:
    assert line in COMMANDS, f"{SHOWN[line]} shows it; name the test that runs it"
    path, _, name = COMMANDS[line].partition("::")
    wanted = f"def {name}(" if path.endswith(".py") else name
    assert wanted in (ROOT / path).read_text()


def test_no_command_is_listed_that_is_shown_no_more() -> None:
    assert set(COMMANDS) - set(SHOWN) == set()


def test_blocks_of_c_are_compiled() -> None:
    pages = [p for p in PAGES if any(block.language == "cpp" for block in blocks_of(p))]
    assert [page.name for page in pages] == ["loops.md"]
    assert "docs/loops.md" in (ROOT / "tests/python/loops/test_library.py").read_text()
