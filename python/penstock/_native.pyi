from collections.abc import Callable, Sequence
from typing import TypeAlias

abi_version: int

class GraphError(ValueError): ...

class Operator:
    @property
    def in_lane(self) -> bool: ...

class SharedBytes:
    def __init__(self) -> None: ...

def select(columns: list[int]) -> Operator: ...
def busy_work(column: int, rounds: int) -> Operator: ...
def filter_rows(
    input_schema_address: int,
    lines: Sequence[tuple[str, str, tuple[int, ...], int | None]],
    mask: int,
) -> Operator: ...
def compute_columns(
    input_schema_address: int,
    lines: Sequence[tuple[str, str, tuple[int, ...], int | None]],
    columns: Sequence[tuple[bool, int]],
) -> Operator: ...
def running_aggregate(
    input_schema_address: int,
    keys: list[int],
    aggregates: list[tuple[str, int]],
    *,
    parts: int,
    most_bytes: int,
    shared: SharedBytes | None = None,
) -> Operator: ...

operator_abi: int

def compiled_rows(
    input_schema_address: int,
    output_schema_address: int,
    function_address: int,
    owner: object,
    *,
    keys: list[int],
    state_bytes: int,
    parts: int,
    most_bytes: int,
    shared: SharedBytes | None = None,
    columns: list[int] | None = None,
) -> Operator: ...
def windows(
    input_schema_address: int,
    output_schema_address: int,
    *,
    kind: str,
    keys: list[int],
    shown: list[int],
    aggregates: list[tuple[str, int]],
    flush: bool,
    on: int,
    size: int,
    every: int,
    offset: int,
    watermark: int | None,
    late_fails: bool,
) -> Operator: ...
def dedup(
    input_schema_address: int,
    output_schema_address: int,
    *,
    keys: list[int],
    on: int,
    span: int,
    most_bytes: int,
    shared: SharedBytes | None = None,
) -> Operator: ...
def take(
    input_schema_address: int,
    output_schema_address: int,
    *,
    keys: list[int],
    rows: int,
    most_bytes: int,
    shared: SharedBytes | None = None,
) -> Operator: ...
def take_while(
    input_schema_address: int,
    output_schema_address: int,
    *,
    keys: list[int],
    column: int,
    most_bytes: int,
    shared: SharedBytes | None = None,
) -> Operator: ...
def top_k(
    input_schema_address: int,
    output_schema_address: int,
    *,
    keys: list[int],
    most: int,
    best: list[tuple[int, bool]],
    most_bytes: int,
    shared: SharedBytes | None = None,
) -> Operator: ...
def punctuate(
    input_schema_address: int,
    output_schema_address: int,
    *,
    every: int,
    column: int | None,
    most_bytes: int,
    shared: SharedBytes | None = None,
) -> Operator: ...
def throttle(
    input_schema_address: int,
    output_schema_address: int,
    *,
    rows_per_second: float,
    most_bytes: int,
    shared: SharedBytes | None = None,
) -> Operator: ...
def explode(
    input_schema_address: int,
    output_schema_address: int,
    *,
    column: int,
    outer: bool,
    position: bool,
) -> Operator: ...
def parse(
    input_schema_address: int,
    output_schema_address: int,
    *,
    column: int,
    literals: list[str],
    pieces: list[tuple[str, str]],
    mismatch: str,
) -> Operator: ...
def function(body: Callable[[int, int], int]) -> Operator: ...
def traced_function(
    body: Callable[[int, int, int], int | tuple[int, int, Exception]],
    finish: Callable[[int], int] | None = None,
) -> Operator: ...
def keyed_function(
    process: Callable[[int, int, int], int | tuple[int, int, Exception]],
    *,
    donate: Callable[[int, int, int], list[tuple[int, int]]],
    collect: Callable[[int], None],
    snapshot: Callable[[int], None],
    schema: Callable[[int], None],
    keys: Callable[[], int],
) -> Operator: ...

class LoopOutput:
    def emit(self, address: int, row: int) -> None: ...
    def punctuate(self) -> None: ...

LoopStand: TypeAlias = int | tuple[int, BaseException]

