"""Ways that give each key its rows: they use all cores, and have to sort what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from penstock.bench.headline.job import Job, Ways, batch_of

APPLY_IN_PANDAS = "applyInPandas"
APPLY_IN_ARROW = "applyInArrow"
WITH_STATE = "transformWithStateInPandas"


def _grouped(frame: Any, job: Job) -> Any:
    return frame.sparkSession.sql(job.keyed, rows=frame).groupBy(job.key)


def _apply_in_pandas(frame: Any, job: Job) -> Any:
    def group(rows: Any) -> Any:
        return job.group(rows.sort_values(list(job.order), ignore_index=True))

    return _grouped(frame, job).applyInPandas(group, job.output).orderBy(*job.order)


def _apply_in_arrow(frame: Any, job: Job) -> Any:
    by = [(column, "ascending") for column in job.order]

    def group(table: pa.Table) -> pa.Table:
        made = job.group(table.sort_by(by).to_pandas())
        return pa.Table.from_pandas(made, job.schema, preserve_index=False)

    return _grouped(frame, job).applyInArrow(group, job.output).orderBy(*job.order)


def _with_state(frame: Any, job: Job) -> Any:
    from pyspark.sql.streaming import StatefulProcessor  # noqa: PLC0415 - since Spark 4.0

    class Remembering(StatefulProcessor):  # type: ignore[misc]
        def init(self, handle: Any) -> None:
            self.known = handle.getValueState("known", job.state)

        def handleInputRows(self, key: Any, rows: Iterator[Any], timers: Any) -> Iterator[Any]:  # noqa: ARG002
            program: Any = job.of_key()
            if self.known.exists():
                program.known = self.known.get()[0]
            for each in rows:
                given = each.itertuples(index=False, name=None)
                made = [one for row in given for one in program.row(*row)]
                yield batch_of(made, job.schema).to_pandas()
            self.known.update((program.known,))

        def close(self) -> None:
            pass

    keyed = frame.sparkSession.sql(job.keyed, rows=frame)
    ordered = keyed.repartition(job.key).sortWithinPartitions(job.key, *job.order)
    made = ordered.groupBy(job.key).transformWithStateInPandas(
        Remembering(), outputStructType=job.output, outputMode="Append", timeMode="None"
    )
    return made.orderBy(*job.order)


IN_GROUPS: Ways = {
    APPLY_IN_PANDAS: _apply_in_pandas,
    APPLY_IN_ARROW: _apply_in_arrow,
    WITH_STATE: _with_state,
}


def missing(frame: Any) -> dict[str, str]:
    """The ways that this Spark does not have, and why."""
    told = f"Spark {frame.sparkSession.version} has none"
    grouped = frame.groupBy()
    return {way: told for way in (APPLY_IN_ARROW, WITH_STATE) if not hasattr(grouped, way)}
