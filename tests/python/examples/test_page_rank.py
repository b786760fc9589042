from __future__ import annotations

import sys

import pytest
from tests.python.examples.kernels import EXAMPLES

sys.path.insert(0, str(EXAMPLES))

import page_rank

GRAPHS = {
    "one link": [("a", "b")],
    "a circle": [("a", "b"), ("b", "c"), ("c", "a")],
    "a page that links to itself": [("a", "a"), ("a", "b"), ("b", "a"), ("b", "a")],
}


def plain(links: list[tuple[str, str]], steps: int) -> dict[str, float]:
    pages = {page for link in links for page in link}
    ranks = dict.fromkeys(pages, 1.0)
    for _ in range(steps):
        ranks = {
            page: 0.15
            + 0.85
            * sum(
                ranks[source] / sum(other == source for other, _ in links)
                for source, target in links
                if target == page
            )
            for page in pages
        }
    return ranks


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("steps", [1, 7])
def test_pages_have_the_ranks_that_plain_python_finds(name: str, steps: int) -> None:
    made = page_rank.flow.run(page_rank.supersteps(GRAPHS[name], steps)).to_pylist()
    ranks = {row["page"]: row["rank"] for row in made}
    assert ranks == pytest.approx(plain(GRAPHS[name], steps))
