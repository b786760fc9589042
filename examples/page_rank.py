"""PageRank: ranks go round, from where they are gathered back to where they are spread.

Every superstep reads all edges once more, and a mark ends it. `spread` sends the rank of each page
along its links; `gather` adds up what comes to each page, and sends the new ranks back to a control
port of `spread`. Ranks leave when the input has ended.

>>> links = [("home", "news"), ("home", "shop"), ("news", "home"), ("shop", "home")]
>>> ranks = flow.run(supersteps(links, 20)).to_pylist()
>>> [(row["page"], round(row["rank"], 2)) for row in ranks]
[('home', 1.44), ('news', 0.78), ('shop', 0.78)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import penstock
from penstock import wait_mark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RANKS = "page string, rank double"


def supersteps(links: Sequence[tuple[str, str]], steps: int) -> pa.Table:
    """All links once for each superstep; `last` is where one ends."""
    source, target = zip(*links, strict=True)
    count = len(links)
    return pa.table(
        {
            "seq": list(range(count * steps)),
            "source": source * steps,
            "target": target * steps,
            "last": [row % count == count - 1 for row in range(count * steps)],
        }
    )


def spread(links: Any, ranks: Any, out: Any) -> Generator[Any, Any, Any]:
    """Send the rank of each page along its links, in equal shares."""
    while (yield wait_mark()):
        rows, known = links.take().to_pylist(), ranks.take().to_pylist()
        rank = {row["page"]: row["rank"] for row in known}
        degree = Counter(row["source"] for row in rows)
        shares = [
            {"page": row["target"], "share": rank.get(row["source"], 1.0) / degree[row["source"]]}
            for row in rows
        ]
        out.push(shares + [{"page": page, "share": 0.0} for page in degree])


def gather(shares: Any, out: Any, back: Any) -> Generator[Any, Any, Any]:
    """Add up what came to each page: its new rank."""
    ranks: list[dict[str, Any]] = []
    while (yield wait_mark()):
        sums: Counter[str] = Counter()
        for row in shares.take().to_pylist():
            sums[row["page"]] += row["share"]
        ranks = [{"page": page, "rank": 0.15 + 0.85 * sums[page]} for page in sorted(sums)]
        back.push(ranks)
    out.push(ranks)


def rounds(links: penstock.Flow) -> penstock.Flow | dict[str, penstock.Flow]:
    """The circle: what leaves, and what goes back."""
    shares = links.loop(spread, "page string, share double", control="ranks", name="spread")
    return shares.loop(gather, {"out": RANKS, "back": RANKS}, name="gather")


flow = (
    penstock.flow("page_rank", "seq long, source string, target string, last boolean")
    .punctuate(after="last", name="supersteps")
    .circle(rounds, name="rounds")
)


def ranked(spark: SparkSession, links: Sequence[tuple[str, str]], steps: int = 20) -> DataFrame:
    """Rank pages with Spark: one partition holds the graph, in the order of the supersteps."""
    given = supersteps(links, steps).to_pylist()
    columns = [tuple(row.values()) for row in given]
    edges = spark.createDataFrame(
        columns, "seq long, source string, target string, last boolean"
    ).coalesce(1)
    return edges.sortWithinPartitions("seq").transform(flow)


def main() -> None:
    """Rank the pages of a small site."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - only the program needs Spark

    spark = SparkSession.builder.master("local[2]").appName("page_rank").getOrCreate()
    links = [("home", "news"), ("home", "shop"), ("news", "home"), ("shop", "home")]
    ranked(spark, [*links, ("blog", "home")]).orderBy("rank", ascending=False).show()
    spark.stop()


if __name__ == "__main__":
    main()
