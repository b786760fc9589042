"""The `penstock` command."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from penstock.archive import how_to_use, submit_options, write_archive
from penstock.checkup import FAIL
from penstock.doctor import examine
from penstock.errors import PenstockError
from penstock.jar import PLUGIN_CLASS, jar_path
from penstock.settings import declarations

Arguments = argparse.Namespace
INTERRUPTED = 130  # as shells say it of a program that Ctrl-C ended

# Commands with a module of their own; loading it costs time that no other command should pay.
LOADED = {
    "explain": ("penstock.commands.explain", "say what each operator of a flow does"),
    "run": ("penstock.commands.run", "run a flow over files, without Spark"),
    "top": ("penstock.commands.top", "show the flows that Spark runs on this host"),
    "bench": ("penstock.bench.cli", "measure on this machine, against other ways"),
}


class Line(NamedTuple):
    """One line of spark-defaults.conf and the reason for it."""

    key: str
    value: str
    why: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        chosen = _parser(given).parse_args(given)
        run: Callable[[Arguments], int] = chosen.run
        return run(chosen)
    except PenstockError as error:
        sys.stderr.write(f"penstock: {error}\n")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def spark_lines() -> list[Line]:
    """The settings of Spark that make it load the plugin and feed flows well."""
    return [
        Line("spark.plugins", PLUGIN_CLASS, "Checks settings at start and publishes metrics."),
        Line("spark.jars", str(jar_path()), "The jar that holds the plugin."),
        Line(
            "spark.sql.execution.arrow.maxBytesPerBatch",
            "2147483647",
            "With any other value Spark 4 sizes every single row on its way to Python, which "
            "about\n# doubles that cost. It takes away the limit in bytes: rows of megabytes "
            "need a smaller\n# spark.sql.execution.arrow.maxRecordsPerBatch.",
        ),
    ]


def _conf(chosen: Arguments) -> int:
    if chosen.submit:
        words = [w for line in spark_lines() for w in ("--conf", f"{line.key}={line.value}")]
        sys.stdout.write(shlex.join(words) + "\n")
    else:
        sys.stdout.write("\n".join(_conf_lines()) + "\n")
    return 0


def _conf_lines() -> Iterator[str]:
    yield "# Lines for spark-defaults.conf, or for a file given to spark-submit --properties-file."
    for line in spark_lines():
        yield ""
        yield f"# {line.why}"
        yield f"{line.key}  {line.value}"
    yield ""
    yield "# Settings of Penstock, all at their defaults; take away the # to change one."
    for declaration in declarations().values():
        yield ""
        yield from (f"# {text}" for text in declaration.documentation)
        yield f"# {declaration.hint[0].upper()}{declaration.hint[1:]}."
        yield f"#{declaration.key}  {declaration.default}"


def _jar(_: Arguments) -> int:
    sys.stdout.write(f"{jar_path()}\n")
    return 0


def _archive(chosen: Arguments) -> int:
    names = chosen.packages or ["penstock"]
    archives = [write_archive(name, Path(chosen.to)) for name in names]
    sys.stdout.write((submit_options if chosen.submit else how_to_use)(archives) + "\n")
    return 0


def _doctor(chosen: Arguments) -> int:
    checks = examine()
    failed = any(check.status == FAIL for check in checks)
    if chosen.json:
        found = [
            {"name": c.name, "status": c.status, "detail": c.detail, "fix": c.fix} for c in checks
        ]
        report = {"version": version("penstock"), "ok": not failed, "checks": found}
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
    else:
        sys.stdout.write("\n".join(map(str, checks)) + "\n")
    return 1 if failed else 0


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="penstock",
        description="Elastic, ordered, native stream processing inside Spark executors.",
        epilog="Start with `penstock doctor`. `penstock COMMAND --help` says more of each.",
    )
    parser.add_argument("--version", action="version", version=f"penstock {version('penstock')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    conf = commands.add_parser(
        "conf",
        help="print the Spark settings that use the plugin",
        description="Print lines for spark-defaults.conf: the plugin, its jar, a setting of "
        "Spark's that is worth changing, and every setting of Penstock with its meaning.",
        epilog="Example: spark-submit $(penstock conf --submit) job.py",
    )
    conf.add_argument("--submit", action="store_true", help="print --conf arguments on one line")
    conf.set_defaults(run=_conf)

    jar = commands.add_parser(
        "jar",
        help="print where the plugin jar is",
        description="Print the path of the plugin jar, for spark.jars or a cluster's images.",
    )
    jar.set_defaults(run=_jar)

    archive = commands.add_parser(
        "archive",
        help="write an archive for executors that do not have the package",
        description="Write the installed package to a file that Spark sends to its executors and "
        "unpacks there, and print the options for it. The executors need pyarrow, as Spark does, "
        "and the version of Python and the kind of machine that this is.",
        epilog="Example: spark-submit $(penstock archive --submit) job.py. Flows with compiled "
        "functions also need llvmlite there: penstock archive penstock llvmlite",
    )
    archive.add_argument(
        "packages", nargs="*", metavar="PACKAGE", help="what to write, one file each; penstock"
    )
    archive.add_argument("--to", default=".", metavar="FOLDER", help="where to; this folder")
    archive.add_argument("--submit", action="store_true", help="print the options on one line")
    archive.set_defaults(run=_archive)

    doctor = commands.add_parser(
        "doctor",
        help="check this machine and say how to mend what is wrong",
        description="Check interpreter, pyarrow, native engine, pyspark, Java, plugin jar, pandas, "
        "spark-defaults.conf, the workers' Python, cores and limits. Exit code 1 if anything fails; warnings do not count.",
    )
    doctor.add_argument("--json", action="store_true", help="print one JSON document")
    doctor.set_defaults(run=_doctor)

    for name, (module, told) in LOADED.items():
        parser_of = commands.add_parser(name, help=told)
        if given[:1] == [name]:
            command = import_module(module)
            command.add_arguments(parser_of)
            parser_of.set_defaults(run=command.run)
    return parser
