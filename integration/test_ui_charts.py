"""What is drawn over time of the channels of regions, as the page works it out, in a real browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

from integration.scripts import scripts


def decision(
    at: float, previous: int, chosen: int, text: str, partition: int = 0
) -> dict[str, Any]:
    task = {"stage": 1, "partition": partition, "attempt": 0}
    return task | {"at": at, "previous": previous, "chosen": chosen, "text": text}


# What spark.penstock.elastic.controller=utilization turns is an operator in its words.
@pytest.mark.parametrize("word", ["region", "operator"])
def test_channels_over_time_follow_the_decisions_of_either_controller(word: str) -> None:
    task = {"stage": 1, "partition": 0, "attempt": 0}
    pe = task | {"started": 10, "seconds": 5, "channels": {"visits": 4}, "state": "running"}
    decisions = [
        decision(13, 2, 4, f"{word} 'visits': 2 -> 4 replicas: bottleneck"),
        decision(12, 1, 2, f"{word} 'visits': 1 -> 2 replicas: bottleneck"),
        decision(12, 8, 9, f"{word} 'others': 8 -> 9 replicas: bottleneck"),
        decision(12, 8, 9, f"{word} 'visits': of another task", partition=1),
    ]
    with scripts() as server:
        [curve] = server.answer(
            'import { channelCurves } from "./charts.js";',
            f"channelCurves({json.dumps([pe])}, {json.dumps(decisions)}, 20)",
        )
    assert (curve["name"], curve["points"]) == ("visits", [[10, 1], [12, 2], [13, 4], [20, 4]])
