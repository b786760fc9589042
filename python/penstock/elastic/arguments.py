"""What controllers are given: checked here, so that an error names it as the caller does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from penstock.errors import SettingError


@contextmanager
def as_setting_errors() -> Iterator[None]:
    """Raise what the native side says about a value as a `SettingError`."""
    try:
        yield
    except ValueError as error:
        raise SettingError(str(error)) from None


def whole(name: str, value: object, of: str) -> int:
    """Check for a whole number of something.

    >>> whole("minimum", 1.5, of="threads")
    Traceback (most recent call last):
        ...
    penstock.errors.SettingError: minimum is 1.5; it must be a whole number of threads
    """
    # Beyond 32 bits the native side could only say that the types do not match.
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31:
        return value
    raise SettingError(f"{name} is {value!r}; it must be a whole number of {of}")


def number(name: str, value: object) -> float:
    """Check for a number; which ones are possible is checked natively."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise SettingError(f"{name} is {value!r}; it must be a number")


def yes_or_no(name: str, value: object) -> bool:
    """Check for a truth value, so that a number that was meant to be compared is not taken for one.

    >>> yes_or_no("congested", 0.3)
    Traceback (most recent call last):
        ...
    penstock.errors.SettingError: congested is 0.3; it must be True or False
    """
    if value in (True, False):
        return bool(value)
    raise SettingError(f"{name} is {value!r}; it must be True or False")
