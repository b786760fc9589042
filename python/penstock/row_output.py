"""From the rows that an operator makes in Python to a batch of its output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import GeneratorType
from typing import Any

import pyarrow as pa

from penstock.errors import FlowError, did_you_mean
from penstock.functions import name_of
from penstock.rows import Row
from penstock.schema import type_name
from penstock.typed_array import UNFIT, typed_array


class UnfitRow(Exception):
    """A row that was made does not fit the declared schema.

    Attributes:
        place: Which of the rows made.
        why: The error for the user.
    """

    def __init__(self, place: int, why: FlowError) -> None:
        super().__init__(place, why)
        self.place = place
        self.why = why


class RowOutput:
    """Takes what an operator returns or yields.

    Attributes:
        iterables: Types that an operator may return without a further look.
        as_is: The type of rows that are taken as they are.
    """

    iterables = frozenset({list, GeneratorType})

    def __init__(self, work: Any, row: type[Row], output: pa.Schema) -> None:
        self._work = work
        self._output = output
        self._names = output.names
        # A tuple's length is looked at, the row's own is known.
        self.as_is = row if [*row.__columns__] == self._names else None

    def rows_of(self, returned: Any) -> Iterable[Any]:
        """What an operator returned, if that can be rows."""
        if isinstance(returned, (Row, dict, str, bytes)) or not isinstance(returned, Iterable):
            raise FlowError(
                f"{name_of(self._work)} must yield rows, or return None or an iterable of rows, "
                f"got {returned!r}; a single row is returned as [row]"
            )
        return returned

    def values_of(self, made: Any) -> tuple[Any, ...]:
        """The values of a row that was made, in the order of the output."""
        if isinstance(made, Row):
            return self._by_name(made, type(made).__columns__)
        if isinstance(made, dict):
            for name in made:
                if name not in self._names:
                    raise FlowError(
                        f"{name_of(self._work)} made a row with column {name!r}, which out= does "
                        f"not have; {did_you_mean(str(name), self._names)}"
                    )
            return self._by_name(made, made)
        if not isinstance(made, tuple):
            raise FlowError(
                f"{name_of(self._work)} must make rows, each the row itself, a dict or a tuple, "
                f"got {made!r}"
            )
        if len(made) != len(self._names):
            raise FlowError(
                f"{name_of(self._work)} made a row of {len(made)} values, {made!r}, but out= has "
                f"{len(self._names)} columns: {', '.join(self._names)}"
            )
        return made

    def batch(self, made: Sequence[tuple[Any, ...]]) -> pa.RecordBatch | None:
        """Rows as a batch; None if there are none.

        Raises:
            UnfitRow: For the first of them that does not fit.
        """
        if not made:
            return None
        columns = list(zip(*made, strict=True))
        try:
            arrays = [typed_array(c, f.type) for c, f in zip(columns, self._output, strict=True)]
        except UNFIT:
            raise self._first_unfit(columns) from None
        for array, field in zip(arrays, self._output, strict=True):
            if isinstance(array, pa.ChunkedArray):
                raise FlowError(
                    f"column '{field.name}' of the rows made of one tuple exceeds 2 GiB; set "
                    "spark.penstock.tuple.rows so that fewer rows are given at a time"
                )
            if not field.nullable and array.null_count:
                raise self._first_unfit(columns)
        return pa.RecordBatch.from_arrays(arrays, schema=self._output)

    def _by_name(self, made: Any, known: Iterable[str]) -> tuple[Any, ...]:
        try:
            return tuple(made[name] for name in self._names)
        except KeyError:
            missing = next(name for name in self._names if name not in known)
            raise FlowError(
                f"{name_of(self._work)} made a row without column '{missing}' of out=; "
                f"{did_you_mean(missing, known)}"
            ) from None

    def _first_unfit(self, columns: Sequence[Sequence[Any]]) -> UnfitRow:
        found = None
        for values, field in zip(columns, self._output, strict=True):
            before = len(values) if found is None else found.place
            for place, value in enumerate(values[:before]):
                why = self._misfit(value, field)
                if why is not None:
                    found = UnfitRow(place, why)
                    break
        assert found is not None, "values that fit one by one fit together"
        return found

    def _misfit(self, value: Any, field: pa.Field) -> FlowError | None:
        about = f"{name_of(self._work)} made a row with {field.name} = {value!r}, but the column"
        if value is None and not field.nullable:
            return FlowError(f"{about} was declared NOT NULL")
        try:
            typed_array([value], field.type)
        except UNFIT as error:
            return FlowError(f"{about} was declared {type_name(field.type)}: {error}")
        return None
