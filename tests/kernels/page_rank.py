"""PageRank in supersteps: ranks go round, from where they are gathered to where they are spread.

All edges come once for each superstep, and a mark ends it. Ranks are whole numbers of which 2**40
is one, so that the order of additions does not matter.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pyarrow as pa

from penstock import Flow, flow, wait_mark

INPUT = "step long, src long, dst long, last boolean"
RANKS = "vertex long, rank_q40 long"
ONE = 2**40
STEPS = 10


def supersteps(edges: pa.Table, steps: int = STEPS) -> pa.Table:
    """The edges once for each superstep, and which row is the last of one."""
    rows = edges.num_rows
    last = np.zeros(rows, bool)
    last[-1:] = True
    return pa.concat_tables(
        pa.table(
            {
                "step": np.full(rows, step),
                "src": edges["src"],
                "dst": edges["dst"],
                "last": last,
            }
        )
        for step in range(steps)
    )


def spread(edges: Any, ranks: Any, out: Any) -> Generator[Any, Any, Any]:
    """Send the rank of each vertex along its edges; to sources nothing, so that they are known."""
    while (yield wait_mark()):
        given, known = edges.take(), ranks.take()
        src, dst = given["src"].to_numpy(), given["dst"].to_numpy()
        sources, places, degrees = np.unique(src, return_inverse=True, return_counts=True)
        held = np.full(len(sources), ONE)
        if known.num_rows:
            at = np.searchsorted(known["vertex"].to_numpy(), sources)
            held = known["rank_q40"].to_numpy()[at]
        out.push({"vertex": dst, "share": (held // degrees)[places]})
        out.push({"vertex": sources, "share": np.zeros(len(sources), int)})


def gather(shares: Any, out: Any, back: Any) -> Generator[Any, Any, Any]:
    """Add up what came to each vertex; its new rank goes back, and leaves in the end."""
    ranks = None
    while (yield wait_mark()):
        given = shares.take()
        vertices, places = np.unique(given["vertex"].to_numpy(), return_inverse=True)
        total: Any = np.zeros(len(vertices), int)
        np.add.at(total, places, given["share"].to_numpy())
        ranks = {"vertex": vertices, "rank_q40": 15 * ONE // 100 + 85 * total // 100}
        back.push(ranks)
    if ranks:
        out.push(ranks)


def round_trip(edges: Flow) -> Flow | dict[str, Flow]:
    shares = edges.loop(spread, "vertex long, share long", control={"ranks": RANKS}, name="spread")
    return shares.loop(gather, {"out": RANKS, "back": RANKS}, name="gather")


page_rank = (
    flow("page_rank", INPUT).punctuate(after="last", name="steps").circle(round_trip, name="rounds")
)
