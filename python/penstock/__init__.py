"""Elastic, ordered, native stream processing inside Spark executors.

Describe what happens to rows as a flow, then run it on Arrow data or on a Spark DataFrame:

>>> import penstock
>>> import pyarrow as pa
>>> import pyarrow.compute as pc
>>> logins = (
...     penstock.flow("logins", "host string, tries int")
...     .filter(pc.field("tries") > 3)
...     .select("host")
... )
>>> logins.run(pa.table({"host": ["a", "b"], "tries": pa.array([1, 5], pa.int32())})).to_pylist()
[{'host': 'b'}]

`df.transform(logins)` does the same to a DataFrame, classic or Connect, batch or streaming, and
`logins.explain()` says what each operator does and which of them hold the GIL. The modules listed
below are the inside of the package; what is meant for you is here, and `help()` says more of each:

    flow, Flow          begin a flow; every operator is a method of it, with an example
    keyed.KeyedFlow     the operators behind `flow.key_by("column")`
    agg, windows        aggregates, and which rows they are about
    compiled            lets numba compile a function of rows: Python at native speed
    state               what an operator written as a class remembers of each key
    Elastic             channels that come and go, for `flow.parallel`
    inputs, outputs     flows of several inputs, and what has several outputs
    together            one input of several DataFrames or tables, in the order of a column
    loop                an operator that takes rows when it wants them, by
                        wait_any, wait_all and wait_mark, until they are Over or it is Done
    last_run            RunMetrics of the last action on a DataFrame; observed_metrics: of a stream
    include_dir         where the headers for operators in C and C++ are, for `flow.native`
    elastic, policies   the controllers and scheduling policies alone, for simulations

Errors are PenstockError: FlowError where a flow is written, SettingError for a setting, and
OperatorError, with operator and row, where it runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from penstock import agg, state, windows
from penstock.channels import Elastic
from penstock.compiled.function import compiled
from penstock.driver_metrics import observed_metrics
from penstock.errors import FlowError, OperatorError, PenstockError, SettingError
from penstock.flow import Flow, flow
from penstock.library.shared_library import include_dir
from penstock.loops.inputs import inputs
from penstock.loops.methods import loop
from penstock.loops.outputs import outputs
from penstock.loops.waits import Done, Over, wait_all, wait_any, wait_mark
from penstock.run_metrics import RunMetrics
from penstock.runs import last_run
from penstock.together import together

__all__ = [
    "Done",
    "Elastic",
    "Flow",
    "FlowError",
    "OperatorError",
    "Over",
    "PenstockError",
    "RunMetrics",
    "SettingError",
    "agg",
    "compiled",
    "flow",
    "include_dir",
    "inputs",
    "last_run",
    "loop",
    "observed_metrics",
    "outputs",
    "state",
    "together",
    "wait_all",
    "wait_any",
    "wait_mark",
    "windows",
]

# For simulations; these load the engine, which a description of a flow does not need.
SIMULATED = ("elastic", "policies")

if TYPE_CHECKING:
    from penstock import elastic as elastic
    from penstock import policies as policies


def __getattr__(name: str) -> Any:
    if name in SIMULATED:
        try:
            return import_module(f"penstock.{name}")
        except ImportError as error:  # help() asks for everything, also where there is no engine
            raise AttributeError(f"penstock.{name} needs the engine: {error}") from error
    raise AttributeError(f"module 'penstock' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *SIMULATED])
