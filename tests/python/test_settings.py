from __future__ import annotations

import pickle

import pytest

from penstock.errors import SettingError
from penstock.settings import Settings, declarations


def test_without_any_setting_the_defaults_of_the_file_hold() -> None:
    settings = Settings.of()
    known = declarations()
    assert settings.rows_per_tuple == int(known["spark.penstock.tuple.rows"].default)
    assert settings.full_batch_check == (known["spark.penstock.check.batches"].default == "full")
    assert settings.locate_row == (known["spark.penstock.error.locateRow"].default == "true")


def test_a_setting_holds_whether_written_as_text_or_as_a_value() -> None:
    for rows, locate in [(64, False), ("64", "false")]:
        settings = Settings.of(
            {
                "spark.penstock.tuple.rows": rows,
                "spark.penstock.error.locateRow": locate,
                "spark.penstock.check.batches": "full",
            }
        )
        assert settings.rows_per_tuple == 64
        assert not settings.locate_row
        assert settings.full_batch_check


def test_settings_of_spark_are_not_ours() -> None:
    assert Settings.of({"spark.sql.shuffle.partitions": "7"}).as_dict() == {}


def test_an_unknown_key_is_refused_with_the_nearest() -> None:
    with pytest.raises(SettingError, match=r"tupel\.rows is not a setting; did you .*tuple\.rows"):
        Settings.of({"spark.penstock.tupel.rows": "1"})


def test_a_key_without_the_prefix_is_refused() -> None:
    with pytest.raises(SettingError, match=r"rows_per_tuple is not a setting; .*'spark.penstock.'"):
        Settings.of({"rows_per_tuple": 1})


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(SettingError) as raised:
        Settings.of(
            {
                "spark.penstock.tuple.rows": "-1",
                "spark.penstock.check.batches": "some",
                "spark.penstock.nonsense": "1",
            }
        )
    said = str(raised.value).splitlines()
    assert len(said) == 3
    assert "spark.penstock.tuple.rows=-1 is out of range; allowed is an int from 0" in said[0]
    assert "spark.penstock.check.batches=some is not possible; allowed is schema or full" in said[1]


def test_settings_are_values() -> None:
    one = Settings.of({"spark.penstock.tuple.rows": 1, "spark.penstock.error.locateRow": True})
    two = Settings.of({"spark.penstock.error.locateRow": "true", "spark.penstock.tuple.rows": "1"})
    assert one == two
    assert hash(one) == hash(two)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != Settings.of()


def test_keyed_operators_have_settings_of_their_own() -> None:
    chosen = Settings.of({"spark.penstock.keyed.parts": 3, "spark.penstock.state.maxBytes": "2k"})
    assert (chosen.parts_per_operator, chosen.most_state_bytes) == (3, 2048)
    assert (Settings().parts_per_operator, Settings().most_state_bytes) == (16, 0)
