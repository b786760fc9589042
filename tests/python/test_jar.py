from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

from penstock.jar import PLUGIN_CLASS, VERSION_RESOURCE, jar_path, jar_version


def test_the_jar_of_the_package_holds_the_plugin_of_the_same_version() -> None:
    with ZipFile(jar_path()) as jar:
        names = jar.namelist()
    assert PLUGIN_CLASS.replace(".", "/") + ".class" in names
    assert "penstock-defaults.conf" in names
    assert jar_version(jar_path()) == version("penstock")


def test_a_jar_that_does_not_say_its_version_has_none(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "old.jar", "w") as jar:
        jar.writestr("other", "")
    (tmp_path / "torn.jar").write_bytes(b"PK")
    assert jar_version(tmp_path / "old.jar") is None
    assert jar_version(tmp_path / "torn.jar") is None


def test_the_version_is_read_from_a_properties_file(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "new.jar", "w") as jar:
        jar.writestr(VERSION_RESOURCE, "# a=b\nother=1\nversion=9.9.9\n")
    assert jar_version(tmp_path / "new.jar") == "9.9.9"
