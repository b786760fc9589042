"""An installed package as an archive that Spark sends to executors which do not have it.

Spark unpacks `--archives FILE#NAME` into a folder NAME on the path of its Python workers. The
archive holds what is inside the package's folder, so the folder becomes the package, and
`import NAME` finds it: no path to set, on classic Spark and on Connect alike. A zip or wheel given
by `--py-files` does not do, because Python loads no shared library from inside a zip.
"""

from __future__ import annotations

import re
import sysconfig
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from penstock.errors import PenstockError

# The same files give the same bytes, so that a cache of them stays good.
DATE = (1980, 1, 1, 0, 0, 0)
SHARED_LIBRARY = ".so"


@dataclass(frozen=True)
class Archive:
    """A package in a file."""

    package: str
    path: Path

    @property
    def option(self) -> str:
        """What `--archives`, `spark.archives` and `addArtifacts` take."""
        return f"{self.path}#{self.package}"


def write_archive(package: str, folder: Path) -> Archive:
    """Write the installed `package` to a file in `folder` that is named after its version.

    Raises:
        PenstockError: When there is no such package, or it cannot be written.
    """
    source, metadata = _folder_of(package), _distribution_of(package)
    name = f"{package}-{metadata.version}-{_built_for(source)}.zip"
    archive = Archive(package, folder.absolute() / name)
    if re.search(r"[\s,#]", str(archive.path)):
        raise PenstockError(
            f"Spark's options cannot name the archive {archive.path}: its path has a blank, a comma "
            "or a #; name another folder by --to"
        )
    partial = archive.path.with_suffix(".part")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(_files_of(source)):
                _add(file, str(path.relative_to(source)), path.read_bytes())
            info = f"{package}-{metadata.version}.dist-info/METADATA"
            _add(file, info, (metadata.read_text("METADATA") or "").encode())
        partial.replace(archive.path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise PenstockError(
            f"the archive {archive.path} cannot be written: {error.strerror or error}; name an "
            "existing folder that you may write to by --to"
        ) from error
    return archive


def submit_options(archives: list[Archive]) -> str:
    """What spark-submit is to be given, on one line."""
    return f"--archives {','.join(archive.option for archive in archives)}"


def how_to_use(archives: list[Archive]) -> str:
    """Say how executors get the archives, in each of Spark's ways."""
    options = ",".join(archive.option for archive in archives)
    artifacts = ", ".join(f'"{archive.option}"' for archive in archives)
    return "\n".join(
        [
            *(str(archive.path) for archive in archives),
            "",
            f"spark-submit, pyspark   {submit_options(archives)}",
            f"spark-defaults.conf     spark.archives  {options}",
            f"Spark Connect           spark.addArtifacts({artifacts}, archive=True)",
        ]
    )


def _folder_of(package: str) -> Path:
    found = find_spec(package) if package.isidentifier() else None
    folders = list(found.submodule_search_locations or []) if found else []
    if not folders:
        raise PenstockError(
            f"there is no package '{package}' here, a folder of modules that Python can import; "
            "install it with this interpreter, or name another"
        )
    if not Path(folders[0]).is_dir():
        raise PenstockError(
            f"the package '{package}' is inside the file {folders[0]}; install it with pip first"
        )
    return Path(folders[0])


def _distribution_of(package: str) -> Distribution:
    try:
        return distribution(package)
    except PackageNotFoundError:
        raise PenstockError(
            f"the package '{package}' is not installed, so its version is not known; install it "
            "with pip first"
        ) from None


def _built_for(folder: Path) -> str:
    """Name the Python and the machine that shared libraries of a package are for."""
    native = any(path.suffix == SHARED_LIBRARY for path in folder.rglob("*"))
    return str(sysconfig.get_config_var("SOABI")) if native else "any"


def _files_of(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.relative_to(folder).parts:
            yield path


def _add(file: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    file.writestr(entry, content)
