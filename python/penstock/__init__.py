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

`df.transform(logins)` does the same to a DataFrame, classic or Connect, batch or streaming.
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
        return import_module(f"penstock.{name}")
    raise AttributeError(f"module 'penstock' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *SIMULATED])
