"""Inputs of the application kernels with their exact outputs, where they lie beside the checkout.

They are not part of the project; a test takes them as additional cases when they are there.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
FOLDER = ROOT.parent / "shared" / "data" / "kernels"


def present(given: str, expected: str) -> list[tuple[Path, Path]]:
    """The pair of files, or nothing when one of them is missing."""
    pair = (FOLDER / f"{given}.parquet", FOLDER / f"{expected}.parquet")
    return [pair] if all(file.is_file() for file in pair) else []
