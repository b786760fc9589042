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
