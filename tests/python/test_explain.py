from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Elastic, Flow, agg, flow
from penstock.operators import Operator
from penstock.threading_model import ModelName


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
    kind     stateless, native
    ports    1 in (from parse), 1 out (to with_column_3)
    schema   host string, tries int
  with_column_3
    does     compute host, tries, `is odd` = (tries == 5)
    kind     stateless, native
    ports    1 in (from many), 1 out (to select_4)
    schema   host string, tries int, `is odd` boolean
  select_4
    does     select host, odd = `is odd`
    kind     stateless, native
    ports    1 in (from with_column_3), 1 out (to output)
    schema   host string, odd boolean
  output
    schema   host string, odd boolean
  in parallel
    parse, many, with_column_3, select_4: the caller's thread; in conveyor any thread at once, but one at a time under the GIL: 'parse'
flow 'logins': 3/4 operators native; 'parse' holds the GIL
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


def test_an_expression_of_numbers_is_native_and_one_of_text_is_not() -> None:
    start = flow("f", "a int, s string")
    assert start.filter(pc.field("a") > 1).explanation().endswith("1/1 operators native")
    text = start.filter(pc.field("s") == "x", name="x").explanation()
    assert text.endswith("0/1 operators native; 'x' holds the GIL")


def test_one_operator_holds_and_several_hold() -> None:
    one = flow("f", "a int").filter(pc.sqrt(pc.field("a")) > 1, name="x")
    assert one.explanation().endswith("0/1 operators native; 'x' holds the GIL")


def test_a_region_shows_its_operators_key_channels_and_order() -> None:
    made = flow("f", "n int").parallel(
        lambda rows: rows.filter(pc.sqrt(pc.field("n")) > 3, name="few").select("n", name="all"),
        by=pc.field("n") + 1,
        channels=Elastic(1, 4),
        order="key",
        name="r",
    )
    assert (
        made.explanation()
        == """\
flow 'f'
  threading  manual, the caller's thread
  input
    schema   n int
  r
    does     parallel by add_checked(n, 1) on 1 to 4 channels: filter few -> select all
    kind     keyed, the key of 'r', 'few' hold the GIL
    ports    1 in (from input), 1 out (to output)
    key      add_checked(n, 1)
    channels 1 to 4
    order    key, rows of one key keep their order
    schema   n int
    few
      does     filter (sqrt(n) > 3)
      kind     stateless, holds the GIL
      schema   n int
    all
      does     select n
      kind     stateless, native
      schema   n int
  output
    schema   n int
  in parallel
    r: 1 to 4 channels by add_checked(n, 1)
flow 'f': 1/2 operators native; the key of 'r', 'few' hold the GIL"""
    )


def test_a_region_without_a_key_says_so() -> None:
    made = flow("f", "n int").parallel(lambda rows: rows.select("n"), channels=1, order=None)
    lines = made.explanation().splitlines()
    assert "    key      none, tuples go to channels in turn" in lines
    assert "    channels 1" in lines
    assert "    order    none, rows leave as they are made" in lines
    assert "    kind     stateless, native" in lines
    assert "    parallel_1: 1 channel in turn" in lines


def runs(made: Flow) -> list[str]:
    lines = made.explanation().splitlines()
    return [line.strip() for line in lines[lines.index("  in parallel") + 1 : -1]]


START = flow("f", "a int, b int, n int")


def counted(made: Flow, *keys: str, name: str) -> Flow:
    return made.key_by(*keys).running(name=name, **{name: agg.count()})


@dataclass(frozen=True)
class Memory(Operator):
    """An operator that remembers every row."""

    kind: ClassVar[str] = "stateful"

    @property
    def body(self) -> str:
        return "remember"

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch


