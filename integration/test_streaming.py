from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from integration import flows
from integration.checks import MADE, words
from integration.oracle import by_rows


@pytest.fixture
def files(spark: Any, tmp_path: Path) -> str:
    """Three files for a stream to find, one for each of its batches."""
    for number in range(3):
        rows = words(spark, 1_500, 1).where(f"seq % 3 = {number}")
        rows.write.mode("append").parquet(str(tmp_path / "files"))
    return str(tmp_path / "files")


def stream_of(spark: Any, files: str) -> Any:
    return spark.readStream.schema(flows.WORDS).option("maxFilesPerTrigger", 1).parquet(files)


def expected(spark: Any, files: str) -> list[Any]:
    plain = by_rows(spark.read.parquet(files), flows.every_operator_by_row, MADE)
    return sorted(plain.collect())


def ended(query: Any) -> None:
    try:
        assert query.awaitTermination(120), "the stream has not ended"
    finally:
        query.stop()


def test_a_flow_on_a_stream_equals_plain_pyspark_on_its_files(
    spark: Any, files: str, tmp_path: Path
) -> None:
    made = stream_of(spark, files).transform(flows.every_operator)
    assert made.isStreaming
    writer = made.writeStream.format("parquet").option("path", str(tmp_path / "made"))
    writer = writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
    query = writer.trigger(availableNow=True).start()
    ended(query)
    assert len([p for p in query.recentProgress if p["numInputRows"]]) == 3
    assert sorted(spark.read.parquet(str(tmp_path / "made")).collect()) == expected(spark, files)


def test_a_flow_in_foreach_batch_equals_plain_pyspark_in_each_batch(
    spark: Any, files: str, tmp_path: Path
) -> None:
    seen: dict[int, tuple[list[Any], list[Any]]] = {}

    def batch(df: Any, number: int) -> None:
        df.persist()
        plain = by_rows(df, flows.every_operator_by_row, MADE)
        seen[number] = df.transform(flows.every_operator).collect(), plain.collect()
        df.unpersist()

    writer = stream_of(spark, files).writeStream.foreachBatch(batch)
    writer = writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
    ended(writer.trigger(availableNow=True).start())
    assert sorted(seen) == [0, 1, 2]
    for ours, plain in seen.values():
        assert ours == plain
    assert sorted(row for ours, _ in seen.values() for row in ours) == expected(spark, files)


def test_a_failing_function_stops_the_stream_and_is_named(
    spark: Any, files: str, tmp_path: Path
) -> None:
    fails = flows.identity("seq long").select(id=pc.field("seq"))
    made = stream_of(spark, files).transform(fails.map(flows.FailsAt(700), name="bear"))
    writer = made.writeStream.format("noop")
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    with pytest.raises(Exception, match="operator 'bear'"):
        ended(query)
