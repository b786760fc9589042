"""`penstock explain module:flow`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from penstock.commands.finding import find_flow
from penstock.errors import FlowError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.description = (
        "Say what each operator of a flow does, what passes, and who holds the GIL."
    )
    parser.epilog = "Example: penstock explain examples/break_ins.py:flow --svg flow.svg"
    parser.add_argument("flow", metavar="MODULE:FLOW", help="or path/to/file.py:FLOW")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="also draw it into a file")


def run(chosen: argparse.Namespace) -> int:
    """Print the explanation."""
    flow = find_flow(chosen.flow)
    text = flow.explanation()
    if chosen.svg is not None:
        try:
            chosen.svg.write_text(flow.to_svg() + "\n", encoding="utf-8")
        except OSError as error:
            raise FlowError(f"'{chosen.svg}' cannot be written: {error.strerror}") from None
    sys.stdout.write(text + "\n")
    return 0
