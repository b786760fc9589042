"""What to say where memory ran out: which limit holds, and what can be done.

>>> where_memory_ran_out("f", limit=512 << 20)  # doctest: +ELLIPSIS
'memory ran out; this Python worker may use 512 MiB of address space...'
"""

from __future__ import annotations

import resource

from penstock import _native

MIB = 1 << 20


def memory_limit() -> int | None:
    """How much address space this process may use, in bytes; None for any amount.

    That is what `spark.executor.pyspark.memory` sets, shared out over the cores of an executor.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def save_memory() -> None:
    """Do with less address space where that is limited. To be called before a flow has threads."""
    if memory_limit() is not None:
        _native.share_arenas()


def where_memory_ran_out(flow: str, limit: int | None) -> str:
    """Name the limit, the setting behind it, and the settings by which a flow needs less."""
    less = (
        f"let the flow need less by spark.penstock.flow.{flow}.threads, spark.penstock.tuple.rows "
        "or spark.sql.execution.arrow.maxRecordsPerBatch, or by remembering less"
    )
    if limit is None:
        return f"memory ran out, and no limit is set: the machine has no more; {less}"
    return (
        f"memory ran out; this Python worker may use {limit // MIB:,} MiB of address space, which "
        "spark.executor.pyspark.memory sets for all workers of an executor together: raise it, or "
        + less
    )
