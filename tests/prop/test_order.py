"""Whoever runs a random flow, its output is that of one thread running it on paper."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.prop import engine, oracle
from tests.prop.cases import Carriers, Case, carriers, graphs
from tests.prop.comparison import EXAMPLES, check_same, count

from penstock.threading_model import MODELS

# Of all models together 2,000 graphs, unless more or fewer examples are asked for.
GRAPHS = 3 * EXAMPLES

# A case that was found once is no proof of anything later; a fresh one is worth more.
thorough = settings(
    max_examples=GRAPHS,
    deadline=None,
    print_blob=True,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("model", MODELS)
@thorough
@given(case=graphs(), given_to=carriers)
def test_no_row_is_lost_duplicated_or_out_of_order(
    model: str, case: Case, given_to: Carriers
) -> None:
    right = oracle.expected(case)
    check_same(engine.run(case, model, given_to), right)
    count(len(case.steps), right)


@pytest.mark.parametrize("model", MODELS)
@thorough
@given(case=graphs(failing=True), given_to=carriers)
def test_a_failure_names_operator_and_rows_after_the_rows_before_it(
    model: str, case: Case, given_to: Carriers
) -> None:
    right = oracle.expected(case)
    check_same(engine.run(case, model, given_to), right)
    count(len(case.steps), right)


@pytest.mark.parametrize("model", MODELS)
@settings(thorough, max_examples=1 + GRAPHS // 4)
@given(case=graphs(failing=True), given_to=carriers)
def test_a_failure_names_the_rows_of_its_tuple_when_the_row_is_not_looked_for(
    model: str, case: Case, given_to: Carriers
) -> None:
    right = oracle.expected(case, locate_row=False)
    check_same(engine.run(case, model, given_to, locate_row=False), right)
    count(len(case.steps), right)
