"""Break-ins to hide in a generated log, and logins that only look like break-ins.

The rule they are written against: a login is a break-in when at least 5 failures of the same
host came since its login before, none of them more than 300 seconds before this login.

>>> told = stories(seed=1, seconds=3600)
>>> sum(story.is_break_in for story in told), sum(not story.is_break_in for story in told)
(12, 12)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

WINDOW = 300
FEWEST = 5
LONGEST = 720  # no story takes more seconds than this
BREAK_INS = 12
NAMES = ["root", "admin", "backup", "deploy", "oracle", "postgres"]


@dataclass(frozen=True)
class Attempt:
    """One try to log in.

    Attributes:
        second: When, in seconds since the log began.
        host: Where it came from.
        user: Who it claimed to be.
        succeeds: Whether the server let it in.
    """

    second: int
    host: str
    user: str
    succeeds: bool


@dataclass(frozen=True)
class Story:
    """Attempts that belong together; a break-in is detected at the last of them.

    Attributes:
        attempts: In the order of time.
        failures: How many of them make it a break-in; 0 for one that only looks like it.
        first: Second of the first of these failures.
    """

    attempts: tuple[Attempt, ...]
    failures: int = 0
    first: int = 0

    @property
    def is_break_in(self) -> bool:
        """Whether it must be found."""
        return self.failures > 0


def stories(seed: int, seconds: int) -> list[Story]:
    """Tell break-ins and as many near misses, each of its own host, spread over a log."""
    dice = Random(seed)
    if seconds <= LONGEST:
        raise ValueError(f"a log of {seconds} seconds is too short; more than {LONGEST} are needed")
    hosts = _hosts()
    told = []
    near_misses = [_too_few, _too_old, _one_second_too_old, _other_host, _cleared]
    for number in range(BREAK_INS):
        told.append(_break_in(dice, dice.randrange(seconds - LONGEST), hosts, exact=number == 0))
        near_miss = near_misses[number % len(near_misses)]
        told.append(near_miss(dice, dice.randrange(seconds - LONGEST), hosts))
    return told


def _hosts() -> Iterator[str]:
    return (f"192.0.2.{number}" for number in range(1, 255))


def _failures(host: str, user: str, *seconds: int) -> list[Attempt]:
    return [Attempt(second, host, user, succeeds=False) for second in seconds]


def _ends(host: str, user: str, second: int, before: list[Attempt]) -> tuple[Attempt, ...]:
    return (*before, Attempt(second, host, user, succeeds=True))


def _break_in(dice: Random, start: int, hosts: Iterator[str], *, exact: bool) -> Story:
    # The exact one is a failure of precisely 300 seconds ago, which still counts.
    host, user = next(hosts), dice.choice(NAMES)
    if exact:
        tries = _failures(host, user, start, *range(start + 200, start + 200 + FEWEST - 1))
        return Story(_ends(host, user, start + WINDOW, tries), FEWEST, start)
    count = dice.randint(FEWEST, 40)
    offsets = sorted(dice.randrange(WINDOW - 10) for _ in range(count))
    tries = _failures(host, user, *(start + offset for offset in offsets))
    end = start + offsets[-1] + dice.randint(1, 9)
    return Story(_ends(host, user, end, tries), count, tries[0].second)


def _too_few(dice: Random, start: int, hosts: Iterator[str]) -> Story:
    host, user = next(hosts), dice.choice(NAMES)
    tries = _failures(host, user, *range(start, start + FEWEST - 1))
    return Story(_ends(host, user, start + 20, tries))


def _too_old(dice: Random, start: int, hosts: Iterator[str]) -> Story:
    host, user = next(hosts), dice.choice(NAMES)
    old = _failures(host, user, *range(start, start + 12))
    recent = _failures(host, user, *range(start + 500, start + 500 + FEWEST - 1))
    return Story(_ends(host, user, start + 520, old + recent))


def _one_second_too_old(dice: Random, start: int, hosts: Iterator[str]) -> Story:
    host, user = next(hosts), dice.choice(NAMES)
    tries = _failures(host, user, start, *range(start + 200, start + 200 + FEWEST - 1))
    return Story(_ends(host, user, start + WINDOW + 1, tries))


def _other_host(dice: Random, start: int, hosts: Iterator[str]) -> Story:
    user = dice.choice(NAMES)
    tries = _failures(next(hosts), user, *range(start, start + 9))
    return Story(_ends(next(hosts), user, start + 15, tries))


def _cleared(dice: Random, start: int, hosts: Iterator[str]) -> Story:
    # The login in the middle takes the failures before it out of the count.
    host, user = next(hosts), dice.choice(NAMES)
    first = _failures(host, user, *range(start, start + FEWEST - 1))
    middle = list(_ends(host, user, start + 10, first))
    second = _failures(host, user, *range(start + 20, start + 20 + FEWEST - 1))
    return Story(_ends(host, user, start + 30, middle + second))
