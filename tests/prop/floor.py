"""How much a run of all property tests must have compared at least.

Tests that compare nothing pass. What the default number of examples comes to is known, so a run
that compares far less has lost something: a strategy that draws empty flows, a test that is
skipped, a tally that other processes do not pass on.

>>> shortfall({"flows": 10, "rows": 10**9}, examples=60)
'10 flows compared, at least 1950 expected with 60 examples for each property'
>>> shortfall({"flows": 10**6, "rows": 10**9}, examples=60)
''
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# Of a run with so many examples; more examples have to compare more.
EXAMPLES = 60
LEAST = {"flows": 1_950, "rows": 270_000}


def is_whole(arguments: Sequence[str], at: Path, chosen: bool) -> bool:
    """Whether pytest was asked for all of tests/prop.

    Args:
        arguments: The files and folders it was given.
        at: Where it was started.
        chosen: Whether some tests of those were chosen, by a name or otherwise.
    """
    folders = [(at / each).resolve() for each in arguments if "::" not in each]
    return not chosen and any(FOLDER.is_relative_to(folder) for folder in folders)


def shortfall(told: Mapping[str, int], examples: int) -> str:
    """What is too little, in words; empty if nothing is, or if fewer examples were asked for."""
    if examples < EXAMPLES:
        return ""
    return "; ".join(
        f"{told.get(what, 0)} {what} compared, at least {least * examples // EXAMPLES} expected "
        f"with {examples} examples for each property"
        for what, least in LEAST.items()
        if told.get(what, 0) < least * examples // EXAMPLES
    )
