"""Follows the PE of a Spark task: writes its status file, and tells the driver in the end."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import final

import pyarrow as pa

from penstock.executor.status import Describer, Document, State, Task
from penstock.executor.status_file import StatusFile, say_once
from penstock.failure_text import text_of
from penstock.hidden_column import hidden_row, with_hidden_column
from penstock.spec import FlowSpec
from penstock.telling import Telling
from penstock.watch import Progress

PERIOD = 1.0
# A disk that does not answer must not keep the task.
PATIENCE = 2.0


@final
class TaskWatch:
    """Follows one PE, from the first row until the task ends.

    A thread of its own writes the file, because the feeder may be in an operator for minutes. It
    sleeps but for a moment each second, and a task that takes less than a second never sees it.
    """

    def __init__(self, spec: FlowSpec, telling: Telling | None, budget: int | None) -> None:
        self._spec = spec
        self._telling = telling
        self._task = Task.current()
        application = telling.application if telling else ""
        self._describer = Describer(spec, self._task, application, time.time(), budget)
        self._file = StatusFile.of_executor()
        self._last: Progress | None = None
        self._told: Document | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, look: Callable[[], Progress]) -> None:
        """Start to write the file."""
        if self._file is None:
            return
        thread = threading.Thread(
            target=self._write, args=(self._file, look), name="penstock-status", daemon=True
        )
        try:
            thread.start()
        except RuntimeError as problem:  # spark.executor.pyspark.memory leaves room for few threads
            say_once(f"flow '{self._spec.name}' writes no status file: {problem}")
            return
        self._thread = thread

    def end(self, look: Callable[[], Progress]) -> None:
        """Look for the last time; `__exit__` tells what came of it."""
        self._stop()
        try:
            self._last = look()
        except Exception as problem:  # noqa: BLE001 - numbers never fail a task
            say_once(f"flow '{self._spec.name}' could not tell what it did: {problem!r}")

    def __enter__(self) -> TaskWatch:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Tell how it ended. A flow of which no more rows are wanted has not failed."""
        try:
            self._tell(error)
        except Exception as problem:  # noqa: BLE001 - numbers never fail a task
            say_once(f"flow '{self._spec.name}' could not tell what it did: {problem!r}")

    def passed(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """What a task gives to Spark for what the flow makes."""
        if self._telling is None or not self._telling.hidden:
            yield from batches
            return
        for batch in batches:
            yield with_hidden_column(batch)

    def last_row(self) -> Iterator[pa.RecordBatch]:
        """The row that carries what the task did, if the driver observes it."""
        if self._telling is not None and self._telling.hidden and self._told is not None:
            told = self._telling.message(self._task, self._told)
            yield hidden_row(self._spec.output_schema, json.dumps(told))

    def _tell(self, error: BaseException | None) -> None:
        self._stop()
        stopped = self._thread is None or not self._thread.is_alive()
        if self._last is not None:
            failed = error is not None and not isinstance(error, GeneratorExit)
            state: State = "failed" if failed else "done"
            self._told = self._describer.document(
                self._last, state, text_of(error) if error and failed else ""
            )
            if error is None and self._telling is not None:
                self._telling.add(self._task, self._told)
        if self._file is not None and stopped:
            self._file.end(self._told)

    def _stop(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def _write(self, file: StatusFile, look: Callable[[], Progress]) -> None:
        while not self._ended.wait(PERIOD):
            try:
                file.write(self._describer.document(look(), "running"))
            except Exception as problem:  # noqa: BLE001 - numbers never fail a task
                say_once(f"flow '{self._spec.name}' could not tell what it does: {problem!r}")
                return
