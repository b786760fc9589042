"""The package on its way to executors whose Python does not have it."""

from __future__ import annotations

import json
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import penstock
from integration.environments import clean_environment, complete, without
from integration.sessions import base_settings
from integration.standalone import HOME, StandaloneCluster
from integration.test_connect import connect_server
from penstock.archive import Archive, submit_options, write_archive

JOB = Path(__file__).parent / "shipping_job.py"
ODD = list(range(1, 1_000, 2))
PACKAGE = Path(penstock.__file__).parent


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A driver that has the package, and workers of the same Python that have not."""
    folder = tmp_path_factory.mktemp("environments")
    return clean_environment(
        PYSPARK_DRIVER_PYTHON=str(complete(folder / "driver")),
        PYSPARK_PYTHON=str(without("penstock", at=folder / "executor")),
    )


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    return write_archive("penstock", tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def standalone(folder: Path, environment: dict[str, str]) -> Iterator[str]:
    (folder / "shipping").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        # Executors inherit what their worker was started with.
        patch.delenv("PYTHONPATH", raising=False)
        patch.setenv("PYSPARK_PYTHON", environment["PYSPARK_PYTHON"])
        cluster = StandaloneCluster.start(folder / "shipping")
    yield cluster.url
    cluster.stop()


def submit(
    folder: Path, environment: dict[str, str], master: str, *options: str
) -> subprocess.CompletedProcess[str]:
    command = [str(HOME / "bin/spark-submit"), "--master", master]
    for key, value in base_settings(folder).items():
        command += ["--conf", f"{key}={value}"]
    return subprocess.run(
        [*command, *options, str(JOB)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


def assert_made_with_the_archive(ran: subprocess.CompletedProcess[str]) -> None:
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout.splitlines()[-1])
    assert found["ids"] == ODD
    assert found["files"]
    for file in map(Path, found["files"]):
        assert file.parts[-2:] == ("penstock", "__init__.py")
        assert PACKAGE not in file.parents


def test_an_archive_reaches_the_executors_of_a_local_cluster(
    folder: Path, environment: dict[str, str], archive: Archive
) -> None:
    options = submit_options([archive]).split()
    ran = submit(folder, environment, "local-cluster[2,1,1024]", *options)
    assert_made_with_the_archive(ran)


def test_an_archive_reaches_the_executors_of_a_standalone_cluster(
    folder: Path, environment: dict[str, str], archive: Archive, standalone: str
) -> None:
    ran = submit(folder, environment, standalone, "--conf", f"spark.archives={archive.option}")
    assert_made_with_the_archive(ran)


def test_workers_without_the_package_say_what_to_do(
    folder: Path, environment: dict[str, str]
) -> None:
    ran = submit(folder, environment, "local[1]")
    assert ran.returncode != 0
    assert "flow 'odd' needs the Python package penstock" in ran.stderr
    assert f"Here, with {environment['PYSPARK_PYTHON']}" in ran.stderr
    assert "penstock archive" in ran.stderr


def test_a_zip_of_python_files_is_refused_with_the_way_that_works(
    folder: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    zipped = tmp_path / "penstock.zip"
    with zipfile.ZipFile(zipped, "w") as file:
        for path in PACKAGE.rglob("*"):
            file.write(path, Path("penstock") / path.relative_to(PACKAGE))
    ran = submit(folder, environment, "local[1]", "--py-files", str(zipped))
    assert ran.returncode != 0
    assert "Python cannot load its engine, a shared library, from a zip" in ran.stderr
    assert "instead of --py-files" in ran.stderr


def test_workers_with_another_version_are_refused(
    folder: Path, environment: dict[str, str], archive: Archive, tmp_path: Path
) -> None:
    zipfile.ZipFile(archive.path).extractall(tmp_path / "older")
    (info,) = (tmp_path / "older").glob("*.dist-info")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: penstock\nVersion: 0.0.9\n")
    older = tmp_path / "older.zip"
    with zipfile.ZipFile(older, "w") as file:
        for path in (tmp_path / "older").rglob("*"):
            file.write(path, path.relative_to(tmp_path / "older"))
    ran = submit(folder, environment, "local[1]", "--archives", f"{older}#penstock")
    assert ran.returncode != 0
    assert "this Spark worker has penstock 0.0.9" in ran.stderr
    assert "the driver has" in ran.stderr


@pytest.fixture(scope="module")
def remote(folder: Path, environment: dict[str, str]) -> Iterator[str]:
    with connect_server(folder, environment) as url:
        yield url


@pytest.mark.parametrize("sent", [True, False], ids=["sent", "not sent"])
def test_an_archive_reaches_the_workers_of_a_connect_server(
    environment: dict[str, str], archive: Archive, remote: str, sent: bool
) -> None:
    ran = subprocess.run(
        [environment["PYSPARK_DRIVER_PYTHON"], JOB, remote, *([archive.option] if sent else [])],
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    if sent:
        assert_made_with_the_archive(ran)
    else:
        assert ran.returncode != 0
        assert "flow 'odd' needs the Python package penstock" in ran.stderr
