"""What a flow weighs on its way to Spark's tasks: a function takes along whatever it uses.

>>> from penstock.dataframe import pickle_by_value
>>> from penstock.flow import flow
>>> table = list(range(1000))
>>> heavy = flow("f", "n long").apply(lambda row: [row] * table[row.n], name="look_up")
>>> check_weight("f", heavy.operators, most_bytes=1000, pickled=pickle_by_value)  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
penstock.errors.FlowError: flow 'f': operator 'look_up' takes ... bytes to each task, pickled, ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from penstock.errors import FlowError
from penstock.operators import Operator
from penstock.parallel import flattened

Pickled: TypeAlias = Callable[[Any], bytes]


def check_weight(
    flow: str, operators: Sequence[Operator], *, most_bytes: int, pickled: Pickled
) -> None:
    """Refuse operators that cannot be sent to tasks, or weigh more than they may.

    Args:
        flow: Name of the flow.
        operators: All of them.
        most_bytes: What they may weigh together; 0 for anything.
        pickled: Makes what is sent.
    """
    try:
        weight = len(pickled(tuple(operators)))
    except Exception as error:
        raise _cannot_be_sent(flow, operators, pickled, error) from error
    if 0 < most_bytes < weight:
        leaves = [one for one in flattened(operators) if not hasattr(one, "operators")]
        heaviest = max(leaves, key=lambda one: len(pickled(one)))
        raise FlowError(
            f"flow '{flow}': operator '{heaviest.name}' takes {len(pickled(heaviest)):,} bytes to "
            f"each task, pickled, and all operators {weight:,}, which is more than "
            f"spark.penstock.task.maxBytes={most_bytes:,}: a function takes along the objects it "
            "uses; broadcast a large one, read it where it is needed, or raise the setting"
        )


def _cannot_be_sent(
    flow: str, operators: Sequence[Operator], pickled: Pickled, error: Exception
) -> FlowError:
    name = "it"
    for one in flattened(operators):
        try:
            pickled(one)
        except Exception as why:  # noqa: BLE001 - whatever it is, it is told
            name, error = f"operator '{one.name}'", why
    return FlowError(
        f"flow '{flow}': {name} cannot be sent to Spark's tasks ({type(error).__name__}: {error}); "
        "make what cannot be pickled where it is used, inside the function"
    )
