"""Where the given data of the applications are, if they are here."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT.parent / "shared" / "data" / "kernels"
