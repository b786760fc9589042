"""Says at the end how much the property tests compared: a number that shrinks is a finding.

Tests run in several processes, so each tells the first one what it compared.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest
from tests.prop.comparison import tally

TALLY = "penstock_tally"
told: Counter[str] = Counter()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the first process, or count what it compared itself."""
    told.update(asdict(tally))
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[TALLY] = dict(told)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear what another process compared."""
    told.update(node.workeroutput.get(TALLY, {}) if hasattr(node, "workeroutput") else {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write one line, if anything was compared."""
    if told["flows"]:
        terminalreporter.write_line(
            f"random flows: {told['flows']} of {told['operators']} operators, {told['rows']} rows "
            f"compared, {told['failures']} flows failed as they should"
        )
