"""Regions with channels: what can be written, what is refused, and what one makes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Elastic, Flow, agg, flow
from penstock.errors import FlowError
from penstock.operators import Expression
from penstock.parallel import Region

SCHEMA = "host string, user string, n int, x double, tags array<string>"
START = flow("f", SCHEMA)


def totals(rows: Flow) -> Flow:
    return rows.key_by("host").running(total=agg.sum("n"), name="total")


def big(rows: Flow) -> Flow:
    return rows.filter(pc.field("n") > 3, name="big")


class Pairs:
    """Counts the rows of a user on a host; its source says that this is its key."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], int] = {}

    def process(self, row: Any) -> Any:
        self.seen[(row.user, row.host)] = self.seen.get((row.user, row.host), 0) + 1
        yield row


def region_of(made: Flow) -> Region:
    (region,) = made.operators
    assert isinstance(region, Region)
    return region


def test_a_region_is_one_operator_that_knows_those_inside() -> None:
    region = region_of(
        START.parallel(lambda rows: totals(big(rows)), by="host", channels=3, name="r")
    )
    assert region.name == "r"
    assert [one.name for one in region.operators] == ["big", "total"]
    assert region.output.names == [*START.schema.names, "total"]
    assert (region.by, region.channels, region.order) == (("host",), Elastic(3, 3), "stream")
    assert region.kind == "keyed"
    assert region.native
    assert region.body == "parallel by host on 3 channels: filter big -> running total"


def test_without_a_key_it_is_stateless_and_deals_tuples_out_in_turn() -> None:
    region = region_of(START.parallel(lambda rows: rows.select("n", name="s")))
    assert region.kind == "stateless"
    assert region.native
    assert region.body == "parallel in turn on 1 to 8 channels: select s"


def test_a_key_may_be_computed() -> None:
    region = region_of(START.parallel(big, by=pc.field("n") + 1))
    assert region.by == (Expression(pc.field("n") + 1),)
    assert region.computed_key is not None
    assert region.computed_key.output.types == [pa.int32()]
    assert region.key_columns == [0]
    assert region.body.startswith("parallel by add_checked(n, 1) on")


def test_an_expression_that_is_a_column_is_that_column() -> None:
    region = region_of(START.parallel(totals, by=pc.field("host")))
    assert (region.by, region.computed_key) == (("host",), None)


def test_names_are_unique_inside_and_around_a_region() -> None:
    made = START.select("n").parallel(lambda rows: rows.select("n").select("n")).select("n")
    assert made.operators[1].name == "parallel_2"
    region = made.operators[1]
    assert isinstance(region, Region)
    assert [one.name for one in region.operators] == ["select_3", "select_4"]
    assert made.operators[2].name == "select_5"
    with pytest.raises(FlowError, match="operator 'big': another operator has this name"):
        big(START).parallel(big)
    with pytest.raises(FlowError, match="flow 'f', operator 'big': another operator has this name"):
        big(START.parallel(big))
    with pytest.raises(FlowError, match="operator 'big': another operator has this name"):
        START.parallel(big, name="big")


def test_a_flow_with_a_region_travels_to_another_process() -> None:
    made = START.parallel(totals, by=("host",)).operators
    assert pickle.loads(pickle.dumps(made)) == made


def test_it_makes_what_the_operators_make_one_after_another() -> None:
    region = region_of(
        flow("f", "host string, n int").parallel(lambda r: totals(big(r)), by="host")
    )
    rows = {"host": ["a", "b", "a", "a"], "n": pa.array([5, 6, 1, 7], pa.int32())}
    made = region.process(pa.RecordBatch.from_pydict(rows))
    assert made is not None
    assert made.to_pydict() == {"host": ["a", "b", "a"], "n": [5, 6, 7], "total": [5, 6, 12]}
    none = region.process(pa.RecordBatch.from_pydict({"host": ["a"], "n": pa.array([1], "int32")}))
    assert none is None


def test_functions_of_flat_map_get_one_row_at_a_time_by_key_and_tuples_otherwise() -> None:
    given: list[int] = []

    def note(batch: pa.RecordBatch) -> pa.RecordBatch:
        given.append(batch.num_rows)
        return batch

    start = flow("f", "n long")
    batch = pa.RecordBatch.from_pydict({"n": [1, 2, 3]})
    by_key = region_of(start.parallel(lambda rows: rows.flat_map(note), by="n"))
    in_turn = region_of(start.parallel(lambda rows: rows.flat_map(note)))
    given.clear()
    assert by_key.process(batch) == batch
    assert given == [1, 1, 1]
    assert in_turn.process(batch) == batch
    assert given == [1, 1, 1, 3]


FINE: dict[str, tuple[Callable[[Flow], Flow], dict[str, Any]]] = {
    "renamed key": (
        lambda rows: rows.select(h=pc.field("host")).key_by("h").running(rows=agg.count()),
        {"by": "host"},
    ),
    "keys in another order": (
        lambda rows: rows.key_by("user", "host").running(rows=agg.count()),
        {"by": ("host", "user")},
    ),
    "key found in the source": (lambda rows: rows.apply(Pairs()), {"by": ("user", "host")}),
    "key found in the source in another order, channels fixed": (
        lambda rows: rows.apply(Pairs()),
        {"by": ("host", "user"), "channels": 4},
    ),
    "more keys than the region, channels fixed": (
        lambda rows: rows.key_by("host", "user").running(rows=agg.count()),
        {"by": "host", "channels": 4},
    ),
    "key behind another keyed operator": (
        lambda rows: totals(rows).key_by("host").running(rows=agg.count()),
        {"by": "host"},
    ),
    "key that is the region's expression": (
        lambda rows: rows.with_column("k", pc.field("n") + 1).key_by("k").running(rows=agg.count()),
        {"by": pc.field("n") + 1},
    ),
    "key that decides the expression, channels fixed": (
        lambda rows: rows.key_by("n").running(rows=agg.count()),
        {"by": pc.field("n") + 1, "channels": 4},
    ),
}


