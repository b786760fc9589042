"""Policies of a user's own library, compiled here and used by flows."""

from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.python.library.build import build

from penstock import Flow, FlowError, _native, flow
from penstock.library import policy_library
from penstock.spec import FlowSpec

SOURCE = Path(__file__).with_name("policies.cpp")
TABLE = pa.table({"n": list(range(500))})
SMALL = {"spark.penstock.tuple.rows": 8}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    return build(tmp_path_factory.mktemp("policies") / "policies.so", source=SOURCE)


def evens(policy: str) -> Flow:
    made = flow("evens", "n long").filter(pc.field("n") > 9).select("n")
    return made.threading("dynamic", threads=2, policy=policy)


def test_a_flow_is_run_by_a_policy_of_a_library(library: str) -> None:
    made = evens(f"{library}:earliest")
    assert made.run(TABLE, settings=SMALL).to_pylist() == TABLE.slice(10).to_pylist()
    assert f"{library}:earliest next" in made.explanation()


def test_it_travels_by_where_it_is(library: str) -> None:
    spec = FlowSpec.of(evens(f"{library}:earliest"))
    assert pickle.loads(pickle.dumps(spec)).threading == spec.threading


def test_a_policy_that_never_picks_anybody_is_overruled_and_told_of(library: str) -> None:
    with pytest.warns(UserWarning, match=r"flow 'evens': policy '.*:silent' picked nobody"):
        made = evens(f"{library}:silent").run(TABLE, settings=SMALL)
    assert made.to_pylist() == TABLE.slice(10).to_pylist()


def test_nonsense_ends_the_flow_and_names_the_policy_and_what_it_said(library: str) -> None:
    with pytest.raises(FlowError, match=r"'evens': policy '.*:senseless' picked operator 4711 of"):
        evens(f"{library}:senseless").run(TABLE, settings=SMALL)


@pytest.mark.parametrize(
    ("symbol", "why"),
    [
        ("missing", r"has no symbol 'missing'; define it with PENSTOCK_EXPORT_POLICY\(missing\)"),
        ("empty", "has no function; set .pick"),
        ("newer", "was built against version 2 of penstock_policy.h, this is version 1"),
    ],
)
def test_what_cannot_be_used_is_refused_where_it_is_written(
    library: str, symbol: str, why: str
) -> None:
    with pytest.raises(FlowError, match=f"flow 'evens': .*{why}"):
        evens(f"{library}:{symbol}")


def test_a_library_that_is_not_there_is_refused() -> None:
    with pytest.raises(FlowError, match=r"there is no library 'nowhere.so'"):
        evens("nowhere.so:any")


def test_the_version_is_that_of_the_header() -> None:
    assert _native.policy_abi == policy_library.ABI
