"""Every reason that the engine gives for a decision is told to users, where they look for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from penstock.elastic import Decision

NATIVE = Path(__file__).resolve().parents[2] / "native" / "penstock"
# Where a word is given as the name of a reason, or as the reason of a step.
NAMED = re.compile(r'return "(\w+)";')
TAKEN = re.compile(r'\breason = (?:\w+ \? )?"(\w+)"')
FILES = {
    "elastic/decision.cpp": NAMED,
    "elastic/channel_decision.cpp": NAMED,
    "elastic/utilization_decision.cpp": NAMED,
    "engine/control_loop.cpp": TAKEN,
}


@pytest.mark.parametrize("file", FILES)
def test_the_reasons_of_the_engine_are_those_that_a_decision_documents(file: str) -> None:
    words = set(FILES[file].findall((NATIVE / file).read_text())) - {"unknown"}
    assert words
    told = set(re.findall(r"`(\w+)`", Decision.__doc__ or ""))
    assert words <= told, f"penstock.elastic.Decision does not name {sorted(words - told)}"
