"""Suite `spark`: jobs done by a flow, and in the ways that people use today, on equal cores."""

from __future__ import annotations

from penstock.bench.headline.break_ins import BREAK_INS
from penstock.bench.headline.compare import ROUNDS, compare
from penstock.bench.headline.fast_phones import FAST_PHONES
from penstock.bench.headline.running_totals import RUNNING_TOTALS
from penstock.bench.local_spark import CORES, local_spark
from penstock.bench.needs import need_numba
from penstock.bench.report import Findings
from penstock.bench.section import Stage, together
from penstock.bench.shared_cores import US_PER_ROW, hot_partition, uniform_partitions
from penstock.bench.suites import BenchError, Size, Tell

# Of a hot partition on two cores, over the same operator on one thread for each task.
LEAST_GAIN = 1.6
NOTE = (
    "All ways read one file as one partition, on two cores, and make the same rows in the same order: "
    "before anything is measured they are compared, row by row, with those of a sequential program. "
    "Each way has the first rows of the same file, so many that a run lasts 2 s or more: the table says "
    "how many. Ways that give each key its rows have a fixed number, however long that takes: each key "
    "costs them something, so they do more rows a second the more rows a key has. "
    "All are compared by the time for a row, runs in turn. Ways that group by key, and Spark SQL, lose "
    "the order and sort what they made. Spark's settings are the same for all: batches of 10,000 rows, "
    "and spark.sql.execution.arrow.maxBytesPerBatch at its most. `nothing` is an identity function that "
    "gives rows made before, of the columns and as many as the job makes: what Spark itself takes for "
    "the way to a Python worker and back, below which no way in mapInArrow can be."
)
# Why two jobs of the report have no rows of what people do in Python.
SKEW = (
    "Every row of the hot and the uniform partitions is hashed with its partition and its place there, in "
    "every run, and the sum has to be that of a sequential program. They are compared with the same "
    "operator on one thread for each task, "
    f"and with nothing else. It is native and multiplies for {US_PER_ROW:g} us a row; the same loop in "
    "Python takes many times that, in every way there is. Such rows would say what Python costs, as "
    "those of the other jobs do, and nothing of what it gains to share the cores."
)
# Said, so that nobody takes what is absent for what was measured.
QUICK = (
    "A quick run ends within a minute or so and leaves out the jobs fast phones, hot partition and "
    "uniform partitions; a run without --quick has them."
)


def measure(size: Size, tell: Tell) -> Findings:
    """Measure every job."""
    need_numba("spark")
    stage = Stage(size, tell, ())
    tell("starting Spark, local[2]")
    try:
        with local_spark("spark") as spark:
            # As many as there are cores; states of 200 partitions would only cost time.
            spark.conf.set("spark.sql.shuffle.partitions", CORES)
            sections = [
                compare(stage, spark, BREAK_INS, goals=True),
                compare(stage, spark, RUNNING_TOTALS, goals=True),
            ]
            if not size.quick:
                sections += [
                    compare(stage, spark, FAST_PHONES, goals=False),
                    hot_partition(stage, spark, least=LEAST_GAIN, rounds=ROUNDS),
                    uniform_partitions(stage, spark, rounds=ROUNDS),
                ]
    except ImportError as error:
        raise BenchError(
            f"the suite 'spark' needs PySpark with pandas: pip install 'penstock[spark,compiled]' "
            f"({error})"
        ) from error
    return together(sections, notes(size))


def notes(size: Size) -> tuple[str, ...]:
    """What a report of this size says of all its jobs."""
    return NOTE, (QUICK if size.quick else SKEW)
