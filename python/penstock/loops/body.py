"""A driver loop as it runs: one generator, resumed as often as what it waits for is there."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import pyarrow as pa

from penstock.c_data import CStruct
from penstock.errors import FlowError, did_you_mean
from penstock.loops.arrivals import NOW, Arrivals
from penstock.loops.operator import Loop
from penstock.loops.output import Output
from penstock.loops.ports import MORE_ROOM, InPort, OutPort
from penstock.loops.stopping import Stop
from penstock.loops.waits import Done, Over, Wait

WAITS, PAUSED, ENDED = 0, 1, 2
NO_ROW = -1
ARRAY_WORDS = 10
MOST_OVERS = 1000  # a loop that was told so often that nothing comes will never end


@dataclass(frozen=True)
class Terms:
    """Under which a loop runs.

    Attributes:
        capacity: Rows that may wait in a port, unless the loop says otherwise.
        quantum: Seconds after which it looks, at a yield, whether it should go on.
        pauses: Whether it lets go of its thread then.
        most_bytes: What its ports may hold; 0 for as much as they like.
        full_check: Whether batches that it pushes are checked to the last offset.
        stop: Tells when the run is over.
    """

    capacity: int
    quantum: float = 0.05
    pauses: bool = False
    most_bytes: int = 0
    full_check: bool = False
    stop: Stop = field(default_factory=Stop)


class LoopBody:
    """One running instance of a loop."""

    def __init__(self, loop: Loop, terms: Terms, clock: Callable[[], float] = monotonic) -> None:
        self._loop = loop
        self._terms = terms
        self._clock = clock
        self._capacity = None if loop.grow else loop.capacity or terms.capacity
        self._ports = {name: InPort(name, schema) for name, schema in loop.inputs}
        self._controls = {name: InPort(name, one, "control") for name, one in loop.controls}
        self._arrivals = Arrivals(list(self._ports.values()), loop.tagged)
        self._generator: Generator[Any, Any, Any] | None = None
        self._wait: Wait | None = None  # what it yielded last; None to go on at once
        self._marked = False  # a mark came, and the loop has not waited for it yet
        self._pushed: list[pa.RecordBatch | None] = []  # None is a mark
        self._array = CStruct(ARRAY_WORDS)
        self._row = NO_ROW  # of the tuple, with which the loop goes on
        self._closed = False
        self._ended = False
        self._overs = 0  # in a row, without a row being taken
        self._held = 0
        terms.stop.on_end(self.close)

    def process(self, in_address: int, output: Output) -> int | tuple[int, BaseException]:
        """Take a tuple over, and let the loop go on as often as it can."""
        batch = pa.RecordBatch._import_from_c(in_address, self._loop.input)
        if self._ended:
            return ENDED
        self._arrivals.begin(batch)
        self._row = 0
        return self.resume(output)

    def resume(self, output: Output) -> int | tuple[int, BaseException]:
        """Go on after a pause."""
        try:
            return self._go_on(output)
        except Exception as error:
            self._end()
            if self._closed:
                raise
            return max(self._row, 0), error

    def mark(self, output: Output) -> int | tuple[int, BaseException]:
        """Let a loop that waits for a mark go on."""
        if self._ended:
            return ENDED
        self._row = NO_ROW
        self._marked = True
        return self.resume(output)

    def control(self, in_address: int) -> None:
        """Take rows over that came round; the loop finds them when it goes on."""
        for port in self._controls.values():
            batch = pa.RecordBatch._import_from_c(in_address, port.schema)
            if not self._ended:
                port.come_round(batch, self._capacity)

    def finish(self, output: Output) -> int | tuple[int, BaseException]:
        """Close the ports behind the last row, and let the loop come to its end."""
        if self._ended:
            return ENDED
        self._closed = True
        for port in self._ports.values():
            port.closed = True
        self._row = NO_ROW
        return self.resume(output)

    def close(self) -> None:
        """Run what the loop has in its `finally` blocks, unless a thread is still in it."""
        generator, self._generator = self._generator, None
        self._ended = True
        if generator is not None and inspect.getgeneratorstate(generator) != inspect.GEN_RUNNING:
            generator.close()

    def _go_on(self, output: Output) -> int:
        until = self._clock() + self._terms.quantum
        while True:
            answer = None
            if self._wait is not None:
                answer = self._answer(self._wait)
                if answer is None:
                    self._check_bytes()
                    return WAITS
            if self._step(answer):
                self._emit(output)
                output.complete(max(self._row, 0))
                self._end()
                return ENDED
            self._emit(output)
            if self._clock() >= until:
                self._terms.stop.check()
                if self._terms.pauses:
                    return PAUSED
                until = self._clock() + self._terms.quantum

    def _answer(self, wait: Wait) -> Any:
        """What the wait gives; None if that is not known before another tuple."""
        due = self._due(wait)
        if wait.word == "mark" and self._marked:
            self._marked = False
            return Done
        self._marked = False
        if due is not None:
            if due != NOW:
                self._row = due
                self._arrivals.deliver(due)
            self._overs = 0
            return Done
        over = NOW if self._closed else self._arrivals.over(wait)
        if over is None:
            return None
        if over != NOW:
            self._row = over
            self._arrivals.deliver(over)
        held = sum(port.rows for port in self._ports.values())
        self._overs = self._overs + 1 if held == self._held else 1
        self._held = held
        if self._overs > MOST_OVERS:
            raise FlowError(
                f"{wait!r} gave Over {MOST_OVERS:,} times in a row, and the loop waits again: no "
                "more rows come, so leave it, as in `if not (yield ...): return`"
            )
        return Over

    def _due(self, wait: Wait) -> int | None:
        if self._loop.wake == "tuples":
            self._arrivals.deliver_rest()
            self._row = NO_ROW if self._closed else max(self._arrivals.rows - 1, 0)
        due = self._arrivals.due(wait)
        until = self._arrivals.over(wait) if due is None else due
        if self._capacity is not None:
            self._check_capacity(wait, until, self._capacity)
        if until is None:
            self._arrivals.deliver_rest()
        return due

    def _step(self, answer: Any) -> bool:
        """Run the generator to its next yield; true if it ended."""
        if self._generator is None:
            self._generator = self._start()
        try:
            asked = self._generator.send(answer)
            while (problem := self._problem(asked)) is not None:
                # Where it yielded is where the mistake is.
                asked = self._generator.throw(problem)
        except StopIteration:
            return True
        self._wait = asked
        return False

    def _start(self) -> Generator[Any, Any, Any]:
        terms = self._terms
        outs = {
            name: OutPort(
                name, schema, self._pusher(name), stop=terms.stop, full_check=terms.full_check
            )
            for name, schema in self._loop.outputs
        }
        ports = {**self._ports, **self._controls}
        made: Generator[Any, Any, Any] = self._loop.function(**ports, **outs)
        return made

    def _pusher(self, name: str) -> Callable[[pa.RecordBatch | None], None]:
        tag = self._loop.tagger(name)
        check = self._terms.stop.check
        pushed = self._pushed

        def push(batch: pa.RecordBatch | None) -> None:
            check()
            pushed.append(None if batch is None else tag(batch))

        return push

    def _problem(self, asked: Any) -> FlowError | None:
        if asked is None:
            return None
        if not isinstance(asked, Wait):
            return FlowError(
                f"a loop yields wait_all(...), wait_any(...) or nothing, got {asked!r}"
            )
        for name, count in asked.counts.items():
            if name in self._controls:
                return FlowError(
                    f"{asked!r}: '{name}' is a control port, which wakes nobody; wait for rows of "
                    f"{' or '.join(self._ports)} or for a mark, and take what came round"
                )
            if name not in self._ports:
                return FlowError(
                    f"{asked!r}: '{name}' is not an input port; {did_you_mean(name, self._ports)}"
                )
            if self._capacity is not None and count > self._capacity:
                return FlowError(
                    f"{asked!r}: operator '{self._loop.name}' waits for {count:,} rows of port "
                    f"'{name}', which holds {self._capacity:,} at most; wait for fewer, or give "
                    f"capacity={count} or grow=True to loop(...), or set "
                    "spark.penstock.loop.capacity higher"
                )
        return None

    def _check_capacity(self, wait: Wait, until: int | None, capacity: int) -> None:
        if self._loop.wake == "tuples":
            if until is not None:
                return
            over = [port for port in self._ports.values() if port.rows > capacity]
            full = over[0] if over else None
        else:
            found = self._arrivals.overflow(capacity)
            full = found[1] if found and (until is None or found[0] < until) else None
            if found and full is not None:
                self._row = found[0]
        if full is None:
            return
        short = [
            f"port '{name}' has {self._ports[name].rows:,} of {count:,}"
            for name, count in wait.counts.items()
            if self._ports[name].rows < count
        ]
        short = short or ["no mark came"]
        raise FlowError(
            f"port '{full.name}' would hold more than {capacity:,} rows while the loop is in "
            f"{wait!r}, where {' and '.join(short)}; take rows of '{full.name}' meanwhile, or give "
            f"{MORE_ROOM}"
        )

    def _check_bytes(self) -> None:
        most = self._terms.most_bytes
        if not most:
            return
        ports = (*self._ports.values(), *self._controls.values())
        held = sum(port.nbytes for port in ports)
        if held > most:
            largest = max(ports, key=lambda port: port.nbytes)
            raise FlowError(
                f"its ports hold {held:,} bytes, most of them '{largest.name}' with "
                f"{largest.rows:,} rows, but spark.penstock.state.maxBytes is {most:,}"
            )

    def _emit(self, output: Output) -> None:
        for batch in self._pushed:
            if batch is None:
                output.punctuate()
                continue
            batch._export_to_c(self._array.address)
            output.emit(self._array.address, self._row)
        self._pushed.clear()

    def _end(self) -> None:
        self._ended = True
        self._pushed.clear()
        for port in (*self._ports.values(), *self._controls.values()):
            port.clear()
