"""What every controller of threads has: a level within limits, and reasons."""

from __future__ import annotations

from penstock import _native
from penstock.elastic.arguments import as_setting_errors, whole
from penstock.elastic.decision import Decision, decision_of, explanation


class ThreadLevels:
    """A number of threads that a controller of the engine's chooses."""

    _native: _native.ThreadController | _native.UtilizationController

    @property
    def level(self) -> int:
        """Threads to use now."""
        return self._native.level

    @property
    def settled(self) -> bool:
        """Whether there is no reason for a change; there may be when the load or the limits change."""
        return self._native.settled

    @property
    def minimum(self) -> int:
        """Fewest threads."""
        return self._native.least

    @property
    def maximum(self) -> int:
        """Most threads."""
        return self._native.most

    @property
    def decisions(self) -> list[Decision]:
        """What was decided and why, oldest first; the last 4,096 decisions are kept."""
        return [decision_of(native) for native in self._native.decisions()]

    def hold(self) -> int:
        """Let a period pass that says nothing, because the last change had not happened yet."""
        return self._native.hold().level

    def set_minimum(self, level: int) -> None:
        """Change the fewest threads; raises `maximum` too where it is below."""
        with as_setting_errors():
            self._native.set_least_level(whole("minimum", level, "threads"))

    def set_maximum(self, level: int) -> None:
        """Change the most threads; lowers `minimum` too where it is above."""
        with as_setting_errors():
            self._native.set_most_level(whole("maximum", level, "threads"))

    def explain(self) -> str:
        """Tell what was decided and why, one line each; the same again and again is told once."""
        return explanation(self.decisions)
