"""Run the Spark side of the break-in example on logs and print what it found as JSON.

A program of its own, so that Spark lives and ends with it: arguments are YEAR=FILE pairs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.python.examples.kernels import EXAMPLES

sys.path.insert(0, str(EXAMPLES))

import break_ins


def main() -> None:
    spark = break_ins.session()
    found = []
    for argument in sys.argv[1:]:
        year, _, file = argument.partition("=")
        lines = spark.read.parquet(str(Path(file)))
        alerts = break_ins.found_in(break_ins.alerts(break_ins.attempts(int(year))(lines)))
        found.append([list(vars(alert).values()) for alert in alerts])
    spark.stop()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
