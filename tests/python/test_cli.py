from __future__ import annotations

import json
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from penstock.cli import main
from penstock.jar import PLUGIN_CLASS, jar_path
from penstock.settings import Settings, declarations

BYTES_PER_BATCH = "spark.sql.execution.arrow.maxBytesPerBatch"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def properties(text: str) -> dict[str, str]:
    pairs = (line.split() for line in text.splitlines() if line and line[0] != "#")
    return {words[0]: words[1] for words in pairs}


def test_conf_prints_a_properties_file_that_loads_the_plugin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert properties(told(capsys, "conf")) == {
        "spark.plugins": PLUGIN_CLASS,
        "spark.jars": str(jar_path()),
        BYTES_PER_BATCH: "2147483647",
    }


def test_conf_documents_every_setting_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "conf")
    uncommented = [line[1:] for line in text.splitlines() if line.startswith("#spark.")]
    shown = properties("\n".join(uncommented))
    assert shown == {key: setting.default for key, setting in declarations().items()}
    assert Settings.of(shown).as_dict() == shown
    for setting in declarations().values():
        assert setting.documentation
        assert "\n".join(f"# {line}" for line in setting.documentation) in text


def test_conf_for_submit_is_one_line_of_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(told(capsys, "conf", "--submit"))
    assert words[::2] == ["--conf"] * 3
    assert f"spark.plugins={PLUGIN_CLASS}" in words


def test_jar_prints_where_the_jar_is(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(told(capsys, "jar").strip())
    assert path.is_file()
    assert path.suffix == ".jar"


def test_a_package_without_its_jar_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.jar.JAR", "jars/absent.jar")
    for command in ("jar", "conf"):
        assert main([command]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert "absent.jar does not exist" in said.err
        assert "install a JDK" in said.err


def test_doctor_says_the_same_to_people_and_to_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["doctor"])
    lines = [line for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert main(["doctor", "--json"]) == code
    report = json.loads(capsys.readouterr().out)
    assert report["version"] == version("penstock")
    assert report["ok"] is (code == 0)
    assert [line.split()[0] for line in lines] == [check["status"] for check in report["checks"]]


def test_doctor_fails_when_something_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    assert main(["doctor"]) == 1
    assert "FAIL  java" in capsys.readouterr().out
    assert main(["doctor", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"penstock {version('penstock')}\n"


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["conf", "--nonsense"]])
def test_a_wrong_command_line_ends_with_code_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: penstock" in capsys.readouterr().err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert all(
        f"\n    {command} " in said
        for command in ("conf", "jar", "doctor", "explain", "run", "top", "bench")
    )


def test_the_module_runs_like_the_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "penstock", "jar"], capture_output=True, check=True, text=True
    )
    assert ran.stdout.strip() == str(jar_path())


def test_other_commands_do_not_load_the_benchmarks() -> None:
    program = "import sys, penstock.cli; penstock.cli.main(['jar']); print([m for m in ('penstock.bench', 'penstock.commands') if m in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"
