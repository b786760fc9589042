from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.python.loops.loops import numbers, tuples

import penstock
from penstock import FlowError, agg
from penstock.threading_model import MODELS


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [0, 2])
def test_each_result_is_what_its_flow_makes_alone(model: Any, rows: int) -> None:
    start = penstock.flow("f", "n long").with_column("m", pc.field("n") * 2)
    flows = {
        "big": start.filter(pc.field("n") > 4),
        "texts": start.select(n=pc.field("n").cast(pa.string())),
        "sums": start.key_by("m").running(seen=agg.count()).select("seen"),
        "all": start,
    }
    if model != "manual":
        flows = {name: flow.threading(model) for name, flow in flows.items()}
    made = penstock.outputs(**flows).run(numbers([1, 9, 1, 5]), settings=tuples(rows))
    assert list(made) == list(flows)
    for name, flow in flows.items():
        assert made[name].table == flow.run(numbers([1, 9, 1, 5])).table


def test_outputs_are_flows_with_the_same_beginning() -> None:
    with pytest.raises(FlowError, match="outputs needs flows by name"):
        penstock.outputs()
    with pytest.raises(FlowError, match="outputs takes flows, got int"):
        penstock.outputs(one=7)  # type: ignore[arg-type]
    one, other = penstock.flow("f", "n long"), penstock.flow("g", "n long")
    with pytest.raises(FlowError, match="'g' starts on its own"):
        penstock.outputs(one=one, other=other)
