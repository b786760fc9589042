"""Settings: typed, checked, and declared in one file only.

`penstock-defaults.conf` is a Spark properties file whose comments declare type and range:

    # Rows of one tuple at most.
    # @ int 0..1048576
    spark.penstock.tuple.rows    0

>>> Settings.of({"spark.penstock.tuple.rows": "64"}).rows_per_tuple
64
>>> Settings.of({"spark.penstock.tuple.row": "64"})  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
penstock.errors.SettingError: spark.penstock.tuple.row is not a setting; did you mean \
'spark.penstock.tuple.rows'? ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from penstock.declarations import Declaration, parse_declarations
from penstock.errors import SettingError, did_you_mean
from penstock.library.policy_library import PolicyLibrary
from penstock.threading_model import FIXED, Threading

PREFIX = "spark.penstock."
DEFAULTS_FILE = "penstock-defaults.conf"


@cache
def declarations() -> Mapping[str, Declaration]:
    """Every setting there is, by key, as the installed defaults file declares it."""
    return parse_declarations(defaults_text())


def defaults_text() -> str:
    """The installed defaults file, whole."""
    try:
        return (files("penstock") / DEFAULTS_FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingError(
            f"{DEFAULTS_FILE} is missing from the installed package; install penstock again, "
            "in a source tree with `pip install -e .`"
        ) from None


@dataclass(frozen=True)
class Settings:
    """The settings of one run: what was set, over the defaults; every value is checked."""

    _set: tuple[tuple[str, str], ...] = field(default=())

    @classmethod
    def of(cls, values: Mapping[str, object] | None = None) -> Settings:
        """Check `values` and keep them; keys of other programs are not Penstock's business.

        Raises:
            SettingError: Naming every key that is unknown or holds an impossible value.
        """
        chosen = {
            str(key): _as_text(value)
            for key, value in (values or {}).items()
            if str(key).startswith(PREFIX)
        }
        foreign = [str(key) for key in values or {} if not str(key).startswith("spark.")]
        problems = [
            f"{key} is not a setting; the names of settings start with '{PREFIX}'"
            for key in foreign
        ]
        for key, text in chosen.items():
            try:
                _declaration_of(key).parse(key, text)
            except SettingError as error:
                problems.append(str(error))
        if problems:
            raise SettingError("\n".join(problems))
        return cls(tuple(sorted(chosen.items())))

    @property
    def rows_per_tuple(self) -> int:
        """Rows of one tuple at most; 0 means that a tuple is a whole batch."""
        return self._integer("spark.penstock.tuple.rows")

    @property
    def full_batch_check(self) -> bool:
        """Whether every buffer of a batch made by a Python function is validated."""
        return self._value("spark.penstock.check.batches") == "full"

    @property
    def locate_row(self) -> bool:
        """Whether a failed operator is run again to find the exact input row."""
        return bool(self._value("spark.penstock.error.locateRow"))

    @property
    def metrics(self) -> bool:
        """Whether a run counts tuples, rows and time."""
        return bool(self._value("spark.penstock.metrics.enabled"))

    @property
    def observes(self) -> bool:
        """Whether a hidden column brings metrics to the driver."""
        return bool(self._value("spark.penstock.metrics.observe"))

    @property
    def queue_capacity(self) -> int:
        """Tuples that wait before one operator at most."""
        return self._integer("spark.penstock.queue.capacity")

    @property
    def parts_per_operator(self) -> int:
        """Parts into which the keys of an operator are divided."""
        return self._integer("spark.penstock.keyed.parts")

    @property
    def most_state_bytes(self) -> int:
        """What a keyed operator may remember, in bytes; 0 for as much as it likes."""
        return self._integer("spark.penstock.state.maxBytes")

    @property
    def migrates_by_files(self) -> bool:
        """Whether state that changes channels is written to files in between."""
        return self._value("spark.penstock.migration.store") == "files"

    @property
    def gil_fails(self) -> bool:
        """Whether an operator that holds the GIL is an error."""
        return bool(self._value("spark.penstock.gil.fail"))

    @property
    def most_task_bytes(self) -> int:
        """How large a flow may be on its way to Spark's tasks, in bytes; 0 for any size."""
        return self._integer("spark.penstock.task.maxBytes")

    @property
    def loop_capacity(self) -> int:
        """Rows that may wait in a port of a loop, unless the loop says otherwise."""
        return self._integer("spark.penstock.loop.capacity")

    @property
    def loop_quantum_ms(self) -> int:
        """After how long a loop pauses at a yield, in milliseconds."""
        return self._integer("spark.penstock.loop.quantum")

    @property
    def elastic_period_ms(self) -> int:
        """How long the control loop measures before it decides, in milliseconds."""
        return self._integer("spark.penstock.elastic.period")

    @property
    def elastic_controller(self) -> str:
        """What the control loop goes by: `throughput` or `utilization`."""
        return str(self._value("spark.penstock.elastic.controller"))

    @property
    def executor_cores(self) -> int:
        """Cores that the flows of one executor share; 0 to find out."""
        return self._integer("spark.penstock.executor.cores")

    @property
    def shares_cores(self) -> bool:
        """Whether a flow in a Spark task keeps to what others of its executor leave it."""
        return bool(self._value("spark.penstock.executor.share"))

    @property
    def cancel_patience_ms(self) -> int:
        """How long the end of a flow waits for operators that are running, in milliseconds."""
        return self._integer("spark.penstock.cancel.patience")

    def threading(self, flow: str, asked: Threading) -> Threading:
        """Who runs a flow: what is set for it, else for all flows, else what it asks for itself."""
        model = str(self._for_flow("spark.penstock.flow.*.threading", flow))
        threads = int(self._for_flow("spark.penstock.flow.*.threads", flow))
        word = str(self._for_flow("spark.penstock.flow.*.elastic", flow))
        elastic = None if word == "flow" else word == "true"
        policy = self._policy(flow)
        if model == "flow":
            model = asked.model
            policy = policy or asked.policy
            threads = threads or asked.threads
            elastic = asked.elastic if elastic is None else elastic
        if model == "dynamic":
            return Threading.of(model, threads or None, elastic, policy or None)
        if policy:
            raise SettingError(
                f"spark.penstock.flow.{flow}.policy={policy} is for the model dynamic, and flow "
                f"'{flow}' runs in {model}; set spark.penstock.flow.{flow}.threading=dynamic, or "
                f"spark.penstock.flow.{flow}.policy=flow"
            )
        if model in FIXED:
            self._refuse_choices(flow, model)
            return Threading.of(model)
        return Threading.of(model, threads or None, elastic)

    def _refuse_choices(self, flow: str, model: str) -> None:
        # What is set for all flows is meant for those that can follow it; what is set for this one
        # would do nothing without a word.
        given = dict(self._set)
        prefix = f"spark.penstock.flow.{flow}."
        threads, elastic = f"{prefix}threads", f"{prefix}elastic"
        idle = []
        if threads in given and self._integer(threads) > (1 if model == "manual" else 0):
            idle.append((threads, "0"))
        if given.get(elastic, "").strip() == "true":
            idle.append((elastic, "flow"))
        if idle:
            what = " and ".join(f"{key}={given[key]}" for key, _ in idle)
            instead = " and ".join(f"{key}={word}" for key, word in idle)
            raise SettingError(
                f"{what} would do nothing: flow '{flow}' runs in {model}, which {FIXED[model]}; set "
                f"{prefix}threading=dynamic, conveyor or automatic, or {instead}"
            )

    def _policy(self, flow: str) -> str | PolicyLibrary:
        word = str(self._for_flow("spark.penstock.flow.*.policy", flow))
        return "" if word == "flow" else word

    def as_dict(self) -> dict[str, str]:
        """What was set, as text, without the defaults."""
        return dict(self._set)

    def _integer(self, key: str) -> int:
        return int(self._value(key))

    def _for_flow(self, starred: str, flow: str) -> int | bool | str:
        key = starred.replace("*", flow)
        return self._value(key if key in dict(self._set) else starred)

    def _value(self, key: str) -> int | bool | str:
        declaration = _declaration_of(key)
        return declaration.parse(key, dict(self._set).get(key, declaration.default))


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _declaration_of(key: str) -> Declaration:
    known = declarations()
    if key in known:
        return known[key]
    for declaration in known.values():
        if declaration.matches(key):
            return declaration
    raise SettingError(f"{key} is not a setting; {did_you_mean(key, known)}")
