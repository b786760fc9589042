"""`approx_distinct` over thousands of values: as near to the truth as its help says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pyarrow as pa
import pytest

from penstock import agg, flow

EXACT = 128
STANDARD_ERROR = 0.016
KEYS = 40
# The errors of so many keys vary around the standard error themselves, by 11 %: 1.5 is 4 times that.
SLACK = 1.5
KINDS: dict[str, tuple[pa.DataType, Callable[[int], Any]]] = {
    "whole numbers in a row": (pa.int64(), lambda n: n),
    "whole numbers far apart": (pa.int64(), lambda n: n << 32),
    "doubles": (pa.float64(), lambda n: n / 8),
    "short strings": (pa.string(), lambda n: f"{n:x}"),
    "long strings": (pa.string(), lambda n: f"https://example.org/a/rather/long/address/{n}"),
    "dates": (pa.date32(), lambda n: date(1, 1, 1) + timedelta(n)),
}


def estimates(kind: str, different: int) -> list[int]:
    """What is told of each key, which has values of its own, each of them twice."""
    found, made = KINDS[kind]
    spread = 1 if found == pa.date32() else 7  # of dates there are only 3.6 million
    per_key = [
        range(key * different * spread, (key + 1) * different * spread) for key in range(KEYS)
    ]
    values = [made(n) for numbers in per_key for n in [*numbers[:different], *numbers[:different]]]
    keys = [key for key in range(KEYS) for _ in range(2 * different)]
    table = pa.table({"k": pa.array(keys), "v": pa.array(values, found)})
    told = flow("f", table.schema).key_by("k").running(different=agg.approx_distinct("v"))
    made_of: list[int] = told.run(table).table["different"].to_pylist()
    return made_of[2 * different - 1 :: 2 * different]


@pytest.mark.parametrize("kind", KINDS)
def test_few_values_are_counted(kind: str) -> None:
    assert estimates(kind, EXACT) == [EXACT] * KEYS


@pytest.mark.parametrize("different", [EXACT + 1, 1000, 10_000])
@pytest.mark.parametrize("kind", KINDS)
def test_many_values_are_estimated_with_the_error_that_is_told(kind: str, different: int) -> None:
    errors = [estimate / different - 1 for estimate in estimates(kind, different)]
    spread = (sum(error * error for error in errors) / KEYS) ** 0.5
    assert spread < STANDARD_ERROR * SLACK
    assert max(map(abs, errors)) < 5 * STANDARD_ERROR
    # None of them is far to one side: their mean varies by the standard error over the root of KEYS.
    assert abs(sum(errors) / KEYS) < 4 * STANDARD_ERROR / KEYS**0.5
