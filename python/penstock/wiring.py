"""From the operators of a flow to the graph that the engine runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pyarrow as pa

from penstock import _native
from penstock.bodies import body_of
from penstock.busy_work import BusyWork
from penstock.c_data import CStruct
from penstock.errors import FlowError
from penstock.expression_program import Program
from penstock.library.branches import Branches
from penstock.library.compiled_operator import CompiledOperator
from penstock.library.groups import KeyedGroups
from penstock.library.native_operator import NativeOperator
from penstock.loops.body import LoopBody, Terms
from penstock.loops.circle import Circle
from penstock.loops.library import LibraryLoop
from penstock.loops.operator import Loop
from penstock.loops.stopping import Stop
from penstock.operators import Compute, Filter, Operator, Select
from penstock.package_files import PackageFiles
from penstock.parallel import Region
from penstock.regions import joined
from penstock.row_calls import RowCalls, StateCalls
from penstock.row_operator import RowOperator
from penstock.running import RunningAggregate
from penstock.spec import FlowSpec
from penstock.threading_model import FIXED
from penstock.traced import makes_other_rows, traced_body_of

END = -1  # stands for the source as an upstream and for the sink as a downstream
SCHEMA_WORDS = 9
ARRAY_WORDS = 10
MS_PER_SECOND = 1000
UNENDING = 1e9  # seconds
Around: TypeAlias = Region | Branches | Circle


def graph_of(spec: FlowSpec, stop: Stop | None = None) -> _native.Graph:
    """Describe the operators of a flow to the engine, one behind the other.

    Args:
        spec: The flow.
        stop: Tells its loops when the run is over.
    """
    graph = _native.Graph(spec.name)
    upstream = END
    # Without threads that could share them, parts would only cost.
    parts = 1 if spec.threading.model in FIXED else spec.settings.parts_per_operator
    for operator in joined(spec.operators, parts):
        # Here the engine asks only whether one thread at a time is in each channel or branch.
        kind = "keyed" if isinstance(operator, (Region, Branches)) else operator.kind
        index = graph.add(operator.name, kind, _made(operator, spec, stop=stop))
        graph.connect(upstream, index)
        upstream = index
    graph.connect(upstream, END)
    return graph


class _Memory:
    """What the replicas of one operator take, counted together."""

    def __init__(self) -> None:
        self.native = _native.SharedBytes()
        self.python: dict[int, int] = {}


def _made(
    operator: Operator,
    spec: FlowSpec,
    inside: Around | None = None,
    memory: _Memory | None = None,
    stop: Stop | None = None,
) -> _native.Operator:
    memory = memory or _Memory()
    if isinstance(operator, (Region, Branches, Circle, Loop)):
        return _with_ports(operator, spec, inside, stop)
    if isinstance(operator, (BusyWork, Select, NativeOperator)):
        return _native_alone(operator, spec, inside, memory)
    if isinstance(operator, (Compute, Filter)) and operator.program:
        return _expression(operator, operator.program)
    if isinstance(operator, RunningAggregate):
        given = _exported(operator.input)
        return _native.running_aggregate(
            given.address,
            operator.key_columns,
            operator.functions,
            parts=1 if inside else spec.settings.parts_per_operator,
            most_bytes=spec.settings.most_state_bytes,
            shared=memory.native,
        )
    if isinstance(operator, (RowOperator, KeyedGroups)):
        return _rows(operator, spec, memory)
    return _python(operator, inside, full_check=spec.settings.full_batch_check)


def _python(operator: Operator, inside: Around | None, *, full_check: bool) -> _native.Operator:
    if inside and inside.traces_rows and makes_other_rows(operator):
        return _native.traced_function(traced_body_of(operator, full_check=full_check))
    return _native.function(body_of(operator, full_check=full_check))


def _native_alone(
    operator: BusyWork | Select | NativeOperator,
    spec: FlowSpec,
    inside: Around | None,
    memory: _Memory,
) -> _native.Operator:
    if isinstance(operator, BusyWork):
        return _native.busy_work(operator.column, operator.rounds)
    if isinstance(operator, Select):
        return _native.select(list(operator.columns))
    if isinstance(operator, CompiledOperator):
        return _compiled(operator, spec, inside, memory)
    given, made = _exported(operator.input), _exported(operator.output)
    arguments = dict(operator.arguments)
    if operator.kind != "stateless":
        arguments |= {"most_bytes": spec.settings.most_state_bytes, "shared": memory.native}
    make: Callable[..., _native.Operator] = getattr(_native, operator.factory)
    return make(given.address, made.address, **arguments)


def _compiled(
    operator: CompiledOperator, spec: FlowSpec, inside: Around | None, memory: _Memory
) -> _native.Operator:
    try:
        address, owner = operator.load()
    except FlowError as error:
        raise FlowError(f"flow '{spec.name}', operator '{operator.name}': {error}") from None
    given = _exported(operator.input)
    made = _exported(operator.output) if operator.makes_columns else None
    # Without threads that could share them, parts would only cost.
    divided = inside is None and spec.threading.model not in FIXED
    return _native.compiled_rows(
        given.address,
        0 if made is None else made.address,
        address,
        owner,
        keys=operator.key_columns,
        state_bytes=operator.state_bytes,
        parts=spec.settings.parts_per_operator if divided else 1,
        most_bytes=spec.settings.most_state_bytes,
        shared=memory.native,
        columns=list(operator.reads),
    )


def _region(region: Region, spec: FlowSpec) -> _native.Operator:
    key = region.computed_key
    given, made = _exported(region.input), _exported(region.output)
    key_schema = None if key is None else _exported(key.output)
    replica = [(inner, _Memory()) for inner in region.replica]
    return _native.region(
        [
            [(inner.name, _made(inner, spec, region, memory)) for inner, memory in replica]
            for _ in range(region.channels.most)
        ],
        given.address,
        made.address,
        keys=region.key_columns,
        key_body=None if key is None else body_of(key, full_check=False),
        key_schema_address=0 if key_schema is None else key_schema.address,
        least=region.channels.least,
        first=region.channels.least,
        order=region.order or "key",
        open_store=PackageFiles if spec.settings.migrates_by_files else None,
    )


def _expression(operator: Compute | Filter, program: Program) -> _native.Operator:
    given = _exported(operator.input)
    if isinstance(operator, Filter):
        return _native.filter_rows(given.address, program.lines, program.results[0])
    results = iter(program.results)
    columns = [
        (False, made) if isinstance(made, int) else (True, next(results))
        for made in operator.columns
    ]
    return _native.compute_columns(given.address, program.lines, columns)


def _with_ports(
    operator: Around | Loop, spec: FlowSpec, inside: Around | None, stop: Stop | None
) -> _native.Operator:
    if isinstance(operator, Region):
        return _region(operator, spec)
    if isinstance(operator, Branches):
        return _parted(operator, spec, stop)
    if isinstance(operator, Circle):
        return _circle(operator, spec, stop)
    if isinstance(operator, LibraryLoop):
        return _library_loop(operator, spec, inside, stop)
    return _loop(operator, spec, inside, stop)


def _loop(
    operator: Loop, spec: FlowSpec, inside: Around | None, stop: Stop | None
) -> _native.Operator:
    terms = Terms(
        capacity=spec.settings.loop_capacity,
        quantum=spec.settings.loop_quantum_ms / MS_PER_SECOND,
        pauses=inside is None,  # others go on at once: nobody would take them up again
        most_bytes=spec.settings.most_state_bytes,
        full_check=spec.settings.full_batch_check,
        stop=stop or Stop(),
    )
    body = LoopBody(operator, terms)
    return _native.loop(
        body.process,
        resume=body.resume,
        finish=body.finish,
        mark=body.mark,
        control=body.control,
    )


def _library_loop(
    operator: LibraryLoop, spec: FlowSpec, inside: Around | None, stop: Stop | None
) -> _native.Operator:
    source = operator.source
    stopping = _native.StopSource()
    (stop or Stop()).on_set(stopping.request_stop)
    try:
        address, owner = source.load()
    except FlowError as error:
        raise FlowError(f"flow '{spec.name}', operator '{operator.name}': {error}") from None
    schemas = [_exported(schema) for schema in operator.schemas]
    return _native.library_loop(
        schemas[0].address,
        address,
        owner,
        name=operator.name,
        where=str(source),
        **operator.ports_at([schema.address for schema in schemas[1:]]),
        capacity=operator.capacity or spec.settings.loop_capacity,
        grows=operator.grow,
        by_rows=operator.wake == "rows",
        quantum=UNENDING if inside else spec.settings.loop_quantum_ms / MS_PER_SECOND,
        tells_rows=isinstance(inside, Branches),
        stop=stopping,
    )


def _circle(operator: Circle, spec: FlowSpec, stop: Stop | None) -> _native.Operator:
    members, out, back = (
        _chain(operators, spec, operator, stop)
        for operators in (operator.operators, operator.out, operator.back)
    )
    return _native.circle(members, out=out, back=back)


def _parted(operator: Branches, spec: FlowSpec, stop: Stop | None) -> _native.Operator:
    made = _exported(operator.output)
    branches = [_chain(branch, spec, operator, stop) for branch in operator.branches]
    return _native.branches(branches, made.address, closes=operator.closes)


def _chain(
    operators: tuple[Operator, ...], spec: FlowSpec, around: Around, stop: Stop | None
) -> list[tuple[str, _native.Operator]]:
    return [(one.name, _made(one, spec, around, stop=stop)) for one in operators]


def _exported(schema: pa.Schema) -> CStruct:
    made = CStruct(SCHEMA_WORDS)
    schema._export_to_c(made.address)
    return made


def _rows(operator: RowOperator | KeyedGroups, spec: FlowSpec, memory: _Memory) -> _native.Operator:
    calls = RowCalls(
        operator,
        most_bytes=spec.settings.most_state_bytes,
        taken=memory.python,
        full_check=spec.settings.full_batch_check,
    )
    if calls.body.stores is None:
        return _native.traced_function(calls.process, calls.finish if calls.body.finishes else None)
    state = StateCalls(calls.body.stores, channels_of, calls.body.limit)
    return _native.keyed_function(
        calls.process,
        donate=state.donate,
        collect=state.collect,
        snapshot=state.snapshot,
        schema=state.schema,
        keys=state.keys,
    )


def channels_of(keys: pa.RecordBatch, channels: int) -> list[int]:
    """The channel of each key, as the engine sees it, when there are so many."""
    schema, array = CStruct(SCHEMA_WORDS), CStruct(ARRAY_WORDS)
    keys._export_to_c(array.address, schema.address)
    columns = list(range(keys.num_columns))
    return _native.channels_of(schema.address, array.address, columns, channels)
