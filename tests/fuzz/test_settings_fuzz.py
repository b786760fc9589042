"""Settings at random: what is impossible is refused with its key, the rest holds (T8, G10)."""

from __future__ import annotations

import dataclasses
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.amount import share

from penstock import FlowError, SettingError, flow
from penstock.partition import run_partition
from penstock.settings import Settings, declarations
from penstock.spec import FlowSpec
from penstock.threading_model import Threading

KNOWN = {key.replace("*", "f"): found for key, found in declarations().items()}
KEYS = st.one_of(
    st.sampled_from(sorted(KNOWN)),
    st.sampled_from(sorted(KNOWN)).map(lambda key: key[:-1]),
    st.text(max_size=20).map(lambda text: f"spark.penstock.{text}"),
)
TEXTS = st.one_of(
    st.text(max_size=12),
    st.integers().map(str),
    st.sampled_from(["true", "false", "0", "-1", "1e9", "1.5", "10ms", "1x", "9" * 30, "", " "]),
    st.sampled_from([word for found in KNOWN.values() for word in found.allowed]),
)
VALUES = st.one_of(TEXTS, st.integers(), st.booleans(), st.floats(), st.none())
SPEC = FlowSpec.of(flow("f", "n long").select("n"))


def refused(key: str, value: Any) -> bool:
    """Whether a setting is refused by its own declaration, which a test of its own covers."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if key not in KNOWN:
        return not any(found.matches(key) for found in declarations().values())
    try:
        KNOWN[key].parse(key, text)
    except SettingError:
        return True
    return False


def arrived(values: tuple[tuple[str, str], ...]) -> FlowSpec:
    """A spec whose settings were changed on the way: nobody checked them."""
    return dataclasses.replace(SPEC, settings=Settings(values))


@settings(max_examples=share(0.02), deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_the_driver_refuses_what_is_impossible_and_names_every_key(values: dict[str, Any]) -> None:
    wrong = [key for key, value in values.items() if refused(key, value)]
    if not wrong:
        assert set(Settings.of(values).as_dict()) == set(values)
        return
    with pytest.raises(SettingError) as caught:
        Settings.of(values)
    assert all(key in str(caught.value) for key in wrong)


@settings(max_examples=share(0.005), deadline=None)
@given(st.dictionaries(KEYS, TEXTS, min_size=1, max_size=3))
def test_the_worker_refuses_what_the_driver_would_before_the_first_row(
    values: dict[str, str],
) -> None:
    wrong = [key for key, value in values.items() if refused(key, value)]
    asked = []

    def batches() -> Any:
        asked.append(True)
        yield pa.RecordBatch.from_pydict({"n": [1]})

    spec = arrived(tuple(sorted(values.items())))
    if not wrong:
        spec.check()
        return
    with pytest.raises(SettingError) as caught:
        list(run_partition(spec, batches()))
    assert all(key in str(caught.value) for key in wrong)
    assert not asked


MODELS = st.one_of(st.sampled_from(["manual", "dynamic", "conveyor"]), st.text(max_size=6))
COUNTS = st.one_of(st.integers(-2, 2000), st.just("2"), st.just(1.5))


@settings(max_examples=share(0.005), deadline=None)
@given(MODELS, COUNTS, st.sampled_from([True, False, "yes", None]), st.text(max_size=4))
def test_a_threading_that_nobody_could_have_asked_for_is_refused_in_the_worker(
    model: str, threads: Any, elastic: Any, policy: str
) -> None:
    asked = Threading(model, threads, elastic, policy)
    spec = dataclasses.replace(SPEC, threading=asked)
    problem = ""
    try:
        Threading.of(model, threads or None, elastic or None, policy or None)
    except FlowError as error:
        problem = str(error)
    if not problem:
        assert list(run_partition(spec, iter([]))) == []
        return
    with pytest.raises(FlowError) as caught:
        list(run_partition(spec, iter([])))
    assert str(caught.value) == f"flow 'f': {problem}"


def test_operators_that_do_not_fit_each_other_are_refused_in_the_worker() -> None:
    other = flow("f", "m string").select("m")
    spec = dataclasses.replace(SPEC, operators=other.operators)
    with pytest.raises(FlowError, match=r"flow 'f': operator 'select_1' takes \['m'\].* \['n'\]"):
        list(run_partition(spec, iter([])))
    with pytest.raises(FlowError, match="flow 'f': it has no operators"):
        list(run_partition(dataclasses.replace(SPEC, operators=()), iter([])))
    with pytest.raises(FlowError, match=r"flow 'f': it makes \['n'\], and not \['m'\]"):
        list(run_partition(dataclasses.replace(SPEC, output_schema=other.schema), iter([])))
