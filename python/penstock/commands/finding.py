"""Finding the flow that a command line names: `module:flow` or `path/to/file.py:flow`."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from penstock.errors import FlowError, did_you_mean
from penstock.flow import Flow
from penstock.loops.outputs import Outputs

HINT = "write MODULE:FLOW or path/to/file.py:FLOW"


def find_flow(where: str) -> Flow:
    """Import what is named and take the flow out of it."""
    place, colon, name = where.rpartition(":")
    if not (place and colon and name):
        raise FlowError(f"'{where}' does not name a flow; {HINT}")
    module = _file(Path(place)) if place.endswith(".py") else _module(place)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise FlowError(f"'{place}' has no '{name}'; {_flows_in(module, name)}")
        found = getattr(found, part)
    if isinstance(found, Outputs):
        return found.flow
    if not isinstance(found, Flow):
        raise FlowError(
            f"'{where}' is a {type(found).__name__}, not a flow; {_flows_in(module, name)}"
        )
    return found


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FlowError(f"there is no file '{path}'; {HINT}")
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise FlowError(f"'{path}' cannot be imported")
    # What lies beside the file is found as when it is run.
    sys.path.insert(0, str(path.resolve().parent))
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise FlowError(_failed(str(path), error)) from error
    return module


def _module(name: str) -> ModuleType:
    sys.path.insert(0, str(Path.cwd()))
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise FlowError(f"there is no module '{name}' here or on PYTHONPATH; {HINT}") from None
        raise FlowError(_failed(name, error)) from error
    except Exception as error:
        raise FlowError(_failed(name, error)) from error


def _failed(name: str, error: Exception) -> str:
    """Say where the user's own module failed: that line is what they look for."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({last[0].filename}, line {last[0].lineno})" if last else ""
    return f"'{name}' could not be imported: {type(error).__name__}: {error}{where}"


def _flows_in(module: ModuleType, wanted: str) -> str:
    flows = [name for name, one in vars(module).items() if isinstance(one, (Flow, Outputs))]
    return did_you_mean(wanted, flows) if flows else "there is no flow in it at all"
