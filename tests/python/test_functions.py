from __future__ import annotations

import functools
from typing import Any

import pyarrow as pa
import pytest

from penstock.errors import FlowError
from penstock.functions import check_callable, name_of, one_batch

BATCH = pa.RecordBatch.from_pydict({"n": [1, 2]})


class Callable:
    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch

    def method(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch


def plain(batch: pa.RecordBatch, *, option: int = 0) -> pa.RecordBatch:
    return batch.slice(option)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (plain, f"{__name__}:plain"),
        (functools.partial(plain, option=1), f"partial({__name__}:plain)"),
        (Callable(), f"{__name__}:Callable"),
        (Callable().method, f"{__name__}:Callable.method"),
        (lambda batch: batch, f"{__name__}:<lambda>"),
        (len, "builtins:len"),
    ],
)
def test_a_function_is_named_without_an_address(function: Any, name: str) -> None:
    assert name_of(function) == name
    check_callable(function)


@pytest.mark.parametrize("function", [lambda: 0, lambda a, b: (a, b), lambda a, *, k: (a, k)])
def test_a_function_that_does_not_take_one_batch_is_refused(function: Any) -> None:
    with pytest.raises(FlowError, match=r"<lambda>\(.*\) cannot be called with one RecordBatch"):
        check_callable(function)


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(FlowError, match=r"a function of one RecordBatch is needed, got int 3"):
        check_callable(3)


@pytest.mark.parametrize(
    ("returned", "values"),
    [
        (BATCH, [1, 2]),
        (pa.table({"n": pa.chunked_array([[1], [2, 3]])}), [1, 2, 3]),
        ([BATCH, BATCH], [1, 2, 1, 2]),
        ((BATCH.slice(start, 1) for start in (1, 0)), [2, 1]),
        (pa.table({"n": pa.array([], pa.int64())}), []),
    ],
)
def test_whatever_a_flat_map_returns_becomes_one_batch(returned: Any, values: list[int]) -> None:
    joined = one_batch(returned, plain)
    assert joined is not None
    assert joined["n"].to_pylist() == values


def test_nothing_returned_is_nothing() -> None:
    assert one_batch([], plain) is None


def test_batches_with_dictionaries_of_their_own_are_joined() -> None:
    batches = [
        pa.RecordBatch.from_pydict({"c": pa.array(words).dictionary_encode()})
        for words in (["a", "b"], ["c", "b"])
    ]
    joined = one_batch(batches, plain)
    assert joined is not None
    assert joined["c"].to_pylist() == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    ("returned", "problem"),
    [
        (None, "must return a RecordBatch, a Table or an iterable of RecordBatch, got NoneType"),
        ("text", "got str"),
        ({"n": [1]}, "got dict"),
        ([BATCH, 3], "must yield RecordBatch, got int"),
    ],
)
def test_anything_else_returned_is_refused_by_its_type(returned: Any, problem: str) -> None:
    with pytest.raises(FlowError, match=rf"plain .*{problem}"):
        one_batch(returned, plain)
