from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import flow


def parse(batch: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {"host": batch["line"], "tries": pc.utf8_length(batch["line"])}
    )


TEXT = f"""\
flow 'logins'
  threading  manual, the caller's thread
  input
    schema   line string NOT NULL
  parse
    does     map {__name__}:parse
    kind     stateless, holds the GIL
    ports    1 in (from input), 1 out (to many)
    schema   host string, tries int
  many
    does     filter (tries > 3)
    kind     stateless, holds the GIL
    ports    1 in (from parse), 1 out (to with_column_3)
    schema   host string, tries int
  with_column_3
    does     compute host, tries, `is odd` = (tries == 5)
    kind     stateless, holds the GIL
    ports    1 in (from many), 1 out (to select_4)
    schema   host string, tries int, `is odd` boolean
  select_4
    does     select host, odd = `is odd`
    kind     stateless, native
    ports    1 in (from with_column_3), 1 out (to output)
    schema   host string, odd boolean
  output
    schema   host string, odd boolean
flow 'logins': 1/4 operators native; 'parse', 'many', 'with_column_3' hold the GIL
"""


def test_operators_ports_kinds_schemas_and_the_gil_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logins = (
        flow("logins", "line string NOT NULL")
        .map(parse, name="parse")
        .filter(pc.field("tries") > 3, name="many")
        .with_column("is odd", pc.field("tries") == 5)
        .select("host", odd=pc.field("is odd"))
    )
    logins.explain()
    assert capsys.readouterr().out == TEXT
    assert logins.explanation() + "\n" == TEXT


def test_a_native_flow_has_nobody_to_blame() -> None:
    text = flow("f", "a int, b int").select("a").explanation()
    assert text.splitlines()[-1] == "flow 'f': 1/1 operators native"


def test_one_operator_holds_and_several_hold() -> None:
    one = flow("f", "a int").filter(pc.field("a") > 1, name="x")
    assert one.explanation().endswith("0/1 operators native; 'x' holds the GIL")


def test_every_process_says_the_same() -> None:
    program = """if True:
        import pyarrow.compute as pc
        import penstock

        class Score:
            def __call__(self, batch):
                return batch

        penstock.flow("f", "a int, b map<string, int>").map(Score()).filter(
            pc.field("a").isin([3, 1, 2])
        ).flat_map(lambda batch: [batch]).explain()
    """
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout.decode()
        for seed in ("1", "2")
    }
    (text,) = said
    assert "map __main__:Score" in text
    assert "0x" not in text
