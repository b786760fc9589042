"""Values around functions, and functions that use them; a module, so that workers import it."""

from __future__ import annotations

from typing import Any

import numpy as np

import penstock

LIMIT = 3
LIMITS = (3, (4, 5.0))
SMALL: Any = np.arange(10.0) * 3
GAPS: Any = np.arange(20.0)[::2]
TURNED: Any = np.arange(6.0).reshape(2, 3).T
SEVERAL = (SMALL, GAPS)
FULL: Any = np.arange(125_000.0)
LARGE: Any = np.arange(125_001.0)
LARGE_GAPS: Any = np.arange(260_000.0)[::2]
OF_LARGE = (SMALL, LARGE)


@penstock.compiled
def of_small(place: int) -> Any:
    return SMALL[place] + GAPS[place]


@penstock.compiled
def of_large(place: int) -> Any:
    return LARGE[place]


@penstock.compiled
def below(value: int) -> int:
    return value + LIMIT


@penstock.compiled
def far_below(value: int) -> Any:
    return below(value) + 1


@penstock.compiled
def looks_up(row: Any) -> Any:
    place = row.n
    direct = SMALL[place] + GAPS[place] + TURNED[place, 1] + FULL[124_999 - place]
    return direct + SEVERAL[1][place] + of_small(place)
