"""Suite `executor`: what flows gain and lose as some of several in one executor of Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.bench.local_spark import local_spark
from penstock.bench.metrics_cost import metrics_cost
from penstock.bench.plugin_start import plugin_start
from penstock.bench.report import Findings
from penstock.bench.section import Section, Stage, together
from penstock.bench.shared_cores import hot_partition, uniform_partitions
from penstock.bench.suites import BenchError, Size, Tell

# Each measures in the session it is given.
SECTIONS: tuple[Callable[[Stage, Any], Section], ...] = (hot_partition, uniform_partitions)


def measure(size: Size, tell: Tell) -> Findings:
    """Measure everything there is."""
    stage = Stage(size, tell, ())
    tell("starting Spark, local[2]")
    try:
        with local_spark("executor") as spark:
            shared = [section(stage, spark) for section in SECTIONS]
        # These start Spark themselves, and in other ways.
        return together([*shared, metrics_cost(stage), plugin_start(stage)])
    except ImportError as error:
        # PySpark itself, or the pandas it asks for as soon as mapInArrow is called.
        raise BenchError(
            f"the suite 'executor' needs PySpark: pip install 'penstock[spark]' ({error})"
        ) from error
