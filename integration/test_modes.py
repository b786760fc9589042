from __future__ import annotations

from typing import Any

import pytest

from integration.checks import CHECKS, Check, sentence
from integration.sessions import MODES, Sessions


@pytest.fixture(scope="module", params=MODES, ids=str)
def session(request: pytest.FixtureRequest, sessions: Sessions) -> Any:
    return sessions.of(request.param)


@pytest.mark.parametrize("check", CHECKS, ids=sentence)
def test_in_each_mode(session: Any, check: Check) -> None:
    check(session)
