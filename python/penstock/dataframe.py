"""The door to Spark: a flow over a DataFrame is one `mapInArrow`.

Only public methods that classic and Connect DataFrames share are used, so nothing of
pyspark needs to be imported and the driver does not need the native engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

import pyarrow as pa

from penstock.driver_metrics import mapped
from penstock.errors import FlowError
from penstock.executor.cores import FACTS
from penstock.fit import Fit
from penstock.flow import Flow
from penstock.package_version import package_version
from penstock.schema import as_schema, quote, spark_ddl
from penstock.settings import PREFIX
from penstock.spec import FlowSpec
from penstock.telling import Telling
from penstock.weight import check_weight


def apply(flow: Flow, df: Any, profile: Any = None) -> Any:
    """Return the DataFrame of what `flow` makes of `df`; nothing runs yet.

    The flow's columns are found in `df` by name; other columns of `df` are not read. Each task has
    what `profile` says, a ResourceProfile of Spark.
    """
    if not callable(getattr(df, "mapInArrow", None)):
        raise FlowError(
            f"flow '{flow.name}' was called with a {type(df).__name__}, which is not a Spark "
            "DataFrame; use flow.run(data) for Arrow data without Spark"
        )
    options = {} if profile is None else {"profile": _checked_profile(flow.name, df, profile)}
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
        map_by=lambda frame, telling, made: frame.mapInArrow(
            task_of(spec, telling), made, **options
        ),
    )


def _checked_profile(name: str, df: Any, profile: Any) -> Any:
    """Refuse what is no profile, and a PySpark whose mapInArrow takes none."""
    from pyspark import __version__ as spark  # noqa: PLC0415 - where a DataFrame is, Spark is
    from pyspark.resource import ResourceProfile  # noqa: PLC0415 - as above

    if not isinstance(profile, ResourceProfile):
        raise FlowError(
            f"flow '{name}': profile= was given a {type(profile).__name__}; give a "
            "pyspark.resource.ResourceProfile, as in "
            "ResourceProfileBuilder().require(TaskResourceRequests().cpus(2)).build"
        )
    if "profile" not in signature(df.mapInArrow).parameters:
        raise FlowError(
            f"flow '{name}': profile= needs PySpark 4.0 or newer, and this is {spark}; leave it out, "
            "and set spark.task.cpus for all tasks of the application"
        )
    return profile


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
    """Make what each task calls: it loads the engine in the worker, never on the driver.

    The flow travels as bytes inside of it: its classes are the package's, and where the package is
    missing Spark would fail to unpickle them before anything here could say why.
    """
    pickled, version = pickle_by_value((spec, telling)), package_version()
    missing = (
        f"flow '{spec.name}' needs the Python package penstock {version} in Spark's Python workers; "
        f"install it on every executor (pip install penstock=={version}), or send it: `penstock "
        "archive` on the driver's machine writes an archive, for spark-submit --archives or, with "
        "Spark Connect, for spark.addArtifacts(..., archive=True). "
    )

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            from penstock.task import start  # noqa: PLC0415 - only in the worker
        except ImportError as error:
            import platform  # noqa: PLC0415 - what this function uses comes with it
            import sys  # noqa: PLC0415

            where = f"{sys.executable} (Python {platform.python_version()}) on {platform.node()}"
            raise ImportError(f"{missing}Here, with {where}: {error}") from error
        return start(pickled, version, batches)

    # Spark shows this name in its plans and in the UI.
    task.__name__ = task.__qualname__ = spec.name
    return task


def session_settings(session: Any) -> dict[str, str]:
    """Read the `spark.penstock.*` settings of a session, known or not, and what else tasks need."""
    return _ours(_conf_of(session))


def _ours(conf: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in conf.items() if key.startswith(PREFIX) or key in FACTS}


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
    fields = [field for field in _fields_of(df, wanted) if field.name in declared]
    found = pa.schema([as_schema(_One(field)).field(0) for field in fields])
    missing = declared - set(found.names)
    if not missing:
        return found
    # The names of all columns let the message say which one was probably meant.
    return pa.schema([*found, *((n, pa.null()) for n in df.columns if n not in found.names)])


def _fields_of(df: Any, wanted: pa.Schema) -> list[Any]:
    try:
        return list(df.schema.fields)
    except Exception:  # noqa: BLE001 - of Connect it is no narrower; what else is wrong is raised below
        # Spark 3.5 cannot tell any column of a DataFrame that has one of a type without a name in
        # Python, such as an interval of months and days.
        names = [quote(name, always=True) for name in wanted.names]
        return list(df.select(*names).schema.fields)


class _One:
    """A StructType of one field, for a column that is looked at alone."""

    def __init__(self, field: Any) -> None:
        self._field = field

    def jsonValue(self) -> dict[str, Any]:
        return {"type": "struct", "fields": [self._field.jsonValue()]}