def test_longest_runs_of_stateless_operators_go_together_up_to_one_with_memory() -> None:
    before = START.select("a", "b", "n", name="s").filter(pc.field("a") > 1, name="f")
    keyed = counted(before, "a", name="k").select("a", name="behind")
    memory = Memory("x", keyed.schema, keyed.schema)
    assert runs(replace(keyed, operators=(*keyed.operators, memory))) == [
        "s, f: the caller's thread; in conveyor any thread at once",
        "k: divided by a into parts",
        "behind: the caller's thread; in conveyor any thread at once",
        "x: serial, because 'x' is stateful",
    ]


@pytest.mark.parametrize(
    ("model", "how"),
    [
        ("manual", "the caller's thread; in conveyor any thread at once"),
        ("dedicated", "a thread each"),
        ("dynamic", "one thread at a time each"),
        ("conveyor", "any thread at once"),
        ("automatic", "any thread at once, or one at a time each while there are queues"),
    ],
)
def test_who_may_be_in_stateless_operators_depends_on_the_threading_model(
    model: ModelName, how: str
) -> None:
    made = START.select("a", name="s").filter(pc.field("a") > 1, name="f").threading(model)
    assert runs(made) == [f"s, f: {how}"]


def first_of(made: Flow, *keys: str, name: str) -> Flow:
    """Add an operator by key that cannot divide itself, so that it is in a region in any case."""
    return made.key_by(*keys).dedup(name=name)


def test_neighbours_of_the_same_key_are_divided_together() -> None:
    renamed = first_of(START, "a", "b", name="k1").select("b", x=pc.field("a"), name="s")
    for add in (first_of, counted):
        assert runs(add(renamed, "b", "x", name="k2").select("b", name="behind")) == [
            "k1, s, k2: divided by a, b into parts together",
            "behind: the caller's thread; in conveyor any thread at once",
        ]


def test_native_filters_and_new_columns_between_them_are_divided_with_them() -> None:
    made = first_of(START, "a", name="k1").filter(pc.field("n") > 1, name="f")
    made = made.with_column("n", pc.field("n") + 1, name="c").filter(pc.field("n") < 9, name="g")
    assert runs(first_of(made, "a", name="k2")) == [
        "k1, f, c, g, k2: divided by a into parts together"
    ]


@pytest.mark.parametrize(
    ("between", "reason"),
    [
        (lambda made: made.filter(pc.sqrt(pc.field("a")) > 1, name="s"), "'s' is not native"),
        (
            lambda made: made.with_column("a", pc.field("b") + 1, name="s"),
            "'k2' goes by another key",
        ),
        (lambda made: made.map(lambda batch: batch, name="s"), "'s' is not native"),
        (
            lambda made: made.parallel(lambda rows: rows.select("a", "b"), name="s"),
            "'s' holds operators of its own",
        ),
        (
            lambda made: made.with_column("b", pc.field("b") + 1, name="s").with_column(
                "a", pc.field("b") + 1, name="t"
            ),
            "what 'k2' goes by is not known to be the same",
        ),
    ],
)
def test_neighbours_are_apart_over_what_may_change_keys_and_it_says_why(
    between: Callable[[Flow], Flow], reason: str
) -> None:
    for add in (first_of, counted):
        made = runs(add(between(add(START, "a", name="k1")), "a", name="k2"))
        assert made[0] == f"k1: divided by a into parts; apart from 'k2', because {reason}"
        assert made[1].startswith(("s: ", "s, t: "))
        assert made[2] == "k2: divided by a into parts"


def test_neighbours_that_divide_themselves_are_apart_and_it_says_why() -> None:
    made = counted(counted(START, "a", name="k1").select("a", name="s"), "a", name="k2")
    assert runs(made) == [
        "k1: divided by a into parts; apart from 'k2', because both cut tuples without copying rows",
        "s: the caller's thread; in conveyor any thread at once",
        "k2: divided by a into parts",
    ]


def test_neighbours_of_other_keys_are_divided_each_for_itself() -> None:
    for add in (first_of, counted):
        assert runs(add(add(START, "a", name="k1"), "b", name="k2")) == [
            "k1: divided by a into parts; apart from 'k2', because 'k2' goes by another key",
            "k2: divided by b into parts",
        ]


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
