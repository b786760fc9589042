"""`penstock bench`: run a suite, print its report.

With `--json` standard output carries one JSON document and nothing else; what happens
meanwhile is told on standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console

from penstock.bench.markdown import page
from penstock.bench.progress import told
from penstock.bench.report import Report
from penstock.bench.suites import SUITES, BenchError, Size, find
from penstock.bench.surroundings import commit, machine, versions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `penstock bench` takes."""
    parser.description = (
        "Measure on this machine, against other ways of doing the same. Contenders run in "
        "turn and medians are compared; a goal that is missed does not change the exit code."
    )
    parser.epilog = "Example: penstock bench transport --quick"
    parser.add_argument("suite", nargs="?", help="which suite to run; --list names them")
    parser.add_argument("--list", action="store_true", help="name the suites and what they show")
    parser.add_argument("--quick", action="store_true", help="end within 60 s; noisier")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help="write the report to a Markdown file as well; one of that name is replaced",
    )
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        metavar="FACTOR",
        help="multiply the amount of data, as in 0.01 to try a suite out (default: 1)",
    )
    parser.add_argument(
        "--peers",
        type=Path,
        metavar="PROGRAM",
        help="the program with other runtimes, for the suite scheduler "
        "(default: that of the checkout, if it was built)",
    )


def run(args: argparse.Namespace) -> int:
    """Do what the arguments ask; the result is the exit code."""
    if args.list:
        return _list(as_json=args.json)
    if args.suite is None:
        raise BenchError("name a suite; `penstock bench --list` shows them")
    if not args.scale > 0:
        raise BenchError(f"--scale must be more than 0, got {args.scale:g}")
    suite = find(args.suite)
    if args.markdown is not None and not args.markdown.absolute().parent.is_dir():
        raise BenchError(
            f"--markdown: there is no folder {args.markdown.parent} for {args.markdown.name}"
        )
    size = Size(args.quick, args.scale, args.peers)
    # The machine is looked at first: afterwards its load would be that of the benchmark.
    surroundings = machine()
    with told(suite.name, Console(stderr=True, highlight=False)) as tell:
        findings = suite.measure(size, tell)
    report = Report(suite.name, size.quick, surroundings, versions(), commit(), findings)
    if args.markdown is not None:
        _write(args.markdown, page(report))
    if args.json:
        sys.stdout.write(json.dumps(report.document(), indent=2) + "\n")
    else:
        report.show(Console())
    return 0


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"--markdown: cannot write {file}: {error.strerror}") from error


def _list(*, as_json: bool) -> int:
    if as_json:
        names = [{"name": suite.name, "shows": suite.shows} for suite in SUITES]
        sys.stdout.write(json.dumps({"suites": names}, indent=2) + "\n")
    else:
        width = max(len(suite.name) for suite in SUITES)
        sys.stdout.writelines(f"{suite.name:<{width}}  {suite.shows}\n" for suite in SUITES)
    return 0
