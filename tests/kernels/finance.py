"""Bargains: quotes that ask less than a stock was traded for of late.

Trades and quotes come in one stream, so a trade is known to all quotes behind it. Three regions:
one picks what counts, one knows the last trades of each ticker, and one compares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pyarrow.compute as pc

from penstock import Elastic, Flow, flow, state

INPUT = (
    "seq long, ticker string, ts timestamp, ttype string, price decimal(18,4), "
    "volume decimal(18,4), askprice decimal(18,4), asksize decimal(18,4)"
)
SUMS = f"{INPUT}, turnover decimal(38,8), traded decimal(38,4)"
BARGAINS = (
    "seq long, ticker string, ts timestamp, vwap double, askprice decimal(18,4), "
    "asksize decimal(18,4), index double"
)
WINDOW = 4

ZERO = pc.scalar(Decimal(0))  # Arrow does not compare a decimal of this size with an int
TRADE = (pc.field("ttype") == "Trade") & (pc.field("price") > ZERO) & (pc.field("volume") > ZERO)
QUOTE = (pc.field("ttype") == "Quote") & (pc.field("askprice") > ZERO)
VWAP = pc.field("turnover").cast("double") / pc.field("traded").cast("double")


class PreVwap:
    """Adds up the last trades of a ticker, once there are enough; quotes pass."""

    turnovers = state.List("decimal(38,8)", persistence="checkpointed")
    volumes = state.List("decimal(18,4)", persistence="checkpointed")

    def process(self, row: Any) -> Iterator[Any]:
        if row.ttype == "Quote":
            yield (*row, None, None)
            return
        self.turnovers.put([*self.turnovers, row.price * row.volume][-WINDOW:])
        self.volumes.put([*self.volumes, row.volume][-WINDOW:])
        if len(self.volumes) == WINDOW:
            yield (*row, sum(self.turnovers), sum(self.volumes))


class BargainIndex:
    """Compares what a quote asks with the mean price of its ticker, exactly: in decimals."""

    vwap = state.Value("double", persistence="checkpointed")
    turnover = state.Value("decimal(38,8)", persistence="checkpointed")
    traded = state.Value("decimal(38,4)", persistence="checkpointed")

    def process(self, row: Any) -> Iterator[Any]:
        if row.ttype == "Trade":
            self.vwap.put(row.vwap)
            self.turnover.put(row.turnover)
            self.traded.put(row.traded)
        elif self.vwap.has():
            vwap, index = self.vwap.get(), 0.0
            if self.turnover.get() > row.askprice * self.traded.get():
                index = float(row.asksize) * math.exp(vwap - float(row.askprice))
            yield row.seq, row.ticker, row.ts, vwap, row.askprice, row.asksize, index


def mean_prices(rows: Flow) -> Flow:
    sums = rows.key_by("ticker").apply(PreVwap(), SUMS, name="pre_vwap")
    return sums.with_column("vwap", VWAP, name="vwap")


def bargains(rows: Flow) -> Flow:
    return rows.key_by("ticker").apply(BargainIndex(), BARGAINS, name="bargain_index")


finance = (
    flow("finance", INPUT)
    .parallel(
        lambda rows: rows.filter(TRADE | QUOTE, name="valid"),
        channels=Elastic(1, 4),
        name="filters",
    )
    .parallel(mean_prices, by="ticker", channels=Elastic(1, 4), name="mean_prices")
    .parallel(bargains, by="ticker", channels=Elastic(1, 4), name="bargains")
)
