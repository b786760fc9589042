"""`penstock run module:flow --input x.parquet --output y.parquet`: a flow on files, without Spark."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from rich.console import Console
from rich.table import Table
from rich.text import Text

from penstock.commands.finding import find_flow
from penstock.commands.formats import Rows, format_of, read, written
from penstock.errors import FlowError
from penstock.flow import Flow
from penstock.local import stream
from penstock.loops.inputs import UNSAID, one_input
from penstock.plain_text import shortened, visible
from penstock.quantities import many
from penstock.threading_model import MODELS

SHOWN = 20  # rows, where they are not written to a file
LONGEST_VALUE = 60
ANY_WIDTH = 100_000  # a table takes as much as it needs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.description = (
        "Run a flow over Parquet, Arrow or CSV files here, without Spark. Rows are read, and "
        "written, batch by batch. The output appears when it is whole, or not at all."
    )
    parser.epilog = "Example: penstock run jobs.py:logins --input in.parquet --output out.parquet"
    parser.add_argument("flow", metavar="MODULE:FLOW", help="or path/to/file.py:FLOW")
    parser.add_argument(
        "--input",
        metavar="[NAME=]FILE",
        action="append",
        required=True,
        help="a file, or a folder of files; NAME=FILE for each input of a flow with several",
    )
    parser.add_argument("--order-by", metavar="COLUMN", action="append", help="of several inputs")
    parser.add_argument("--output", metavar="FILE", type=Path, help="left out, rows are shown")
    parser.add_argument("--force", action="store_true", help="replace the output if it exists")
    parser.add_argument("--threading", choices=MODELS, help="instead of what the flow says")
    parser.add_argument("--limit", metavar="N", type=_count, help="stop after N rows of the result")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], dest="settings",
                        help="a setting, with or without spark.penstock. before it")  # fmt: skip
    parser.add_argument("--progress", action="store_true", help="show how far it is")
    parser.add_argument("--trace", metavar="FILE", help="write what each thread ran when")


def run(chosen: argparse.Namespace) -> int:
    """Run the flow and write what it makes."""
    signal.signal(signal.SIGTERM, _end)  # so that nothing half written is left behind
    flow = find_flow(chosen.flow)
    if chosen.output is not None:
        format_of(chosen.output)
    rows = _input(flow, chosen)
    settings = _settings(flow, chosen)
    watch = None
    if chosen.progress:
        from penstock.terminal.progress import LiveView  # noqa: PLC0415 - few runs are watched

        watch = LiveView(flow.name, rows.total)
    made = stream(flow, rows.batches, settings, chosen.trace, watch=watch)
    if chosen.output is None:
        _show(_limited(made, chosen.limit or SHOWN), flow.schema)
        return 0
    count = 0
    with written(chosen.output, flow.schema, force=chosen.force) as write:
        for batch in _limited(made, chosen.limit):
            write(batch)
            count += batch.num_rows
    sys.stderr.write(f"{many(count, 'row')} written to {chosen.output}\n")
    return 0


def _limited(batches: Iterator[pa.RecordBatch], limit: int | None) -> Iterator[pa.RecordBatch]:
    left = limit
    try:
        while left is None or left > 0:
            batch = next(batches, None)
            if batch is None:
                return
            if left is not None:
                batch = batch.slice(0, left)
                left -= batch.num_rows
            yield batch
    finally:
        batches.close()  # type: ignore[attr-defined]


def _input(flow: Flow, chosen: argparse.Namespace) -> Rows:
    if flow.several is None:
        if len(chosen.input) > 1:
            raise FlowError(f"flow '{flow.name}' has one input, but --input is given twice")
        return read(Path(chosen.input[0]), flow.input_schema)
    named: dict[str, Any] = {}
    schemas = dict(flow.several.ports)
    for one in chosen.input:
        name, equals, path = one.partition("=")
        if not equals or name not in schemas:
            wanted = ", ".join(f"--input {port}=FILE" for port in schemas)
            raise FlowError(f"flow '{flow.name}' has several inputs; give {wanted}")
        named[name] = read(Path(path), schemas[name]).batches
    # Rows of several inputs are brought into one order, which takes all of them into memory.
    table = one_input(flow, named, chosen.order_by or UNSAID, UNSAID)
    return Rows(iter(table.to_batches()), table.num_rows)


def _settings(flow: Flow, chosen: argparse.Namespace) -> dict[str, object]:
    settings: dict[str, object] = {}
    for one in chosen.settings:
        key, equals, value = one.partition("=")
        if not equals:
            raise FlowError(f"--set {one} must be KEY=VALUE, as in --set tuple.rows=1024")
        prefix = "" if key.startswith("spark.") else "spark.penstock."
        settings[prefix + key.strip()] = value.strip()
    if chosen.threading is not None:
        settings[f"spark.penstock.flow.{flow.name}.threading"] = chosen.threading
    return settings


def _show(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> None:
    table = Table()
    for name in schema.names:
        table.add_column(Text(visible(name)))
    for batch in batches:
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            table.add_row(*(Text(_value(value)) for value in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=ANY_WIDTH)
    console.print(table)


def _value(value: object) -> str:
    return shortened(visible("null" if value is None else str(value)), LONGEST_VALUE)


def _count(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows from 1")
    return number


def _end(*_: object) -> None:
    raise SystemExit(128 + signal.SIGTERM)
