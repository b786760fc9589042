"""Policies of flows, by code and by setting, and their decisions on plain numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, FlowError, SettingError, _native, flow, policies
from penstock.policies import OperatorState, pick
from penstock.policy_names import ABBREVIATIONS, WORDS, word_of
from penstock.settings import declarations
from penstock.spec import FlowSpec
from penstock.threading_model import MODELS

KEY = "spark.penstock.flow.f.policy"
PAGE = Path(__file__).parents[2] / "docs" / "policies.md"
TABLE = pa.table({"n": list(range(500))})


def numbers() -> Flow:
    return flow("f", "n long").filter(pc.field("n") > 9).select("n")


def test_the_words_are_those_of_the_engine_and_of_the_setting() -> None:
    assert list(WORDS) == _native.policy_names()
    assert declarations()["spark.penstock.flow.*.policy"].allowed == ("flow", *WORDS)
    assert policies.names() == WORDS


@pytest.mark.parametrize("policy", [*WORDS, *ABBREVIATIONS])
def test_every_policy_gives_the_rows_of_one_thread_in_their_order(policy: str) -> None:
    made = numbers().threading("dynamic", threads=2, policy=policy)
    result = made.run(TABLE, settings={"spark.penstock.tuple.rows": 3})
    assert result.to_pylist() == TABLE.slice(10).to_pylist()


@pytest.mark.parametrize("model", sorted(set(MODELS) - {"dynamic"}))
def test_a_model_without_queues_takes_no_policy(model: Any) -> None:
    with pytest.raises(FlowError, match=f"flow 'f': the {model} model takes no policy"):
        numbers().threading(model, policy="maxQueue")
    settings = {KEY: "maxQueue", "spark.penstock.flow.f.threading": model}
    with pytest.raises(SettingError, match=f"policy=maxQueue .* runs in {model}"):
        FlowSpec.of(numbers(), settings)


def test_a_setting_overrides_the_policy_of_the_flow() -> None:
    made = numbers().threading("dynamic", policy="CT")
    assert FlowSpec.of(made).threading.policy == "currentThroughput"
    assert FlowSpec.of(made, {KEY: "random"}).threading.policy == "random"
    other = {"spark.penstock.flow.f.threading": "manual"}
    assert FlowSpec.of(made, other).threading.policy == ""


def test_explain_says_which_policy_it_is() -> None:
    assert "dynamic, 2 threads, lastInPipeline next\n" in (
        numbers().threading("dynamic", threads=2).explanation()
    )
    assert ", maxQueue next\n" in numbers().threading("dynamic", policy="maxQueue").explanation()


def test_an_unknown_policy_is_refused_with_what_was_meant() -> None:
    with pytest.raises(FlowError, match="'maxQueu' is not a policy; did you mean 'maxQueue'"):
        numbers().threading("dynamic", policy="maxQueu")
    with pytest.raises(FlowError, match="3 is not a policy"):
        word_of(3)


@pytest.mark.parametrize("policy", WORDS)
def test_a_decision_is_none_where_nobody_can_work(policy: str) -> None:
    assert pick(policy, []) is None
    assert pick(policy, [OperatorState(worklist=0), OperatorState(worklist=1, workers=1)]) is None
    assert pick(policy, [OperatorState(worklist=0), OperatorState(worklist=1)]) == 1
    assert pick(policy, [OperatorState(source=True)]) == 0


def test_six_numbers_are_enough_for_every_policy() -> None:
    state = {
        "selectivity": 1.0,
        "cost": 2.0,
        "worklist": 3,
        "workers": 0,
        "max_parallelism": None,
        "window_time": 0.0,
    }
    assert all(pick(policy, [state, state]) in (0, 1) for policy in WORDS)


def test_by_lot_the_seed_decides() -> None:
    states = [{"worklist": 1}] * 8
    drawn = {pick("random", states, seed=seed) for seed in range(50)}
    assert drawn == set(range(8))
    assert pick("random", states, seed=7) == pick("random", states, seed=7)


@pytest.mark.parametrize(
    ("policy", "state", "why"),
    [
        ("LP", {"worklst": 1}, r"operators\[0\] has 'worklst'; did you mean 'worklist'"),
        ("LP", {}, r"operators\[0\] does not say its 'worklist'"),
        ("CT", {"worklist": 1, "selectivity": 1, "cost": 1}, "'window_time'"),
        ("LP", {"worklist": -1}, r"operators\[0\]: worklist is -1; it must be 0 or more"),
        ("LP", {"worklist": 1.5}, "worklist is 1.5; it must be a whole number"),
        ("ET", {"worklist": 1, "cost": float("nan")}, "cost is nan; it must be a number"),
        ("LP", {"worklist": 1, "source": "yes"}, "source is 'yes'; it must be True or False"),
        ("LP", {"worklist": 2**63}, "it must be 9223372036854775807 or less"),
        ("LP", 5, r"operators\[0\] is 5; it must be an OperatorState or a mapping"),
    ],
)
def test_a_number_that_is_impossible_is_named(policy: str, state: Any, why: str) -> None:
    with pytest.raises(SettingError, match=why):
        pick(policy, [state])


@pytest.mark.parametrize("wrong", [{"slice": -1}, {"capacity": -1}, {"seed": -1}, {"seed": 1.5}])
def test_a_parameter_that_is_impossible_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match=f"{next(iter(wrong))} is "):
        pick("CT", [], **wrong)


def test_every_policy_is_on_the_page() -> None:
    assert all(f"`{word}`" in PAGE.read_text() for word in WORDS)
