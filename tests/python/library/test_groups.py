"""map_groups: what a function is given, where its rows go, and what it remembers."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from penstock import Elastic, FlowError, OperatorError, flow
from penstock.flow import Flow
from penstock.threading_model import ModelName

HOSTS = pa.table({"host": ["a", "b", "a", "c", "b", "a", None], "n": [1, 2, 3, 4, 5, 6, 7]})
MANY = pa.table(
    {"host": [f"h{(i * i) % 11}" for i in range(500)], "n": list(range(500))},
)


def hosts() -> Any:
    return flow("f", "host string, n long").key_by("host")


def numbered(_host: str, rows: pa.RecordBatch, state: Any) -> pa.RecordBatch:
    first = state.seen or 0
    state.seen = first + rows.num_rows
    return rows.append_column("nth", pa.array(range(first, state.seen), pa.int64()))


def summed(host: str | None, rows: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {"host": pa.array([host], pa.string()), "sum": [sum(rows["n"].to_pylist())]}
    )


def nth() -> Flow:
    made: Flow = hosts().map_groups(
        numbered, "host string, n long, nth long", state="seen long", name="nth"
    )
    return made


def run(made: Flow, data: pa.Table = HOSTS, rows: int = 0, **options: Any) -> list[dict[str, Any]]:
    return made.run(data, settings={"spark.penstock.tuple.rows": rows}, **options).to_pylist()


def test_a_function_is_called_for_each_key_in_the_order_of_first_rows() -> None:
    seen: list[tuple[Any, list[int]]] = []

    def note(host: Any, rows: pa.RecordBatch) -> None:
        seen.append((host, rows["n"].to_pylist()))

    assert run(hosts().map_groups(note)) == []
    assert seen == [("a", [1, 3, 6]), ("b", [2, 5]), ("c", [4]), (None, [7])]


def test_a_key_of_several_columns_is_a_tuple() -> None:
    seen: list[Any] = []

    def note(key: Any, _rows: pa.RecordBatch) -> None:
        seen.append(key)

    run(flow("f", "host string, n long").key_by("host", "n").map_groups(note), HOSTS.slice(0, 2))
    assert seen == [("a", 1), ("b", 2)]


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 5])
def test_as_many_rows_as_were_given_keep_their_places_however_the_input_is_cut(rows: int) -> None:
    expected = [0, 0, 1, 0, 1, 2, 0]
    assert [row["nth"] for row in run(nth(), rows=rows)] == expected


def test_other_rows_stand_where_the_last_row_of_the_group_stood() -> None:
    made = run(hosts().map_groups(summed, "host string, sum long"))
    assert [(row["host"], row["sum"]) for row in made] == [("c", 4), ("b", 7), ("a", 10), (None, 7)]


@pytest.mark.parametrize("model", ["dynamic", "conveyor", "automatic"])
@pytest.mark.parametrize("channels", [1, 3, Elastic(1, 4)])
def test_channels_and_threads_change_nothing(model: ModelName, channels: Elastic | int) -> None:
    def some(host: str, rows: pa.RecordBatch, state: Any) -> list[pa.RecordBatch]:
        made = numbered(host, rows, state)
        return [made, made.slice(0, 1)] if state.seen % 3 == 0 else [made]

    def region(rows: Flow) -> Flow:
        return rows.key_by("host").map_groups(
            some, "host string, n long, nth long", state="seen long", name="nth"
        )

    alone = flow("f", "host string, n long")
    expected = run(region(alone), MANY, 7)
    spread = alone.parallel(region, by="host", channels=channels).threading(model, threads=2)
    assert run(spread, MANY, 7) == expected
    assert len(expected) > len(MANY)


def test_what_is_remembered_is_checkpointed_and_restored() -> None:
    first = nth().run(HOSTS, checkpoint=True)
    again = nth().run(HOSTS, restore=first.states)
    assert again.table["nth"].to_pylist() == [3, 2, 4, 1, 3, 5, 1]


def test_a_key_is_forgotten_when_its_fields_are_none() -> None:
    def forget(_host: Any, _rows: pa.RecordBatch, state: Any) -> None:
        state.seen = None if state.seen else 1

    forgetful = hosts().map_groups(forget, state="seen long", name="forget")
    once = forgetful.run(HOSTS, checkpoint=True).states["forget"]
    assert sorted(once["host"].to_pylist(), key=str) == [None, "a", "b", "c"]
    data = HOSTS.slice(0, 3)
    settings = {"spark.penstock.tuple.rows": 2}
    twice = forgetful.run(data, settings=settings, checkpoint=True).states["forget"]
    assert twice["host"].to_pylist() == ["b"]


@pytest.mark.parametrize("channels", [1, 3])
def test_a_failure_names_the_first_row_of_the_group_and_what_came_before_is_there(
    channels: int,
) -> None:
    def fail(host: Any, rows: pa.RecordBatch) -> pa.RecordBatch:
        if host in {"c", "b"}:
            raise ValueError(f"no {host}")
        return rows

    made = flow("f", "host string, n long").parallel(
        lambda rows: rows.key_by("host").map_groups(fail, name="fail"), by="host", channels=channels
    )
    stream = made.stream(HOSTS)
    assert next(stream)["n"].to_pylist() == [1]
    with pytest.raises(OperatorError, match=r"operator 'fail', input row 1 .*ValueError: no b"):
        next(stream)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda _host, rows: rows.to_pandas(), "got DataFrame; of a DataFrame, pa.RecordBatch"),
        (lambda _host, rows: rows.select(["n"]), "returned another schema: columns 'host', 'n'"),
        (lambda _host, _rows: 3, "must return a RecordBatch, a Table or an iterable"),
    ],
)
def test_what_is_no_batch_of_the_schema_is_refused(function: Any, words: str) -> None:
    with pytest.raises(OperatorError, match=words):
        run(hosts().map_groups(function))


@pytest.mark.parametrize(
    ("value", "words"),
    [("x", r"set state\.seen: 'x' does not fit bigint"), (1.5, r"set state\.seen: 1\.5")],
)
def test_state_of_another_type_is_refused(value: Any, words: str) -> None:
    def wrong(_host: Any, _rows: pa.RecordBatch, state: Any) -> None:
        state.seen = value

    with pytest.raises(OperatorError, match=words):
        run(hosts().map_groups(wrong, state="seen long"))


def test_a_field_that_is_not_declared_is_unknown() -> None:
    def wrong(_host: Any, _rows: pa.RecordBatch, state: Any) -> None:
        state.sen = 1

    with pytest.raises(OperatorError, match="no field 'sen'; did you mean 'seen'"):
        run(hosts().map_groups(wrong, state="seen long"))


@pytest.mark.parametrize(
    ("function", "state", "words"),
    [
        (3, None, r"map_groups needs a function of \(key, rows\), got int 3"),
        (numbered, None, r"cannot be called with \(key, rows\).*exactly if state= declares"),
        (summed, "n long", r"cannot be called with \(key, rows, state\)"),
        (numbered, "host long", "state of operator 'map_groups_1'.*'host' is the name of another"),
    ],
)
def test_mistakes_are_found_where_they_are_written(function: Any, state: Any, words: str) -> None:
    with pytest.raises(FlowError, match=words):
        hosts().map_groups(function, state=state)
