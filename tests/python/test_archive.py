from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import penstock
from penstock.archive import write_archive
from penstock.cli import main
from penstock.errors import PenstockError

PACKAGE = Path(penstock.__file__).parent


def unpacked_as_spark_does(archive: Path, folder: Path, name: str = "penstock") -> Path:
    """Unpack into a folder that has the name of the package, and return what is put on the path."""
    zipfile.ZipFile(archive).extractall(folder / name)
    return folder


def said_by(program: str, path: Path) -> str:
    """What an interpreter prints whose path begins with `path`; the rest is ours without penstock."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(path)!r}); {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_an_unpacked_archive_is_the_package(tmp_path: Path) -> None:
    archive = write_archive("penstock", tmp_path)
    path = unpacked_as_spark_does(archive.path, tmp_path / "unpacked")
    program = (
        "import penstock.worker, penstock.package_version as p; print(penstock.__file__, "
        "penstock.worker.build_info()['version'], p.package_version())"
    )
    assert said_by(program, path).split() == [
        str(path / "penstock/__init__.py"),
        version("penstock"),
        version("penstock"),
    ]


def test_an_archive_tells_its_own_version_whatever_is_installed(tmp_path: Path) -> None:
    path = unpacked_as_spark_does(write_archive("penstock", tmp_path).path, tmp_path / "unpacked")
    (info,) = (path / "penstock").glob("*.dist-info")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: penstock\nVersion: 9.8.7\n")
    program = "import penstock.package_version as p; print(p.package_version())"
    assert said_by(program, path) == "9.8.7"


@pytest.fixture
def small_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An installed package of one module and its cache."""
    site = tmp_path / "site"
    (site / "small_package/__pycache__").mkdir(parents=True)
    (site / "small_package/__init__.py").touch()
    (site / "small_package/__pycache__/__init__.cpython-311.pyc").touch()
    (site / "small_package-1.0.dist-info").mkdir()
    metadata = "Metadata-Version: 2.1\nName: small_package\nVersion: 1.0\n"
    (site / "small_package-1.0.dist-info/METADATA").write_text(metadata)
    monkeypatch.syspath_prepend(str(site))
    return "small_package"


def test_caches_stay_behind(small_package: str, tmp_path: Path) -> None:
    names = zipfile.ZipFile(write_archive(small_package, tmp_path).path).namelist()
    assert names == ["__init__.py", "small_package-1.0.dist-info/METADATA"]


def test_nothing_is_left_of_an_archive_that_cannot_be_put_in_place(
    small_package: str, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    (folder / "small_package-1.0-any.zip").mkdir(parents=True)
    with pytest.raises(PenstockError, match="cannot be written: Is a directory"):
        write_archive(small_package, folder)
    assert [path.name for path in folder.iterdir()] == ["small_package-1.0-any.zip"]


def test_the_same_package_gives_the_same_bytes(tmp_path: Path) -> None:
    first = write_archive("penstock", tmp_path).path.read_bytes()
    archive = write_archive("penstock", tmp_path)
    assert archive.path.read_bytes() == first
    names = zipfile.ZipFile(archive.path).namelist()
    assert {"__init__.py", "penstock-defaults.conf", "jars/penstock-spark.jar"} <= set(names)
    assert [path.name for path in tmp_path.iterdir()] == [archive.path.name]


def test_the_name_says_version_python_and_machine(tmp_path: Path) -> None:
    name = write_archive("penstock", tmp_path).path.name
    python = f"{sys.version_info.major}{sys.version_info.minor}"
    assert name.startswith(f"penstock-{version('penstock')}-cpython-{python}")
    assert write_archive("pytest", tmp_path).path.name == f"pytest-{version('pytest')}-any.zip"


@pytest.mark.parametrize(
    ("package", "folder", "problem"),
    [
        ("no_such_package", ".", "there is no package 'no_such_package' here"),
        ("no-such package", ".", "there is no package 'no-such package' here"),
        ("json", ".", "the package 'json' is not installed"),
        ("penstock", "nowhere", "cannot be written: No such file or directory; name an existing"),
        ("penstock", "a folder", "its path has a blank, a comma or a #"),
    ],
)
def test_what_cannot_be_archived_is_said(
    tmp_path: Path, package: str, folder: str, problem: str
) -> None:
    with pytest.raises(PenstockError, match=problem):
        write_archive(package, tmp_path / folder)
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_what_spark_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["archive", "--to", str(tmp_path)]) == 0
    (archive,) = tmp_path.iterdir()
    option = f"{archive}#penstock"
    said = capsys.readouterr().out.splitlines()
    assert said[0] == str(archive)
    assert said[2].endswith(f"--archives {option}")
    assert said[3].endswith(f"spark.archives  {option}")
    assert said[4].endswith(f'spark.addArtifacts("{option}", archive=True)')
    assert main(["archive", "--to", str(tmp_path), "--submit"]) == 0
    # A shell takes the output of a command for words as they are, quotes included.
    assert capsys.readouterr().out == f"--archives {option}\n"


def test_several_packages_are_one_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["archive", "penstock", "pytest", "--to", str(tmp_path), "--submit"]) == 0
    option = capsys.readouterr().out.split()[1]
    assert [word.partition("#")[2] for word in option.split(",")] == ["penstock", "pytest"]
    assert all(Path(word.partition("#")[0]).is_file() for word in option.split(","))


def test_a_package_in_a_zip_must_be_installed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as file:
        file.writestr("zipped_package/__init__.py", "")
    monkeypatch.syspath_prepend(str(tmp_path / "some.zip"))
    with pytest.raises(PenstockError, match=r"'zipped_package' is inside the file .*some\.zip"):
        write_archive("zipped_package", tmp_path)
