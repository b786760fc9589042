"""The DataFrame of a flow, made such that the driver hears what its tasks did.

On classic Spark an accumulator brings it, which leaves the query as it is. An Observation works on
Spark Connect and in the progress of streams, too; it needs a column more, and is asked for by
`spark.penstock.metrics.observe` (DECISIONS 44).
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from penstock.errors import SettingError
from penstock.hidden_column import HIDDEN
from penstock.run_metrics import RunMetrics
from penstock.runs import ATTRIBUTE, FLOW, begin, observed
from penstock.spec import FlowSpec
from penstock.telling import Telling

if TYPE_CHECKING:
    from penstock.flow import Flow

PREFIX = "penstock."


def mapped(
    flow: Flow,
    spec: FlowSpec,
    frame: Any,
    ddl: str,
    *,
    application: str,
    pickled: Callable[[Any], bytes],
    map_by: Callable[[Any, Telling | None, str], Any],
) -> Any:
    """Map a DataFrame by a flow.

    Args:
        flow: Whose `metrics` are told.
        spec: What runs.
        frame: The columns it reads.
        ddl: The columns it makes.
        application: Spark's name for the application.
        pickled: Makes what is sent to tasks.
        map_by: Makes the DataFrame: of the columns read, how tasks tell, and the columns made.
    """
    if not spec.settings.metrics:
        return _marked(flow, map_by(frame, None, ddl), None)
    context = _context_of(frame.sparkSession)
    if spec.settings.observes:
        run = uuid.uuid4().hex
        accumulator = None if context is None else _accumulator_of(context)
        telling = Telling(run, application, accumulator, hidden=True)
        return _observed(flow, run, map_by(frame, telling, f"{ddl}, `{HIDDEN}` string"))
    if context is None:
        return _marked(flow, map_by(frame, Telling("", application), ddl), None)
    # The same flow on the same data is the same run: Spark finds what it cached by comparing what
    # would be sent to tasks, so nothing in it may be new each time.
    digest = hashlib.sha256(pickled(spec)).hexdigest()
    run = f"{digest[:16]}{frame.semanticHash():x}"
    telling = Telling(run, application, _accumulator_of(context))
    return _marked(flow, map_by(frame, telling, ddl), begin(flow, run))


def observed_metrics(progress: Any) -> dict[str, RunMetrics]:
    """Read what the flows of a streaming query did in a micro-batch.

    Args:
        progress: `query.lastProgress`, or the progress that a StreamingQueryListener is given, of
            a query whose flows were applied with `spark.penstock.metrics.observe=true`.

    Returns:
        By the name of the flow.
    """
    rows = (
        progress.get("observedMetrics")
        if isinstance(progress, Mapping)
        else getattr(progress, "observedMetrics", None)
    )
    found = {}
    for name, row in (rows or {}).items():
        if name.startswith(PREFIX):
            flow = name.removeprefix(PREFIX).rpartition(".")[0]
            made = observed(flow, _by_name(row if isinstance(row, Mapping) else row.asDict()))
            if made is not None:
                found[flow] = made
    return found


def _by_name(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row by column: Spark Connect gives its values without the names, of which we have one."""
    return {HIDDEN: row["values"][0]} if "values" in row else row


def _observed(flow: Flow, run: str, given: Any) -> Any:
    if given.isStreaming:
        # Its results are in the progress of the query, by name.
        observation, asked = f"{PREFIX}{flow.name}.{run[:8]}", None
    else:
        observation = _observation(flow, given)
        asked = observation if _is_connect(given) else None
    functions = _functions_of(given)
    # One text of lines of JSON: Spark 4.0 cannot send an array to a client of Connect.
    metrics = functions.array_join(functions.collect_list(HIDDEN), "\n").alias(HIDDEN)
    made = given.observe(observation, metrics).where(f"`{HIDDEN}` IS NULL").drop(HIDDEN)
    return _marked(flow, made, begin(flow, run, asked))


def _marked(flow: Flow, made: Any, run: Any) -> Any:
    # The one thing that a DataFrame of either kind can be given; its plan stays as it is.
    setattr(made, ATTRIBUTE, run)
    setattr(made, FLOW, flow)
    return made


def _context_of(session: Any) -> Any:
    """The SparkContext; None where Spark is behind a connection."""
    try:
        return session.sparkContext
    except (AttributeError, NotImplementedError):
        return None


def _accumulator_of(context: Any) -> Any:
    from penstock.accumulated import accumulator_of  # noqa: PLC0415 - where a DataFrame is, Spark is

    return accumulator_of(context)


def _is_connect(frame: Any) -> bool:
    return type(frame).__module__.startswith("pyspark.sql.connect")


def _functions_of(frame: Any) -> Any:
    if _is_connect(frame):
        from pyspark.sql.connect import functions as of_connect  # noqa: PLC0415 - as above

        return of_connect
    from pyspark.sql import functions  # noqa: PLC0415 - as above

    return functions


def _observation(flow: Flow, frame: Any) -> Any:
    if not _is_connect(frame):
        from pyspark.sql import Observation  # noqa: PLC0415 - as above

        return Observation()
    try:
        from pyspark.sql.connect.observation import Observation as OfConnect  # noqa: PLC0415
    except ImportError:
        raise SettingError(
            f"flow '{flow.name}': spark.penstock.metrics.observe=true needs PySpark 4.0 or newer "
            "on Spark Connect; set it to false"
        ) from None
    return OfConnect()
