from __future__ import annotations

import sys
from pathlib import Path

import pytest

from integration.chaos.leftovers import Held
from integration.chaos.scene import Scene
from integration.chaos.tally import Tally, chosen_seed
from integration.sessions import Mode

KEPT = pytest.StashKey[Tally]()
# Tasks are tried again, as on a cluster.
RETRYING = Mode("local[2,6]", plugin=True)


@pytest.fixture(scope="session")
def tally(request: pytest.FixtureRequest) -> Tally:
    """What all of these tests did, and the seed of their choices."""
    made = Tally(chosen_seed())
    request.config.stash[KEPT] = made
    return made


@pytest.fixture
def scene(request: pytest.FixtureRequest, tally: Tally, folder: Path, tmp_path: Path) -> Scene:
    """A test with choices of its own, so that it can be run alone and chooses the same."""
    # Shown where the test fails or is ended because it takes too long.
    sys.stdout.write(f"PENSTOCK_CHAOS_SEED={tally.seed}\n")
    chance = tally.random(request.node.name)
    return Scene(tally, chance, folder, tmp_path, Held.now(folder))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if KEPT in config.stash:
        terminalreporter.write_line(str(config.stash[KEPT]))
