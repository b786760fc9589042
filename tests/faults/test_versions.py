"""A flow that comes from another version of the package: both are named, before anything else."""

from __future__ import annotations

import dataclasses
import pickle
from importlib.metadata import version
from typing import Any

import pytest

from penstock import FlowError, flow
from penstock.origin import UNKNOWN, Origin, made_here
from penstock.spec import FlowSpec

SPEC = FlowSpec.of(flow("f", "n long").select("n"))


class Bomb:
    """Stands for what another version has and this one has not."""

    def __reduce__(self) -> Any:
        return _explode, ()


def _explode() -> None:
    raise LookupError("unpickled")


def test_another_version_is_refused_with_both_named() -> None:
    sent = pickle.dumps(dataclasses.replace(SPEC, origin=Origin("9.9.9")))
    words = (
        f"made by penstock 9.9.9, and process [0-9]+ has penstock {version('penstock')}; install"
    )
    with pytest.raises(FlowError, match=words):
        pickle.loads(sent)


def test_the_version_is_found_out_before_the_operators_are_unpickled() -> None:
    bombs: Any = (Bomb(),)
    with pytest.raises(LookupError, match="unpickled"):
        pickle.loads(pickle.dumps(dataclasses.replace(SPEC, operators=bombs)))
    sent = pickle.dumps(dataclasses.replace(SPEC, operators=bombs, origin=Origin("9.9.9")))
    with pytest.raises(FlowError, match=r"penstock 9\.9\.9"):
        pickle.loads(sent)


def test_a_package_without_metadata_refuses_nobody() -> None:
    assert pickle.loads(pickle.dumps(Origin(UNKNOWN))) == Origin(UNKNOWN)


def test_the_same_version_arrives() -> None:
    assert pickle.loads(pickle.dumps(SPEC)).origin == made_here()
