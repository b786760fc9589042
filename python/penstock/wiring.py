"""From the operators of a flow to the graph that the engine runs."""

from __future__ import annotations

import pyarrow as pa

from penstock import _native
from penstock.bodies import body_of
from penstock.c_data import CStruct
from penstock.operators import Operator, Select
from penstock.row_calls import RowCalls, StateCalls
from penstock.row_operator import RowOperator
from penstock.running import RunningAggregate
from penstock.spec import FlowSpec

END = -1  # stands for the source as an upstream and for the sink as a downstream
SCHEMA_WORDS = 9
ARRAY_WORDS = 10


def graph_of(spec: FlowSpec) -> _native.Graph:
    """Describe the operators of a flow to the engine, one behind the other."""
    graph = _native.Graph(spec.name)
    upstream = END
    for operator in spec.operators:
        index = graph.add(operator.name, operator.kind, _made(operator, spec))
        graph.connect(upstream, index)
        upstream = index
    graph.connect(upstream, END)
    return graph


def _made(operator: Operator, spec: FlowSpec) -> _native.Operator:
    if isinstance(operator, Select):
        return _native.select(list(operator.columns))
    if isinstance(operator, RunningAggregate):
        given = CStruct(SCHEMA_WORDS)
        operator.input._export_to_c(given.address)
        return _native.running_aggregate(
            given.address,
            operator.key_columns,
            operator.functions,
            parts=spec.settings.parts_per_operator,
            most_bytes=spec.settings.most_state_bytes,
        )
    if isinstance(operator, RowOperator):
        return _rows(operator, spec.settings.most_state_bytes)
    return _native.function(body_of(operator, full_check=spec.settings.full_batch_check))


def _rows(operator: RowOperator, most_bytes: int) -> _native.Operator:
    calls = RowCalls(operator, most_bytes=most_bytes)
    if calls.body.stores is None:
        return _native.traced_function(calls.process, calls.finish if calls.body.finishes else None)
    state = StateCalls(calls.body.stores, _channels_of)
    return _native.keyed_function(
        calls.process,
        donate=state.donate,
        collect=state.collect,
        snapshot=state.snapshot,
        keys=state.keys,
    )


def _channels_of(keys: pa.RecordBatch, channels: int) -> list[int]:
    schema, array = CStruct(SCHEMA_WORDS), CStruct(ARRAY_WORDS)
    keys._export_to_c(array.address, schema.address)
    columns = list(range(keys.num_columns))
    return _native.channels_of(schema.address, array.address, columns, channels)
