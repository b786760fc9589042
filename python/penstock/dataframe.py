"""The door to Spark: a flow over a DataFrame is one `mapInArrow`.

Only public methods that classic and Connect DataFrames share are used, so nothing of
pyspark needs to be imported and the driver does not need the native engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from penstock.driver_metrics import mapped
from penstock.errors import FlowError
from penstock.fit import Fit
from penstock.flow import Flow
from penstock.schema import as_schema, quote, spark_ddl
from penstock.settings import PREFIX
from penstock.spec import FlowSpec
from penstock.telling import Telling
from penstock.weight import check_weight


def apply(flow: Flow, df: Any) -> Any:
    """Return the DataFrame of what `flow` makes of `df`; nothing runs yet.

    The flow's columns are found in `df` by name; other columns of `df` are not read.
    """
    if not callable(getattr(df, "mapInArrow", None)):
        raise FlowError(
            f"flow '{flow.name}' was called with a {type(df).__name__}, which is not a Spark "
            "DataFrame; use flow.run(data) for Arrow data without Spark"
        )
    conf = _conf_of(df.sparkSession)
    spec = FlowSpec.of(flow, _ours(conf))
    check_weight(
        flow.name,
        spec.operators,
        most_bytes=spec.settings.most_task_bytes,
        pickled=pickle_by_value,
    )
    try:
        check_columns(df, flow.input_schema)
        ddl = spark_ddl(flow.schema)
        _reject_dots([*flow.input_schema.names, *flow.schema.names])
    except FlowError as error:
        raise FlowError(f"flow '{flow.name}': {error}") from error.__cause__
    columns = [quote(name, always=True) for name in flow.input_schema.names]
    return mapped(
        flow,
        spec,
        df.select(*columns),
        ddl,
        application=conf.get("spark.app.id", ""),
        pickled=pickle_by_value,
        task_of=lambda telling: task_of(spec, telling),
    )


def check_columns(df: Any, declared: pa.Schema) -> None:
    """Refuse a DataFrame that has not the columns declared."""
    Fit(declared, by_name=True).check(_schema_of(df, declared))


def spark_type(field: pa.Field) -> str:
    """The type of a column as Spark writes it."""
    return spark_ddl(pa.schema([pa.field("x", field.type)])).removeprefix("`x` ")


def pickle_by_value(value: Any) -> bytes:
    """Pickle as Spark does, functions with what they use."""
    from pyspark import cloudpickle  # noqa: PLC0415 - where a DataFrame is, Spark is

    return bytes(cloudpickle.dumps(value))


def _reject_dots(names: list[str]) -> None:
    # Spark's mapInArrow takes such a name for a path into a struct, and finds none.
    for name in names:
        if "." in name:
            raise FlowError(
                f"column '{name}' has a dot in its name, which Spark's mapInArrow cannot handle; "
                "rename it, in the DataFrame with withColumnRenamed or in the flow with select"
            )


def task_of(
    spec: FlowSpec, telling: Telling | None = None
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Make what each task calls: it loads the engine in the worker, never on the driver."""

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from penstock.worker import run_partition  # noqa: PLC0415 - only in the worker

        return run_partition(spec, batches, telling)

    # Spark shows this name in its plans and in the UI.
    task.__name__ = task.__qualname__ = spec.name
    return task


def session_settings(session: Any) -> dict[str, str]:
    """Read the `spark.penstock.*` settings of a session, known or not."""
    return _ours(_conf_of(session))


def _ours(conf: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in conf.items() if key.startswith(PREFIX)}


def _conf_of(session: Any) -> dict[str, str]:
    everything = getattr(session.conf, "getAll", None)
    if everything is None:  # Spark 3.5 can list them in SQL only
        rows = session.sql("SET").collect()
        everything = {row["key"]: row["value"] for row in rows}
    elif callable(everything):
        everything = everything()
    return dict(everything)


def _schema_of(df: Any, wanted: pa.Schema) -> pa.Schema:
    # Only the flow's columns are looked at: others may have types that Arrow cannot hold.
    declared = set(wanted.names)
    fields = [field for field in df.schema.fields if field.name in declared]
    found = pa.schema([as_schema(_One(field)).field(0) for field in fields])
    missing = declared - set(found.names)
    if not missing:
        return found
    # The names of all columns let the message say which one was probably meant.
    return pa.schema([*found, *((n, pa.null()) for n in df.columns if n not in found.names)])


class _One:
    """A StructType of one field, for a column that is looked at alone."""

    def __init__(self, field: Any) -> None:
        self._field = field

    def jsonValue(self) -> dict[str, Any]:
        return {"type": "struct", "fields": [self._field.jsonValue()]}
