from __future__ import annotations

import dataclasses
import pickle

import pytest

from penstock import FlowError, SettingError, flow
from penstock.spec import FlowSpec

PICK = flow("pick", "a int, b int").select("b")


def test_a_spec_holds_a_flow_and_its_settings() -> None:
    spec = FlowSpec.of(PICK, {"spark.penstock.tuple.rows": 8})
    assert (spec.name, spec.operators) == ("pick", PICK.operators)
    assert (spec.input_schema, spec.output_schema) == (PICK.input_schema, PICK.schema)
    assert spec.settings.rows_per_tuple == 8


def test_a_spec_survives_pickling_and_cannot_be_changed() -> None:
    spec = FlowSpec.of(PICK, {"spark.penstock.tuple.rows": 8})
    assert pickle.loads(pickle.dumps(spec)) == spec
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.name = "other"  # type: ignore[misc]


def test_a_flow_without_operators_has_no_spec() -> None:
    with pytest.raises(FlowError, match=r"flow 'f' has no operators"):
        FlowSpec.of(flow("f", "a int"))


def test_a_wrong_setting_is_found_before_anything_runs() -> None:
    with pytest.raises(SettingError, match=r"spark\.penstock\.tuple\.rows=-1 is out of range"):
        FlowSpec.of(PICK, {"spark.penstock.tuple.rows": -1})


def test_operators_that_hold_the_gil_are_refused_where_that_is_asked_for() -> None:
    made = (
        flow("f", "n long")
        .select("n")
        .apply(lambda row: [row], name="score")
        .parallel(lambda rows: rows.map(lambda batch: batch, name="enrich"))
    )
    words = (
        "flow 'f': 'score', 'enrich' hold the GIL, and spark.penstock.gil.fail is true; use a "
        "function compiled by @penstock.compiled, a pyarrow.compute expression or a native operator"
    )
    with pytest.raises(FlowError, match=words):
        made.run([], settings={"spark.penstock.gil.fail": True})
    assert FlowSpec.of(made).settings.gil_fails is False


def test_a_native_flow_runs_where_the_gil_is_refused() -> None:
    FlowSpec.of(flow("f", "n long").select("n"), {"spark.penstock.gil.fail": "true"})
