"""Says at the end how much the property tests compared: a number that shrinks is a finding."""

from __future__ import annotations

import pytest
from tests.prop.comparison import tally


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write one line, if anything was compared."""
    if tally.flows:
        terminalreporter.write_line(
            f"random flows: {tally.flows} of {tally.operators} operators, {tally.rows} rows "
            f"compared, {tally.failures} flows failed as they should"
        )