def loop(
    process: Callable[[int, LoopOutput], LoopStand],
    *,
    resume: Callable[[LoopOutput], LoopStand],
    finish: Callable[[LoopOutput], LoopStand],
    mark: Callable[[LoopOutput], LoopStand],
    control: Callable[[int], None],
) -> Operator: ...

loop_abi: int

def library_loop(
    output_schema_address: int,
    address: int,
    owner: object,
    *,
    name: str,
    where: str,
    inputs: list[tuple[str, int, list[int], list[int], int]],
    outputs: list[tuple[int, list[int]]],
    capacity: int,
    grows: bool,
    by_rows: bool,
    quantum: float,
) -> Operator: ...
def circle(
    members: list[tuple[str, Operator]],
    *,
    out: list[tuple[str, Operator]],
    back: list[tuple[str, Operator]],
) -> Operator: ...
def channels_of(
    schema_address: int, array_address: int, keys: list[int], channels: int
) -> list[int]: ...
def branches(
    branches: list[list[tuple[str, Operator]]], output_schema_address: int
) -> Operator: ...
def region(
    channels: list[list[tuple[str, Operator]]],
    input_schema_address: int,
    output_schema_address: int,
    *,
    keys: list[int],
    key_body: Callable[[int, int], int] | None,
    key_schema_address: int,
    least: int,
    first: int,
    order: str,
    open_store: Callable[[], object] | None,
) -> Operator: ...

class Graph:
    def __init__(self, name: str) -> None: ...
    def add(self, name: str, kind: str, operator: Operator, inputs: int = 1) -> int: ...
    def connect(self, upstream: int, downstream: int, port: int = 0) -> None: ...

class Failure:
    @property
    def operator(self) -> str: ...
    @property
    def row(self) -> int: ...
    @property
    def last_row(self) -> int: ...
    @property
    def exception(self) -> BaseException: ...

