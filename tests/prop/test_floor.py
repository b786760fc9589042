"""When a run of the property tests fails because it compared too little."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.prop.floor import FOLDER, LEAST, is_whole, shortfall

ROOT = FOLDER.parent.parent


@pytest.mark.parametrize("given", ["tests", "tests/prop", ".", str(FOLDER), "tests/prop/"])
def test_a_run_of_the_folder_or_of_one_around_it_is_whole(given: str) -> None:
    assert is_whole([given], ROOT, chosen=False)
    assert not is_whole([given], ROOT, chosen=True)


@pytest.mark.parametrize(
    "given", ["tests/prop/test_order.py", "tests/prop::test_x", "tests/python", "integration"]
)
def test_a_run_of_a_part_has_no_floor(given: str) -> None:
    assert not is_whole([given], ROOT, chosen=False)


def test_a_folder_is_meant_from_where_pytest_was_started() -> None:
    assert is_whole(["prop"], ROOT / "tests", chosen=False)
    assert not is_whole(["prop"], Path("/"), chosen=False)


@pytest.mark.parametrize("what", LEAST)
def test_one_less_than_the_floor_is_too_little_and_more_examples_raise_it(what: str) -> None:
    least = dict(LEAST)
    assert not shortfall(least, examples=60)
    assert shortfall(least | {what: LEAST[what] - 1}, examples=60).startswith(
        f"{LEAST[what] - 1} {what} compared, at least {LEAST[what]} expected"
    )
    assert f"at least {LEAST[what] * 10} expected" in shortfall(least, examples=600)


def test_whoever_asks_for_fewer_examples_gets_them() -> None:
    assert not shortfall({}, examples=5)