@pytest.mark.parametrize("case", FINE)
def test_keyed_operators_whose_keys_stay_together_are_allowed(case: str) -> None:
    body, chosen = FINE[case]
    assert region_of(START.parallel(body, **chosen)).kind == "keyed"


def test_a_channel_hashes_the_keys_of_its_operators_in_the_order_of_the_region() -> None:
    body, chosen = FINE["keys in another order"]
    region = region_of(START.parallel(body, **chosen))
    assert [getattr(one, "by", None) for one in region.operators] == [("user", "host")]
    assert [getattr(one, "by", None) for one in region.replica] == [("host", "user")]
    found = START.parallel(lambda rows: rows.apply(Pairs()), by=("host", "user"), channels=2)
    assert [getattr(one, "by", None) for one in region_of(found).replica] == [("user", "host")]


REFUSED: dict[str, tuple[Callable[[Flow], Any] | None, dict[str, Any], str]] = {
    "keyed without by": (totals, {}, "'total' goes by host, but without by= .* give by='host'"),
    "two keys without by": (
        lambda rows: rows.key_by("host", "user").running(rows=agg.count()),
        {},
        "give by=\\('host', 'user'\\)",
    ),
    "other key": (totals, {"by": "user"}, "goes by host, but the region by user, .*by='host'"),
    "fewer keys": (totals, {"by": ("host", "user")}, "goes by host, but the region by host, user"),
    "key overwritten": (
        lambda rows: totals(rows.with_column("host", pc.utf8_upper(pc.field("host")))),
        {"by": "host"},
        "goes by host, but 'host' is made inside the region",
    ),
    "key from a function": (
        lambda rows: totals(rows.map(lambda batch: batch)),
        {"by": "host"},
        "'host' is made inside the region",
    ),
    "more keys, elastic": (
        lambda rows: rows.key_by("host", "user").running(rows=agg.count()),
        {"by": "host"},
        "could not move when the number of channels changes; .* as in channels=8",
    ),
    "key found in the source in another order, elastic": (
        lambda rows: rows.apply(Pairs()),
        {"by": ("host", "user")},
        "could not move when the number of channels changes; give by=\\('user', 'host'\\)",
    ),
    "expression of a double": (
        lambda rows: rows.key_by("x").running(rows=agg.count()),
        {"by": pc.scalar(1.0) / pc.field("x"), "channels": 4},
        "goes by x, but the region by divide",
    ),
    "unknown column": (big, {"by": "hots"}, "unknown key column 'hots'; did you mean 'host'"),
    "nested column": (big, {"by": "tags"}, "'tags' is array<string>, which cannot be a key"),
    "nested expression": (
        big,
        {"by": pc.make_struct(pc.field("n"))},
        "struct<.*>, which cannot be a key",
    ),
    "unknown column in an expression": (
        big,
        {"by": pc.field("m") + 1},
        "unknown column 'm'; Known: 'host'",
    ),
    "no column": (big, {"by": ()}, "name at least one key column"),
    "number as key": (big, {"by": 7}, "by= takes a column, .* got 7"),
    "no channels": (big, {"channels": 0}, "channels=0 is not possible; give an int from 1 to 64"),
    "too many channels": (big, {"channels": 65}, "channels=65 is not possible"),
    "true channels": (big, {"channels": True}, "channels=True is not possible"),
    "unknown order": (big, {"order": "rows"}, "order='rows' is not possible; allowed is 'stream'"),
    "order by key without a key": (big, {"order": "key"}, "order='key' needs a key; give by="),
    "not a function": (None, {}, "a region is a function from a flow to a flow, .* NoneType"),
    "empty": (lambda rows: rows, {}, "added no operators"),
    "nothing returned": (lambda _: None, {}, "must return the flow it made .* got NoneType"),
    "another flow": (
        lambda _: big(START),
        {},
        "returned a flow that does not start from the one given",
    ),
    "nested": (
        lambda rows: rows.parallel(big, name="inner"),
        {},
        "operator 'inner': regions do not nest, and this is inside 'r'",
    ),
    "threading": (
        lambda rows: big(rows).threading("conveyor"),
        {},
        "threading is chosen for the whole flow",
    ),
    "mistake inside": (
        lambda rows: rows.filter(pc.field("m") > 1, name="typo"),
        {},
        "operator 'typo': unknown column 'm'",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_where_it_is_written(case: str) -> None:
    body, chosen, problem = REFUSED[case]
    with pytest.raises(FlowError, match=f"^flow 'f', operator 'r': .*{problem}"):
        START.parallel(body, **chosen, name="r")  # type: ignore[arg-type]


def test_what_a_body_raises_itself_is_the_users() -> None:
    def broken(rows: Flow) -> Flow:
        raise KeyError(rows.name)

    with pytest.raises(KeyError, match="f"):
        START.parallel(broken)


@pytest.mark.parametrize("bounds", [(0, 1), (2, 1), (1, 65), (1.0, 2), (True, 2)])
def test_elastic_bounds_are_checked(bounds: tuple[Any, Any]) -> None:
    with pytest.raises(FlowError, match="1 <= least <= most <= 64 must hold"):
        Elastic(*bounds)
