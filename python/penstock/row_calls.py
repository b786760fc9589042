"""Operators that work row by row, as the engine calls them: arrays in and out by address."""

from __future__ import annotations

import pyarrow as pa

from penstock.group_body import GroupBody
from penstock.library.groups import KeyedGroups
from penstock.row_body import RowBody
from penstock.row_operator import RowOperator
from penstock.state.limit import Limit
from penstock.state.stores import ChannelsOf, Stores


class RowCalls:
    """The calls that every operator answers which says from which row each of its rows came."""

    body: RowBody | GroupBody

    def __init__(
        self,
        operator: RowOperator | KeyedGroups,
        *,
        most_bytes: int = 0,
        taken: dict[int, int] | None = None,
        full_check: bool = False,
    ) -> None:
        if isinstance(operator, KeyedGroups):
            self.body = GroupBody(
                operator, most_bytes=most_bytes, taken=taken, full_check=full_check
            )
        else:
            self.body = RowBody(operator, most_bytes=most_bytes, taken=taken)
        self._given = operator.input

    def process(
        self, in_address: int, out_address: int, rows_address: int
    ) -> int | tuple[int, int, Exception]:
        """Work on a batch; with the rows made comes the row that each was made of."""
        outcome = self.body.process(pa.RecordBatch._import_from_c(in_address, self._given))
        if outcome.batch is not None:
            outcome.batch._export_to_c(out_address)
            pa.array(outcome.origins, pa.int32())._export_to_c(rows_address)
        if outcome.failure is not None:
            return len(outcome.origins), outcome.failed_at, outcome.failure
        return len(outcome.origins)

    def finish(self, out_address: int) -> int:
        """Make what comes behind the last row."""
        made = self.body.finish() if isinstance(self.body, RowBody) else None
        if made is None:
            return 0
        made._export_to_c(out_address)
        return int(made.num_rows)


class StateCalls:
    """The calls by which what an operator remembers moves between channels."""

    def __init__(self, stores: Stores, channels_of: ChannelsOf, limit: Limit | None = None) -> None:
        self._stores = stores
        self._channels_of = channels_of
        self._limit = limit or Limit(stores, 0)

    def donate(self, channels: int, own: int, out_address: int) -> list[tuple[int, int]]:
        """Take out what belongs to others; nothing is forgotten before it is exported."""
        leaving = self._stores.donate(channels, own, self._channels_of)
        if leaving.keys:
            leaving.batch._export_to_c(out_address)
            self._stores.forget(leaving.keys)
            self._limit.recount()
        return leaving.shares

    def collect(self, in_address: int) -> None:
        """Add what another channel gave."""
        self._stores.from_arrow(pa.RecordBatch._import_from_c(in_address, self._stores.schema))
        self._limit.recount()

    def snapshot(self, out_address: int) -> None:
        """Copy all that is remembered."""
        self._stores.to_arrow()._export_to_c(out_address)

    def schema(self, out_address: int) -> None:
        """Describe the columns of what is donated and copied."""
        self._stores.schema._export_to_c(out_address)

    def keys(self) -> int:
        """How many keys something is remembered of."""
        return len(self._stores)
