"""Says at the end how much the property tests compared, and fails where that is too little.

Tests run in several processes, so each tells the first one what it compared.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest
from tests.prop.comparison import EXAMPLES, tally
from tests.prop.floor import is_whole, shortfall

TALLY = "penstock_tally"
told: Counter[str] = Counter()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the first process, or count what it compared itself."""
    told.update(asdict(tally))
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[TALLY] = dict(told)
    elif session.exitstatus == pytest.ExitCode.OK and _too_little(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear what another process compared."""
    told.update(node.workeroutput.get(TALLY, {}) if hasattr(node, "workeroutput") else {})


def _too_little(config: pytest.Config) -> str:
    option = config.option
    chosen = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "collectonly")
    some = any(getattr(option, name, None) for name in chosen)
    whole = is_whole(config.args, config.invocation_params.dir, some)
    return shortfall(told, EXAMPLES) if whole else ""


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Write one line, if anything was compared, and one if that was too little."""
    if told["flows"]:
        terminalreporter.write_line(
            f"random flows: {told['flows']} of {told['operators']} operators, {told['rows']} rows "
            f"compared, {told['failures']} flows failed as they should"
        )
    if exitstatus == pytest.ExitCode.OK and _too_little(config):
        terminalreporter.write_line(f"tests/prop: {_too_little(config)}", red=True)
