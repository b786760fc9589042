"""Says at the end how much the property tests compared: a number that shrinks is a finding."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from tests.prop.comparison import tally


@pytest.fixture(scope="module", autouse=True)
def no_lane() -> Iterator[None]:
    """Python functions stand for operators of any kind here, so they may meet on all threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write one line, if anything was compared."""
    if tally.flows:
        terminalreporter.write_line(
            f"random flows: {tally.flows} of {tally.operators} operators, {tally.rows} rows "
            f"compared, {tally.failures} flows failed as they should"
        )
