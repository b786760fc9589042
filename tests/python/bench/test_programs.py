from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from penstock.bench.programs import PEERS, Program, own_program, peers_program
from penstock.bench.suites import BenchError


@pytest.fixture
def program() -> Iterator[Program]:
    with Program(own_program()) as running:
        yield running


def script(folder: Path, text: str) -> Path:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_the_installed_program_knows_penstocks_models_and_what_they_are_compared_with(
    program: Program,
) -> None:
    wanted = {"manual", "conveyor", "dynamic", "dynamic-lru", "dedicated", "chain", "as-printed"}
    assert wanted <= set(program.contenders)


def test_every_contender_computes_the_same_and_keeps_the_order(program: Program) -> None:
    answers = [
        program.ask(contender=name, depth=3, width=4, tuples=1_000, threads=2, run=64)
        for name in program.contenders
    ]
    assert len({answer["checksum"] for answer in answers}) == 1
    for answer in answers:
        assert answer["tuples"] == 1_000
        assert answer["lost"] == answer["duplicated"] == answer["out_of_order"] == 0
        assert answer["tuples_per_s"] == pytest.approx(1_000 / answer["seconds"])


def test_a_rate_gives_latencies(program: Program) -> None:
    answer = program.ask(contender="conveyor", depth=3, tuples=500, threads=2, rate=100_000)
    assert 0 < answer["p50_us"] <= answer["p99_us"]
    assert answer["seconds"] >= 500 / 100_000


def test_starting_and_stopping_a_flow_is_measured(program: Program) -> None:
    answer = program.ask(kind="lifecycle", operators=5, threading="conveyor", seconds=0.001)
    assert set(answer) == {"start_ms", "stop_ms", "idle_cores"}


def test_a_refused_request_is_an_error_that_repeats_it(program: Program) -> None:
    with pytest.raises(BenchError, match="refused 'contender=nobody': 'contender' is 'nobody'"):
        program.ask(contender="nobody")
    with pytest.raises(BenchError, match="'kind' is 'x', but must be one of measure, list, life"):
        program.ask(kind="x")
    assert program.ask(contender="chain")["tuples"] == 1


def test_a_program_that_ends_early_is_an_error_and_not_a_wait(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="program did not answer 'kind=list' but 'ended'"):
        Program(script(tmp_path, "exit 3"))


def test_a_program_that_says_nonsense_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="did not answer 'kind=list' but 'usage: none'"):
        Program(script(tmp_path, "echo usage: none; read line"))


def test_a_file_that_is_no_program_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text")
    with pytest.raises(BenchError, match=r"cannot start .*text: Permission denied"):
        Program(tmp_path / "text")


def test_peers_are_found_in_the_checkout_around_the_package(tmp_path: Path) -> None:
    built = tmp_path / "build" / "bench" / "bench" / PEERS
    built.parent.mkdir(parents=True)
    built.write_text("")
    inside = tmp_path / ".venv" / "lib"
    inside.mkdir(parents=True)
    assert peers_program(None, [inside]) is None, "another project's build is not Penstock's"
    (tmp_path / "native" / "bench").mkdir(parents=True)
    assert peers_program(None, [inside]) == built


def test_peers_that_were_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"no program at --peers .*nowhere: `make bench"):
        peers_program(tmp_path / "nowhere")
    (tmp_path / "here").write_text("")
    assert peers_program(tmp_path / "here") == tmp_path / "here"


def test_a_program_that_was_not_installed_is_named_with_the_way_to_get_it() -> None:
    with pytest.raises(BenchError, match=r"penstock_bench_x is not at .*install Penstock with pip"):
        own_program("penstock_bench_x")
