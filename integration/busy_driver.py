"""A driver whose flow never ends, for a test that kills its JVM.

Its arguments are Spark's folder and the folder of the flow.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import SparkSession

from integration.flows import blocking
from integration.sessions import base_settings


def main(spark_folder: Path, folder: Path) -> None:
    builder = SparkSession.builder.master("local[2]")
    for key, value in base_settings(spark_folder).items():
        builder = builder.config(key, value)
    builder.getOrCreate().range(0, 10, 1, 2).transform(blocking(folder)).collect()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
