"""How many channels a region has: a fixed number, or what a controller finds best.

>>> print(Elastic(1, 8))
1 to 8 channels
>>> print(channels_of(4))
4 channels
>>> Elastic(4, 2)
Traceback (most recent call last):
    ...
penstock.errors.FlowError: Elastic(4, 2) is not possible; 1 <= least <= most <= 64 must hold
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from penstock.errors import FlowError

MOST_CHANNELS = 64


@dataclass(frozen=True)
class Elastic:
    """A number of channels that changes while rows flow, within bounds.

    A region begins with a channel for each thread, within the bounds. Every channel costs each tuple
    a little, used or not.

    Attributes:
        least: Channels at least.
        most: Channels at most, 64 or fewer.
    """

    least: int
    most: int

    def __post_init__(self) -> None:
        whole = type(self.least) is int and type(self.most) is int
        if not (whole and 1 <= self.least <= self.most <= MOST_CHANNELS):
            raise FlowError(
                f"Elastic({self.least!r}, {self.most!r}) is not possible; "
                f"1 <= least <= most <= {MOST_CHANNELS} must hold"
            )

    @property
    def fixed(self) -> bool:
        """Whether the number never changes."""
        return self.least == self.most

    def __str__(self) -> str:
        if self.fixed:
            return "1 channel" if self.most == 1 else f"{self.most} channels"
        return f"{self.least} to {self.most} channels"


# The same wherever a flow is written and wherever it runs, so not a number of cores.
DEFAULT_CHANNELS = Elastic(1, 8)


def channels_of(asked: Any) -> Elastic:
    """Check what a user asks for."""
    if isinstance(asked, Elastic):
        return asked
    if type(asked) is int and 1 <= asked <= MOST_CHANNELS:
        return Elastic(asked, asked)
    raise FlowError(
        f"channels={asked!r} is not possible; give an int from 1 to {MOST_CHANNELS}, or "
        "Elastic(least, most) for a number that changes"
    )
