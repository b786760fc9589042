"""What a Spark task does first: see that this worker has the engine, and the driver's version.

`dataframe.task_of` sends the flow as bytes, and this is the first module of the package that a
worker imports. So whatever is missing here is said in words, before anything is unpickled.
"""

from __future__ import annotations

import pickle
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from penstock.errors import PenstockError
from penstock.package_version import package_version

HOW_TO_SEND = (
    "on the driver's machine `penstock archive` writes one, for spark-submit --archives or, with "
    "Spark Connect, for spark.addArtifacts(..., archive=True)"
)


def start(
    pickled: bytes, version: str, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Run the flow that a driver of this `version` sent, with how to tell it what was done.

    Its bytes came inside the function that Spark itself unpickled, and are trusted as that (G9).
    """
    load_engine()
    refuse_other_version(version, package_version())
    from penstock.partition import run_partition  # noqa: PLC0415 - it is known to load now

    spec, telling = pickle.loads(pickled)
    return run_partition(spec, batches, telling)


def refuse_other_version(driver: str, worker: str) -> None:
    """Another version may know the same flow by other classes, or run it otherwise."""
    if driver != worker:
        raise PenstockError(
            f"this Spark worker has penstock {worker} ({_folder()}), the driver has {driver}; "
            f"install the same version on both (pip install penstock=={driver} with "
            f"{sys.executable}), or send the driver's: {HOW_TO_SEND}"
        )


def load_engine() -> None:
    """Import the engine, or say why this worker cannot."""
    try:
        import penstock.worker  # noqa: F401, PLC0415 - the door to the engine, which may be missing
    except ImportError as error:
        raise PenstockError(why_no_engine(_folder(), error)) from error


def why_no_engine(folder: Path, error: ImportError) -> str:
    """Tell a package inside a zip, one for another Python or machine, and anything else apart."""
    zipped = next((parent for parent in [folder, *folder.parents] if parent.is_file()), None)
    if zipped is not None:
        return (
            f"penstock was imported from inside {zipped}, and Python cannot load its engine, a "
            "shared library, from a zip or wheel; send an archive that Spark unpacks instead of "
            f"--py-files: {HOW_TO_SEND}"
        )
    wanted = f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    if (folder / wanted).exists():
        return f"penstock's engine {folder / wanted} does not load: {error}"
    there = sorted(path.name for path in folder.glob("_native.*.so"))
    return (
        f"{folder} has no {wanted}, the engine for {sys.executable} on this machine, but "
        f"{' and '.join(there) or 'none at all'} ({error}); install penstock with this very Python, "
        f"or send an archive that was made with one of its version and machine: {HOW_TO_SEND}"
    )


def _folder() -> Path:
    return Path(__file__).parent
