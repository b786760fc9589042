from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A busy machine fails no property: nothing here is about time.
settings.register_profile("prop", deadline=None)
settings.load_profile("prop")


@pytest.fixture(scope="module", autouse=True)
def no_lane() -> Iterator[None]:
    """Python functions stand for operators of any kind here, so they may meet on all threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
        yield
