from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import Elastic, Flow, agg, flow, worker
from penstock.executor.status import (
    MOST_DECISIONS,
    MOST_LEVELS,
    MOST_OPERATORS,
    MOST_TEXT,
    Describer,
    Document,
    Task,
    first_line,
)
from penstock.metrics import Decision, FlowMetrics, LevelChange, OperatorMetrics, WorkerMetrics
from penstock.spec import FlowSpec
from penstock.watch import Progress

# What docs/metrics.md promises to whoever reads status files.
KEYS = {
    *("version", "flow", "pid", "host", "executor", "application", "stage", "partition"),
    *("attempt", "task", "started", "seconds", "state", "error", "threads", "budget"),
    *("rows_in", "inside"),
    *("rows_out", "operators", "workers", "levels", "channels", "decisions"),
}


class Follows:
    """Keeps what a run told before its first row and behind its last."""

    def __init__(self) -> None:
        self.first: Progress | None = None
        self.last: Progress | None = None

    def begin(self, look: Callable[[], Progress]) -> None:
        self.first = look()

    def end(self, look: Callable[[], Progress]) -> None:
        self.last = look()


def words() -> Flow:
    return (
        flow("words", "k long, v long")
        .filter(pc.field("v") > 1, name="pick")
        .map(lambda batch: batch, name="python")
        .parallel(
            lambda rows: rows.key_by("k").running(t=agg.sum("v"), name="total"),
            by="k",
            channels=2,
            name="both",
        )
    )


def describer(made: Flow) -> Describer:
    return Describer(FlowSpec.of(made), Task(3, 4, 1, 17), "app-1", 1000.5, budget=3)


def document_of(made: Flow, data: dict[str, list[int]]) -> Document:
    follows = Follows()
    batch = pa.RecordBatch.from_pydict(data)
    spec = FlowSpec.of(made)
    list(worker.run(spec, iter([batch, batch]), watch=follows))
    assert follows.last is not None
    return describer(made).document(follows.last, "done")


def test_it_says_everything_that_is_promised_and_is_json() -> None:
    made = document_of(words(), {"k": [1, 2, 3], "v": [1, 2, 3]})
    assert set(made) == KEYS
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_it_counts_rows_of_the_input_of_the_output_and_of_operators() -> None:
    made = document_of(words(), {"k": [1, 2, 3], "v": [1, 2, 3]})
    assert (made["rows_in"], made["rows_out"]) == (6, 4)
    rows = [(one["name"], one["rows_in"], one["rows_out"]) for one in made["operators"]]
    assert rows == [("pick", 6, 4), ("python", 4, 4), ("both", 4, 4)]
    assert made["threads"] == 1
    assert [one["name"] for one in made["workers"]] == ["feeder"]


def test_it_says_what_kind_operators_are_and_which_hold_the_gil() -> None:
    made = document_of(words(), {"k": [1], "v": [2]})
    kinds = [(one["kind"], one["gil"]) for one in made["operators"]]
    assert kinds == [("stateless", False), ("stateless", True), ("keyed", False)]


def test_it_says_which_operators_are_within_others() -> None:
    made = document_of(words(), {"k": [1], "v": [2]})
    assert made["inside"] == {"both": ["total"]}


def test_it_says_which_task_it_is() -> None:
    made = document_of(words(), {"k": [1], "v": [2]})
    found = [made[key] for key in ("stage", "partition", "attempt", "task", "application")]
    assert found == [3, 4, 1, 17, "app-1"]
    assert made["started"] == 1000.5
    assert made["budget"] == 3


def test_a_run_tells_of_itself_before_its_first_row() -> None:
    follows = Follows()
    list(worker.run(FlowSpec.of(words()), iter(()), watch=follows))
    assert follows.first is not None
    assert (follows.first.rows_in, follows.first.metrics.seconds) == (0, 0.0)


def test_a_run_that_failed_tells_what_it_did_until_then() -> None:
    def fails(batch: pa.RecordBatch) -> pa.RecordBatch:
        if batch.num_rows:
            raise LookupError("no")
        return batch

    follows = Follows()
    batch = pa.RecordBatch.from_pydict({"k": [1, 2], "v": [1, 2]})
    made = flow("f", "k long, v long").filter(pc.field("v") > 1, name="pick").map(fails)
    with pytest.raises(Exception, match="no"):
        list(worker.run(FlowSpec.of(made), iter([batch]), watch=follows))
    assert follows.last is not None
    assert follows.last.metrics.operator("pick").rows_in >= 2


def big(**changes: Any) -> Progress:
    given: dict[str, Any] = {
        "operators": (OperatorMetrics("pick"),),
        "workers": (WorkerMetrics(0),),
        "levels": (LevelChange(0.0, 1),),
        "seconds": 1.0,
    }
    return Progress(FlowMetrics(**given | changes), 0, 0)


def test_long_lists_are_cut_to_the_newest() -> None:
    decisions = tuple(
        Decision(float(n), "threads", n, n + 1, "rising", "x" * 10_000) for n in range(5_000)
    )
    progress = big(
        operators=tuple(OperatorMetrics(f"o{n}") for n in range(5_000)),
        levels=tuple(LevelChange(float(n), n) for n in range(5_000)),
        decisions=decisions,
    )
    made = describer(words()).document(progress, "running")
    assert len(made["operators"]) == MOST_OPERATORS
    assert [made["levels"][-1], len(made["levels"])] == [[4999.0, 4999], MOST_LEVELS]
    assert [made["decisions"][-1]["previous"], len(made["decisions"])] == [4999, MOST_DECISIONS]
    assert len(made["decisions"][0]["text"]) == MOST_TEXT
    assert made["threads"] == 4999
    assert len(json.dumps(made)) < 1 << 20


# What spark.penstock.elastic.controller=utilization turns is an operator in its words.
@pytest.mark.parametrize("word", ["region", "operator"])
def test_channels_are_those_of_the_last_decision_about_a_region(word: str) -> None:
    made = flow("f", "k long, v long").parallel(
        lambda rows: rows.key_by("k").running(t=agg.sum("v")),
        by="k",
        channels=Elastic(1, 8),
        name="some",
    )
    assert describer(made).document(big(), "running")["channels"] == {}
    decisions = tuple(
        Decision(1.0, "channels", 1, chosen, "congested", f"{word} '{region}': more")
        for region, chosen in (("some", 2), ("some", 4), ("other", 7))
    )
    found = describer(made).document(big(decisions=decisions), "running")
    assert found["channels"] == {"some": 4}
    assert describer(words()).document(big(), "running")["channels"] == {"both": 2}


@pytest.mark.parametrize(
    ("text", "line"), [("", ""), ("\n\n", ""), (" a\nb", "a"), ("x" * 900, "x" * MOST_TEXT)]
)
def test_of_an_error_the_first_line_is_told(text: str, line: str) -> None:
    assert first_line(text) == line
    assert describer(words()).document(big(), "failed", text)["error"] == (line or None)
