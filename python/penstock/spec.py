"""What travels from the driver to a worker: the flow, checked, with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from penstock.errors import FlowError
from penstock.executor.cores import FACTS
from penstock.explain import holders
from penstock.flow import Flow
from penstock.operators import Operator
from penstock.settings import Settings
from penstock.threading_model import Threading


@dataclass(frozen=True)
class FlowSpec:
    """A flow that is ready to run; Spark pickles it into each task.

    `session` is what tasks have to know of the session that started them.

    >>> import pyarrow.compute as pc
    >>> from penstock.flow import flow
    >>> flow_f = flow("f", "a int").filter(pc.field("a") > 1)
    >>> FlowSpec.of(flow_f, {"spark.penstock.tuple.rows": 8}).settings.rows_per_tuple
    8
    """

    name: str
    input_schema: pa.Schema
    output_schema: pa.Schema
    operators: tuple[Operator, ...]
    settings: Settings
    threading: Threading
    session: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, flow: Flow, settings: Mapping[str, object] | None = None) -> FlowSpec:
        """Take over a flow that has something to do, with settings that are possible."""
        if not flow.operators:
            raise FlowError(f"flow '{flow.name}' has no operators; add one, such as filter or map")
        checked = Settings.of(settings)
        held = holders(flow.operators) if checked.gil_fails else ""
        if held:
            raise FlowError(
                f"flow '{flow.name}': {held}, and spark.penstock.gil.fail is true; use a function "
                "compiled by @penstock.compiled, a pyarrow.compute expression or a native operator "
                "instead, or set spark.penstock.gil.fail=false"
            )
        return cls(
            name=flow.name,
            input_schema=flow.input_schema,
            output_schema=flow.schema,
            operators=flow.operators,
            settings=checked,
            threading=checked.threading(flow.name, flow.threading_model),
            session=tuple(
                (key, str(settings[key])) for key in FACTS if settings and key in settings
            ),
        )

    def check(self) -> None:
        """Check what arrived in a worker as the driver did: between them it was only bytes (G10).

        Raises:
            SettingError: If a setting is unknown or holds an impossible value.
            FlowError: If operators do not fit each other, or nobody could run them.
        """
        Settings.of(self.settings.as_dict())
        try:
            asked = self.threading
            Threading.of(
                asked.model, asked.threads or None, asked.elastic or None, asked.policy or None
            )
            self._check_operators()
        except FlowError as error:
            raise FlowError(f"flow '{self.name}': {error}") from None

    def _check_operators(self) -> None:
        if not self.operators:
            raise FlowError("it has no operators")
        given = self.input_schema
        for operator in self.operators:
            if operator.input != given:
                raise FlowError(
                    f"operator '{operator.name}' takes {operator.input.names}, and is given "
                    f"{given.names}"
                )
            given = operator.output
        if given != self.output_schema:
            raise FlowError(f"it makes {given.names}, and not {self.output_schema.names}")
