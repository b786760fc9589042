"""Operators of a user's own library, compiled here and run in flows."""

from __future__ import annotations

import dataclasses
import pickle
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest
from tests.python.library.build import build

import penstock
from penstock import Elastic, Flow, FlowError, OperatorError, _native, flow
from penstock.library import shared_library
from penstock.library.native_library import NativeLibrary
from penstock.spec import FlowSpec
from penstock.worker import run


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    return build(tmp_path_factory.mktemp("native") / "operators.so")


def named_words(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What the operator `words` does by the column k, in Python."""
    seen: Counter[Any] = Counter()
    for row in rows:
        seen[row["k"]] += 1
        for time in range(1, seen[row["k"]] % 4 + 1):
            named = None if row["word"] is None else f"{row['word']}#{time}"
            yield {"named": named, "first": time == 1}


ROWS = [
    {"k": i * i % 7 or None, "word": None if i % 11 == 0 else "word " * (i % 5), "other": [i]}
    for i in range(500)
]
SCHEMA = "k bigint, word string, other array<bigint>"
WORDS = pa.Table.from_pylist(ROWS, penstock.flow("f", SCHEMA).input_schema)


def test_it_passes_rows_on_with_columns_that_it_does_not_read(library: str) -> None:
    made = flow("f", "other array<int>, n bigint").native(f"{library}:positive")
    table = pa.table({"other": pa.array([[1], [2], [3]], pa.list_(pa.int32())), "n": [1, -2, None]})
    assert made.run(table).to_pylist() == [{"other": [1], "n": 1}]
    assert made.operators[0].kind == "stateless"


@pytest.mark.parametrize("model", ["manual", "dedicated", "dynamic", "conveyor", "automatic"])
@pytest.mark.parametrize("rows", [1, 7, 1024])
def test_it_remembers_and_makes_what_the_same_logic_in_python_does(
    library: str, model: Any, rows: int
) -> None:
    made = flow("f", SCHEMA).key_by("k").native(f"{library}:words")
    if model != "manual":
        made = made.threading(model)
    result = made.run(WORDS, settings={"spark.penstock.tuple.rows": rows})
    assert result.to_pylist() == list(named_words(ROWS))


def test_what_it_remembers_moves_with_the_channels_of_a_region(library: str) -> None:
    def body(rows: Flow) -> Flow:
        return rows.key_by("k").native(f"{library}:words")

    made = flow("f", SCHEMA).parallel(body, by="k", channels=Elastic(1, 5), name="r")
    spec = FlowSpec.of(made.threading("conveyor", threads=2), {"spark.penstock.tuple.rows": 8})
    set_channels: list[Any] = []
    given = iter(WORDS.to_batches(max_chunksize=8))

    def changing() -> Iterator[pa.RecordBatch]:
        for place, batch in enumerate(given):
            set_channels[0]("r", 1 + place * 3 % 5)
            yield batch

    batches = list(run(spec, changing(), steer=set_channels.append))
    assert pa.Table.from_batches(batches).to_pylist() == list(named_words(ROWS))


def test_a_checkpoint_takes_up_where_it_left_off(library: str) -> None:
    made = flow("f", SCHEMA).key_by("k").native(f"{library}:words", name="words")
    first = made.run(WORDS.slice(0, 200), checkpoint=True)
    second = made.run(WORDS.slice(200), restore=first.states)
    assert first.to_pylist() + second.to_pylist() == list(named_words(ROWS))


def test_without_state_a_key_does_not_matter(library: str) -> None:
    made = flow("f", "n bigint").key_by("n").native(f"{library}:positive")
    assert made.operators[0].kind == "stateless"
    assert made.run(pa.table({"n": [3, -3]})).to_pylist() == [{"n": 3}]


@pytest.mark.parametrize("model", ["manual", "conveyor"])
def test_a_failure_names_its_row_and_comes_after_the_rows_before(library: str, model: Any) -> None:
    made = flow("f", "n bigint").native(f"{library}:positive", name="lucky")
    if model != "manual":
        made = made.threading(model, threads=2)
    numbers = [n for n in range(1, 3000) if n != 13]
    numbers[2000] = 13
    rows: list[int] = []

    def read() -> None:
        for batch in made.stream(pa.table({"n": numbers})):
            rows.extend(batch["n"].to_pylist())

    with pytest.raises(OperatorError, match="13 is unlucky") as caught:
        read()
    assert (caught.value.operator, caught.value.row, caught.value.last_row) == ("lucky", 2000, 2000)
    assert rows == numbers[:2000]


def test_a_failure_names_its_row_in_a_flow_that_remembers(library: str) -> None:
    words = flow("f", "n bigint, word string").native(f"{library}:positive", name="lucky")
    made = words.key_by("n").native(f"{library}:words")
    table = pa.table({"n": [5] * 1500 + [13] + [5] * 10, "word": ["a"] * 1511})
    with pytest.raises(OperatorError, match="13 is unlucky") as caught:
        made.run(table)
    assert (caught.value.row, caught.value.last_row) == (1500, 1500)


def test_an_operator_that_lies_about_its_rows_is_told_off(library: str) -> None:
    with pytest.raises(OperatorError, match="from row 1048576, which it was not given"):
        flow("f", "n bigint").native(f"{library}:liar").run(pa.table({"n": [1]}))


@pytest.mark.parametrize(
    ("symbol", "schema", "problem"),
    [
        ("newer", "n bigint", "was built against version 2 of penstock_operator.h, this is vers"),
        ("nobody", "n bigint", r"has no symbol 'nobody'; define it with PENSTOCK_EXPORT\(nobody\)"),
        ("positive", "m bigint", "reads column 'n' .bigint., which is not there; .*Known: 'm'"),
        ("positive", "n int", "reads column 'n' as bigint, and here it is int; cast it before"),
        ("never_null", "n bigint", "as NOT NULL, and here it may be null; say NOT NULL in"),
        ("without_function", "n bigint", "has no function"),
        ("without_input", "n bigint", "does not say which columns it reads"),
        ("odd_input", "n bigint", "the columns that '.*' reads: .*bigintt"),
        ("odd_output", "n bigint", r"makes column 'tags' of type array<string>, which penstock"),
        ("negative_state", "n bigint", "remembers -1 bytes"),
        ("words", "word string", r"remembers 8 bytes of each key: say which .*key_by\('id'\)"),
    ],
)
def test_what_does_not_fit_is_told_where_the_flow_is_written(
    library: str, symbol: str, schema: str, problem: str
) -> None:
    with pytest.raises(FlowError, match=f"flow 'f', operator 'native_1': .*{problem}"):
        flow("f", schema).native(f"{library}:{symbol}")


def test_a_column_that_is_never_null_may_be_read_as_such(library: str) -> None:
    made = flow("f", "n bigint NOT NULL").native(f"{library}:never_null")
    assert made.run(pa.table({"n": [1]})).to_pylist() == [{"n": 1}]


@pytest.mark.parametrize("where", ["libscores.so", "libscores.so:", ":score", "/a:b/libscores.so"])
def test_a_library_without_a_symbol_is_refused(where: str) -> None:
    with pytest.raises(FlowError, match="names no operator in the library"):
        flow("f", "n bigint").native(where)


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FlowError, match=r"there is no library 'nowhere.so'; looked at"):
        flow("f", "n bigint").native("nowhere.so:score")
    text = tmp_path / "text.so"
    text.write_text("no library")
    with pytest.raises(FlowError, match=r"text.so' cannot be loaded"):
        flow("f", "n bigint").native(f"{text}:score")


def test_a_symbol_that_is_no_operator_is_refused(library: str) -> None:
    with pytest.raises(FlowError, match="is not a penstock_operator"):
        flow("f", "n bigint").native(f"{library}:no_operator")


def test_a_shipped_library_is_found_by_its_name(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    here.mkdir()
    moved = Path(shutil.copy(library, there / "moved.so"))
    spec = FlowSpec.of(flow("f", "n bigint").native(f"{moved}:positive", name="o"))
    sent = pickle.dumps(spec)
    moved.rename(here / "moved.so")
    batch = pa.RecordBatch.from_pydict({"n": [1]})
    with pytest.raises(
        FlowError, match=r"flow 'f', operator 'o': there is no library .*--files mo"
    ):
        list(run(pickle.loads(sent), iter([batch])))
    monkeypatch.chdir(here)
    assert list(run(pickle.loads(sent), iter([batch]))) == [batch]


def test_another_library_under_the_same_name_is_refused(library: str, tmp_path: Path) -> None:
    made = flow("f", SCHEMA).key_by("k").native(f"{library}:words", name="o")
    other = build(tmp_path / "operators.so", "-DREMEMBER_MORE")
    swapped = dataclasses.replace(cast(NativeLibrary, made.operators[0]), library=other)
    spec = FlowSpec.of(Flow("f", made.input_schema, (swapped,)))
    with pytest.raises(FlowError, match="is not the one that the flow was written with"):
        list(run(spec, iter(WORDS.to_batches())))


def test_the_header_and_the_package_agree_on_the_version() -> None:
    header = (Path(penstock.include_dir()) / "penstock_operator.h").read_text()
    assert f"#define PENSTOCK_OPERATOR_ABI {shared_library.ABI}\n" in header
    assert _native.operator_abi == shared_library.ABI
