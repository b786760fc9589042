from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Flow, flow

MODELS = ["manual", "dedicated", "dynamic", "conveyor", "automatic"]


def endless(pulled: list[int]) -> Iterator[pa.RecordBatch]:
    for n in range(100_000):
        pulled.append(n)
        yield pa.RecordBatch.from_pydict({"n": [n]})


def numbers() -> Flow:
    return flow("numbers", "n long")


@pytest.mark.parametrize("model", MODELS)
def test_take_ends_an_input_that_would_go_on(model: Any) -> None:
    pulled: list[int] = []
    built = numbers().take(3).threading(model)
    rows = [n for batch in built.stream(endless(pulled)) for n in batch["n"].to_pylist()]
    assert rows == [0, 1, 2]
    assert len(pulled) < 10_000


def test_take_while_ends_its_input_too() -> None:
    pulled: list[int] = []
    built = numbers().take_while(pc.field("n") < 2)
    rows = [n for batch in built.stream(endless(pulled)) for n in batch["n"].to_pylist()]
    assert rows == [0, 1]
    assert len(pulled) < 10_000


def test_an_interrupt_while_the_input_is_pulled_is_not_lost() -> None:
    def interrupted() -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_pydict({"n": [0]})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(numbers().take(5).stream(interrupted()))


def test_inside_spark_the_input_is_read_to_its_end() -> None:
    # In a process of its own, because it will end with its parent from then on.
    program = """if True:
        import pyarrow as pa
        from penstock import flow
        from penstock.spec import FlowSpec
        from penstock.partition import run_partition

        given = iter([pa.RecordBatch.from_pydict({"n": [n]}) for n in range(5000)])
        made = run_partition(FlowSpec.of(flow("f", "n long").take(2)), given)
        print(sum(batch.num_rows for batch in made), next(given, "nothing left"))
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ran.stdout.decode().strip() == "2 nothing left"