class Action:
    @property
    def seconds(self) -> float: ...
    @property
    def lever(self) -> str: ...
    @property
    def previous(self) -> int: ...
    @property
    def chosen(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def before(self) -> float | None: ...
    @property
    def after(self) -> float | None: ...

class OperatorMetrics:
    @property
    def name(self) -> str: ...
    @property
    def tuples(self) -> int: ...
    @property
    def rows_in(self) -> int: ...
    @property
    def rows_out(self) -> int: ...
    @property
    def busy_ns(self) -> int: ...
    @property
    def waiting_mean(self) -> float: ...
    @property
    def waiting_most(self) -> int: ...

class WorkerMetrics:
    @property
    def worker(self) -> int: ...
    @property
    def busy_ns(self) -> int: ...
    @property
    def blocked_ns(self) -> int: ...
    @property
    def pieces(self) -> int: ...

class LevelChange:
    @property
    def at_ns(self) -> int: ...
    @property
    def level(self) -> int: ...

class PacePoint:
    @property
    def at_ns(self) -> int: ...
    @property
    def rows(self) -> int: ...

class FlowMetrics:
    @property
    def operators(self) -> list[OperatorMetrics]: ...
    @property
    def workers(self) -> list[WorkerMetrics]: ...
    @property
    def levels(self) -> list[LevelChange]: ...
    @property
    def pace(self) -> list[PacePoint]: ...
    @property
    def runs(self) -> int: ...
    @property
    def under_way_mean(self) -> float: ...
    @property
    def under_way_most(self) -> int: ...
    @property
    def elapsed_ns(self) -> int: ...

class TraceError(OSError): ...

class OperatorView:
    def __init__(
        self,
        *,
        selectivity: float,
        cost: float,
        waiting: int,
        workers: int,
        most_workers: int,
        window_time: float,
        source: bool,
        last_run: float,
        oldest: float,
        read_rate: float,
        write_rate: float,
        made: int,
        room: int,
    ) -> None: ...

def policy_names() -> list[str]: ...
def pick(
    name: str,
    operators: Sequence[OperatorView],
    *,
    now: float,
    slice: float,  # noqa: A002
    capacity: int,
    seed: int,
) -> int | None: ...

policy_abi: int

class LibraryPolicy:
    def __init__(self, address: int, owner: object) -> None: ...

class ProcessingElement:
    def __init__(
        self,
        graph: Graph,
        input_stream_address: int,
        output_schema_address: int,
        *,
        rows_per_tuple: int,
        locate_row: bool,
        threading: str,
        threads: int,
        elastic: bool,
        controller: str,
        period_ms: int,
        queue_capacity: int,
        patience_ms: int,
        observe: bool,
        trace: str,
        policy: str,
        library_policy: LibraryPolicy | None,
        input_interrupted: Callable[[], bool],
    ) -> None: ...
    def export_stream(self, address: int) -> None: ...
    def failure(self) -> Failure | None: ...
    def limit_threads(self, most: int) -> None: ...
    def set_channels(self, region: str, channels: int) -> None: ...
    def export_states(self, sink: Callable[[str, int, int], None]) -> None: ...
    def restore(self, name: str, array_address: int) -> None: ...
    def actions(self) -> list[Action]: ...
    def metrics(self) -> FlowMetrics | None: ...
    def overruled(self) -> int: ...
    def trace_problem(self) -> str: ...
    def close(self) -> None: ...

def die_with_parent() -> None: ...
def build_info() -> dict[str, str]: ...

class Decision:
    @property
    def period(self) -> int: ...
    @property
    def previous(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def before(self) -> float | None: ...
    @property
    def after(self) -> float | None: ...

class ThreadController:
    def __init__(
        self,
        *,
        levels: list[int],
        sensitivity: float,
        load_change: str,
        minimum: int,
        maximum: int,
    ) -> None: ...
    def update(self, throughput: float, cpu_ok: bool) -> Decision: ...
    def hold(self) -> Decision: ...
    def set_least_level(self, level: int) -> None: ...
    def set_most_level(self, level: int) -> None: ...
    @property
    def level(self) -> int: ...
    @property
    def settled(self) -> bool: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    def decisions(self) -> list[Decision]: ...

class ChannelDecision:
    @property
    def period(self) -> int: ...
    @property
    def previous(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def before(self) -> float | None: ...
    @property
    def after(self) -> float | None: ...

class ChannelController:
    def __init__(
        self, *, levels: int, sensitivity: float, margin: float, age: int, rapid: bool
    ) -> None: ...
    def update(self, throughput: float, congested: bool) -> ChannelDecision: ...
    def hold(self) -> ChannelDecision: ...
    def set_least(self, channels: int) -> None: ...
    def set_most(self, channels: int) -> None: ...
    @property
    def channels(self) -> int: ...
    @property
    def settled(self) -> bool: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    def decisions(self) -> list[ChannelDecision]: ...

class Candidate:
    def __init__(
        self, name: str, inputs: list[float], outputs: list[float], replicable: bool
    ) -> None: ...

def bottleneck(candidates: list[Candidate], tau: float) -> int | None: ...

class UtilizationDecision:
    @property
    def period(self) -> int: ...
    @property
    def previous(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def before(self) -> float | None: ...
    @property
    def after(self) -> float | None: ...

class UtilizationController:
    def __init__(self, *, minimum: int, maximum: int, low: float, high: float) -> None: ...
    def update(self, utilization: float, cpu_ok: bool) -> UtilizationDecision: ...
    def hold(self) -> UtilizationDecision: ...
    def set_least_level(self, level: int) -> None: ...
    def set_most_level(self, level: int) -> None: ...
    @property
    def level(self) -> int: ...
    @property
    def settled(self) -> bool: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    def decisions(self) -> list[UtilizationDecision]: ...

class ReplicaDecision:
    @property
    def period(self) -> int: ...
    @property
    def operator(self) -> str: ...
    @property
    def previous(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def before(self) -> float | None: ...
    @property
    def after(self) -> float | None: ...

class ReplicaController:
    def __init__(self, *, tau: float, margin: float, age: int) -> None: ...
    def set_range(self, name: str, least: int, most: int) -> None: ...
    def update(self, candidates: list[Candidate], throughput: float) -> ReplicaDecision: ...
    def hold(self) -> ReplicaDecision: ...
    def replicas(self, name: str) -> int: ...
    @property
    def settled(self) -> bool: ...
    def decisions(self) -> list[ReplicaDecision]: ...
