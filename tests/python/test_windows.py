"""What can be said of windows, and what is refused where it is written."""

from __future__ import annotations

from typing import Any

import pytest

from penstock import windows
from penstock.errors import FlowError


@pytest.mark.parametrize(
    ("make", "given", "problem"),
    [
        (windows.tumbling, {}, "exactly one of rows=, delta= and time=, got none of them"),
        (windows.tumbling, {"rows": 1, "time": "1 hour"}, "got rows= and time="),
        (windows.tumbling, {"rows": 0}, "rows= must be more than 0"),
        (windows.tumbling, {"rows": 1.5}, "rows= is a number of rows, got 1.5"),
        (windows.tumbling, {"rows": True}, "rows= is a number of rows, got True"),
        (windows.tumbling, {"rows": 1, "on": "ts"}, "has no on=, got 'ts'"),
        (windows.tumbling, {"time": "1 hour"}, "needs on=, the name of a column, got None"),
        (windows.tumbling, {"time": "0 seconds", "on": "ts"}, "time= must be more than 0"),
        (windows.tumbling, {"time": 3, "on": "ts"}, "time=: a length of time is a text"),
        (windows.tumbling, {"time": "1 month", "on": "ts"}, "has no fixed length"),
        (windows.tumbling, {"rows": 1, "late": "error"}, "are for windows of time"),
        (windows.tumbling, {"delta": 1, "on": "x", "watermark": "1 s"}, "are for windows of time"),
        (windows.sliding, {"rows": 2, "every": 3}, "every= is more than rows="),
        (windows.sliding, {"rows": 2, "every": 0}, "every= must be more than 0"),
        (
            windows.sliding,
            {"time": "1 hour", "every": "2 hours", "on": "ts"},
            "every= is more than time=",
        ),
        (windows.session, {"gap": "1 hour", "on": "ts", "late": "keep"}, "'drop' or 'error'"),
        (windows.session, {"gap": "1 hour", "on": "ts", "watermark": 5}, "watermark=: a length"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, given: dict[str, Any], problem: str) -> None:
    with pytest.raises(FlowError) as error:
        make(**given)
    assert problem in str(error.value)


def test_windows_are_values() -> None:
    hour = windows.tumbling(time="1 hour", on="ts", offset="5 minutes")
    assert hour == windows.tumbling(time="60 minutes", on="ts", offset="300 seconds")
    assert repr(hour) == "tumbling(time='1 hour', on='ts', offset='5 minutes')"
