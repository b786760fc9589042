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

from penstock import agg, state, windows
from penstock.channels import Elastic
from penstock.compiled.function import compiled
from penstock.errors import FlowError, OperatorError, PenstockError, SettingError
from penstock.flow import Flow, flow
from penstock.library.shared_library import include_dir
from penstock.together import together

__all__ = [
    "Elastic",
    "Flow",
    "FlowError",
    "OperatorError",
    "PenstockError",
    "SettingError",
    "agg",
    "compiled",
    "flow",
    "include_dir",
    "state",
    "together",
    "windows",
]
