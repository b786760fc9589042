"""How many channels."""

from __future__ import annotations

from penstock import _native
from penstock.elastic.arguments import as_setting_errors, number, whole, yes_or_no
from penstock.elastic.decision import Decision, decision_of, explanation


class ChannelController:
    """Looks for the fewest channels with which the splitter of a region is not congested.

    While it is congested, it adds channels as long as that brings throughput; while it is not, it
    takes channels away unless fewer are known to be congested; a change of the load makes it forget
    what it knew. Channels that bring nothing are given back: then the bottleneck is elsewhere, and
    whether it still is is looked at every `age` periods.

    Args:
        levels: How many numbers of channels to choose from: the first of 1, 2, 3, 4, 6, 8, 11, 16,
            23, 32, 45 and so on, so 10 means up to 32 channels.
        sensitivity: From 0 to 1: how small a change of throughput with the same channels means a
            new load. 0.5 is a little more than half of what the next channels would ideally bring.
        margin: Relative difference of throughput that counts as one between two numbers of
            channels. Five times the standard deviation of a period is safe.
        age: After so many periods a congested region forgets what more channels brought; 0 is
            never. With `margin` 0 as well it is the algorithm of the paper to the letter.
        rapid: False adds and removes one channel at a time: `levels` is then the most channels.

    Raises:
        SettingError: Naming the value that is impossible and what is allowed.

    >>> controller = ChannelController(levels=4)
    >>> [controller.update(throughput, congested=True) for throughput in (100, 200, 204)]
    [2, 3, 2]
    >>> controller.decisions[-1].reason
    'remote_congestion'
    >>> ChannelController(levels=0)
    Traceback (most recent call last):
        ...
    penstock.errors.SettingError: levels is 0; it must be 1 to 32, such as 10 for up to 32 channels
    """

    def __init__(
        self,
        levels: int = 10,
        sensitivity: float = 0.5,
        margin: float = 0.05,
        age: int = 12,
        *,
        rapid: bool = True,
    ) -> None:
        with as_setting_errors():
            self._native = _native.ChannelController(
                levels=whole("levels", levels, "levels"),
                sensitivity=number("sensitivity", sensitivity),
                margin=number("margin", margin),
                age=whole("age", age, "periods"),
                rapid=yes_or_no("rapid", rapid),
            )

    @property
    def channels(self) -> int:
        """Channels to use now."""
        return self._native.channels

    @property
    def settled(self) -> bool:
        """Whether the last period gave no reason for a change."""
        return self._native.settled

    @property
    def minimum(self) -> int:
        """Fewest channels."""
        return self._native.least

    @property
    def maximum(self) -> int:
        """Most channels."""
        return self._native.most

    @property
    def decisions(self) -> list[Decision]:
        """What was decided and why, oldest first; the last 4,096 decisions are kept."""
        return [decision_of(native) for native in self._native.decisions()]

    def update(self, throughput: float, congested: bool) -> int:
        """Take what was measured in one period with `channels` and return those of the next.

        Args:
            throughput: Tuples per second; any unit will do that is the same for all periods.
            congested: Whether the splitter was blocked for a fifth of the period or more, because
                its channels had no room.

        Raises:
            SettingError: The throughput is negative or not a number, or `congested` is no bool.
        """
        blocked = yes_or_no("congested", congested)
        with as_setting_errors():
            return self._native.update(number("throughput", throughput), blocked).level

    def hold(self) -> int:
        """Let a period pass that says nothing, because the last change had not happened yet."""
        return self._native.hold().level

    def set_minimum(self, channels: int) -> None:
        """Change the fewest channels; raises `maximum` too where it is below."""
        with as_setting_errors():
            self._native.set_least(whole("minimum", channels, "channels"))

    def set_maximum(self, channels: int) -> None:
        """Change the most channels; lowers `minimum` too where it is above."""
        with as_setting_errors():
            self._native.set_most(whole("maximum", channels, "channels"))

    def explain(self) -> str:
        """Tell what was decided and why, one line each; the same again and again is told once."""
        return explanation(self.decisions)

    def __repr__(self) -> str:
        state = "settled" if self.settled else "searching"
        return (
            f"ChannelController(channels={self.channels}, {state}, "
            f"minimum={self.minimum}, maximum={self.maximum})"
        )
