from __future__ import annotations

import json
import pydoc
import re
import subprocess
import sys

import penstock


def after(program: str) -> dict[str, object]:
    """Run a program in a fresh interpreter and read the JSON it prints."""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    found: dict[str, object] = json.loads(told)
    return found


THREADS = "len(os.listdir('/proc/self/task'))"


def test_importing_the_package_loads_neither_spark_nor_the_engine_nor_datasets() -> None:
    told = after("import json, sys, penstock; print(json.dumps({'modules': list(sys.modules)}))")
    modules = told["modules"]
    assert isinstance(modules, list)
    assert "penstock.flow" in modules
    for heavy in ("pyspark", "penstock._native", "penstock.worker", "pyarrow.dataset", "pandas"):
        assert heavy not in modules


def test_describing_a_flow_needs_no_engine() -> None:
    told = after(
        "import json, sys, penstock, pyarrow.compute as pc\n"
        "f = penstock.flow('f', 'a int').filter(pc.field('a') > 1).map(lambda b: b)\n"
        "f.explanation()\n"
        "print(json.dumps({'engine': 'penstock._native' in sys.modules}))"
    )
    assert told == {"engine": False}


def test_importing_the_engine_starts_no_thread() -> None:
    told = after(
        "import json, os, pyarrow, pyarrow.compute\n"
        f"before = {THREADS}\n"
        "import penstock, penstock.worker\n"
        f"print(json.dumps({{'before': before, 'after': {THREADS}}}))"
    )
    assert told["after"] == told["before"]


def test_what_simulates_is_there_when_it_is_asked_for() -> None:
    told = after(
        "import json, penstock\n"
        "operators = [{'worklist': 5, 'cost': 2}, {'worklist': 3, 'cost': 3}]\n"
        "picked = penstock.policies.pick('ET', operators)\n"
        "level = penstock.elastic.UtilizationController(maximum=4).update(1.0)\n"
        "known = {'elastic', 'policies'} <= set(dir(penstock))\n"
        "print(json.dumps({'picked': picked, 'level': level, 'known': known,\n"
        "                  'unknown': hasattr(penstock, 'polices')}))"
    )
    assert told == {"picked": 0, "level": 2, "known": True, "unknown": False}


def test_help_begins_with_all_that_is_meant_for_users() -> None:
    told = pydoc.plain(pydoc.render_doc(penstock))
    guide, inside, _ = told.partition("PACKAGE CONTENTS")
    assert inside
    words = set(re.findall(r"\w+", guide))
    assert {*penstock.__all__, *penstock.SIMULATED, "KeyedFlow"} <= words
    assert max(map(len, guide.splitlines())) <= 4 + 100


def test_help_needs_no_engine() -> None:
    told = after(
        "import json, pydoc, sys\n"
        "sys.modules['penstock._native'] = None\n"
        "import penstock\n"
        "told = pydoc.render_doc(penstock)\n"
        "try:\n"
        "    penstock.elastic\n"
        "except AttributeError as error:\n"
        "    why = str(error)\n"
        "print(json.dumps({'flow': 'key_by' in told, 'why': why}))"
    )
    assert told["flow"]
    assert str(told["why"]).startswith("penstock.elastic needs the engine: ")


def test_without_the_engine_an_import_of_what_simulates_says_why() -> None:
    told = after(
        "import json, sys\n"
        "sys.modules['penstock._native'] = None\n"
        "try:\n"
        "    from penstock import policies\n"
        "except ImportError as error:\n"
        "    print(json.dumps({'why': str(error)}))"
    )
    assert "_native" in str(told["why"])
