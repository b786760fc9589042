"""Flows for the command line."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

import penstock
from penstock import flow

START = flow("logins", "host string, tries long")
big = START.filter(pc.field("tries") > 3, name="big")
no_flow = 7


def _fail(batch: pa.RecordBatch) -> pa.RecordBatch:
    if 9 in batch["tries"].to_pylist():
        raise ValueError("nine")
    return batch


fails = START.map(_fail, name="picky")
parted = penstock.outputs(big=big, all=START.select("host", "tries"))
_left, _right = penstock.inputs("two", left="n long", right="n long")
both = _left.union(_right)
