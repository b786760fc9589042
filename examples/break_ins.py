"""Break-ins: hosts that guess passwords until they are let in, out of millions of log lines.

    spark-submit --master 'local[2]' $(penstock conf --submit) examples/break_ins.py

makes a log with break-ins hidden in it, finds them, and measures the flow against the same
parsing written by hand for mapInArrow. The flow does what is much work per line: it picks the
few lines that matter and takes them apart. Counting per host is left to Spark SQL.

>>> import pyarrow as pa
>>> line = "Mar  1 00:00:02 gate sshd[9]: Failed password for root from 192.0.2.1 port 4 ssh2"
>>> event = flow.run([pa.RecordBatch.from_pydict({"seq": [7], "line": [line]})]).to_pylist()[0]
>>> event["seq"], event["rhost"], event["user"], event["event"]
(7, '192.0.2.1', 'root', 'failure')
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import by_hand
import pyarrow.compute as pc
import sshd_log
import stage

import penstock
from penstock.bench.interleave import Timing, interleave

ATTEMPT = (
    r"^(?P<time>\w{3} +\d+ [\d:]{8}) \S+ sshd\S*: (?:message repeated \d+ times: \[ )?"
    r"(?P<event>Failed|Accepted) \w+ for (?:invalid user )?(?P<user>.*) from (?P<rhost>\S+) port "
)
EVENTS = "seq long, time timestamp, rhost string, user string, event string"
FOLDER = Path(__file__).parent.parent / "build" / "demo"

# A visit is the failures of a host and the login that ends them: logins counted before a row
# number it. Of a visit's failures only those count that are at most 300 s older than its login.
ALERTS = """
WITH numbered AS (
  SELECT *, count_if(event = 'login') OVER (
    PARTITION BY rhost ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS visit
  FROM {events}
), visits AS (
  SELECT *, max(CASE WHEN event = 'login' THEN time END) OVER (PARTITION BY rhost, visit) AS login
  FROM numbered
), counted AS (
  SELECT *, event = 'failure' AND time >= login - INTERVAL 300 SECONDS AS counts FROM visits
)
SELECT max(seq) AS seq, max(login) AS time, rhost, max_by(user, seq) AS user,
       count_if(counts) AS failures, min_by(time, seq) FILTER (WHERE counts) AS first
FROM counted WHERE login IS NOT NULL
GROUP BY rhost, visit HAVING count_if(counts) >= 5 ORDER BY seq
"""


def attempts(year: int) -> penstock.Flow:
    """Find failed and accepted logins and take them apart; a log does not say its year."""
    line, found = pc.field("line"), pc.field("found")
    text = partial(pc.struct_field, found)
    stamp = pc.binary_join_element_wise(pc.scalar(str(year)), text("time"), pc.scalar(" "))
    time = pc.strptime(stamp, format="%Y %b %d %H:%M:%S", unit="us")
    failed = text("event") == "Failed"
    return (
        penstock.flow("break_ins", "seq long, line string")
        .filter(pc.match_substring_regex(line, pattern=ATTEMPT), name="attempts")
        .select("seq", found=pc.extract_regex(line, pattern=ATTEMPT), name="parse")
        .select(
            "seq",
            time=pc.assume_timezone(time, timezone="UTC"),
            rhost=text("rhost"),
            user=text("user"),
            event=pc.if_else(failed, pc.scalar("failure"), pc.scalar("login")),
            name="events",
        )
    )


flow = attempts(sshd_log.YEAR)


def alerts(events: Any) -> Any:
    """Find the logins that at least 5 failures of their host came before, within 300 s."""
    return events.sparkSession.sql(ALERTS, events=events)


def found_in(alerts: Any) -> list[sshd_log.BreakIn]:
    """Collect alerts in the form in which the generator tells what it hid."""
    seconds = ("unix_seconds(time) AS time", "unix_seconds(first) AS first")
    rows = alerts.selectExpr("seq", "rhost", "user", "failures", *seconds).collect()
    return [sshd_log.BreakIn(**row.asDict()) for row in rows]


def digest(events: Any) -> tuple[int, int]:
    """Number of rows, and a hash that also depends on the place of each row."""
    placed = events.selectExpr("xxhash64(monotonically_increasing_id(), *) AS hash")
    row = placed.selectExpr("count(*)", "bit_xor(hash)").first()
    return row[0], row[1]


def ways(lines: Any) -> dict[str, Any]:
    """The same events, made by the flow and in the two ways without Penstock."""
    rows = by_hand.row_by_row(ATTEMPT, sshd_log.YEAR)
    columns = by_hand.vectorised(ATTEMPT, sshd_log.YEAR)
    return {
        stage.ROWS: lines.mapInArrow(rows, EVENTS),
        stage.COLUMNS: lines.mapInArrow(columns, EVENTS),
        stage.FLOW: lines.transform(flow),
    }


def measure(made: dict[str, Any], rounds: int) -> dict[str, Timing]:
    """Time each way into a sink that drops everything, in turn."""
    jobs = {
        name: result.write.format("noop").mode("overwrite").save for name, result in made.items()
    }
    # Comparing the digests has run each of them already; a busy machine measures fewer rounds.
    return interleave(jobs, rounds, warm_ups=0, patience=40)


def session() -> Any:
    """Start Spark, with what spark-submit was told and what the demo needs."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - the flow can be had without Spark

    # Workers are to run this interpreter, not the first python3 of the PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return (
        SparkSession.builder.appName("penstock demo: break-ins")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "4")
        # A task for each file of the log; by size alone there would be too few to watch.
        .config("spark.sql.files.minPartitionNum", "16")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )


def main() -> int:
    """Run the demo; the exit code tells whether everything was as it should be."""
    parser = argparse.ArgumentParser(description="Find break-ins in a generated sshd log.")
    parser.add_argument("--lines", type=int, default=3_000_000, help="length of the log")
    parser.add_argument("--seed", type=int, default=7, help="another seed makes another log")
    parser.add_argument("--rounds", type=int, default=3, help="measured runs of each way")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the log is kept")
    asked = parser.parse_args()

    spark = session()
    try:
        show = stage.Stage(spark)
        folder = asked.folder / f"sshd-{asked.lines}-{asked.seed}"
        hidden = show.prepare(folder, lambda: sshd_log.write(folder, asked.lines, asked.seed))
        lines = spark.read.schema("seq long, line string").parquet(str(folder))
        show.explain(flow)

        seen = show.run("looking for break-ins", lambda: found_in(alerts(flow(lines))))
        show.alerts(seen, expected=hidden)

        made = ways(lines)
        digests = show.run(
            "comparing three ways, row by row", lambda: {n: digest(m) for n, m in made.items()}
        )
        show.comparison(digests)
        timings = show.run("measuring them in turn", lambda: measure(made, asked.rounds))
        show.throughput(timings, asked.lines)
        show.next()
        return 0 if seen == hidden and len(set(digests.values())) == 1 else 1
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
