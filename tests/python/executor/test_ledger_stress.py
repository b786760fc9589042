"""Processes that join, grow, shrink, are stopped and killed, and an auditor who has the lock."""

from __future__ import annotations

import fcntl
import itertools
import multiprocessing
import os
import random
import signal
import struct
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from penstock import _native
from penstock.executor.ledger import SLOT, SLOT_BYTES, places

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.context import ForkProcess

CORES = 4
MEMBERS = 6
AUDITS = 400


def live(path: str, seed: int) -> None:
    """What a flow does with its seat, faster than any flow would."""
    chance = random.Random(seed)
    for _ in itertools.count():
        seat = _native.Seat(path, cores=CORES, guaranteed=1)
        held = 1
        for _ in range(chance.randrange(1, 200)):
            share, _, _ = seat.look(chance.randint(1, CORES), CORES)
            if share < held:
                held = share
                seat.lower_to(held)
            else:
                held = seat.raise_to(share)
        seat.leave()


@contextmanager
def lock_of(file: Path) -> Iterator[None]:
    """Wait for the lock, as no flow ever does; a member that was stopped with it must go on."""
    with file.open("r+b") as page:
        fcntl.flock(page, fcntl.LOCK_EX)
        yield


def audit(file: Path) -> int:
    """Fail if more was granted beyond the guaranteed than can be; return how much was."""
    found = places(file)
    beyond = sum(place.in_use - place.guaranteed for place in found)
    assert 0 <= beyond < CORES, found
    assert len({place.arrival for place in found}) == len(found), found
    return beyond


def write_down_a_dead_one(file: Path) -> None:
    """Put a flow into a free slot whose process has our number, but started at another time."""
    with file.open("r+b") as page:
        for slot in range(1, MEMBERS + 3):
            page.seek(slot * SLOT_BYTES)
            if struct.unpack("=i", page.read(4)) == (0,):
                page.seek(slot * SLOT_BYTES)
                page.write(SLOT.pack(os.getpid(), 1, 1, 1, 1, 2**40 + random.getrandbits(30), 0))
                return


def test_nobody_gets_more_than_there_is_whoever_dies_or_stands_still(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    sys.stdout.write(f"seed {seed}\n")
    chance = random.Random(seed)
    file = tmp_path / "threads"
    _native.Seat(str(file), cores=CORES, guaranteed=1).leave()
    context = multiprocessing.get_context("fork")
    members: list[ForkProcess] = []
    most = 0

    def start() -> ForkProcess:
        member = context.Process(target=live, args=(str(file), chance.getrandbits(32)))
        member.start()
        return member

    try:
        members += [start() for _ in range(MEMBERS)]
        for _ in range(AUDITS):
            with lock_of(file):
                most = max(most, audit(file))
                if chance.random() < 0.05:
                    write_down_a_dead_one(file)
            victim = chance.randrange(MEMBERS)
            deed = chance.random()
            pid = members[victim].pid
            assert pid is not None
            if deed < 0.2:
                os.kill(pid, signal.SIGKILL)
                members[victim].join()
                members[victim] = start()
            elif deed < 0.4:
                os.kill(pid, signal.SIGSTOP)
                other = _native.Seat(str(file), cores=CORES, guaranteed=1)
                assert other.raise_to(1) == 1
                other.leave()
                os.kill(pid, signal.SIGCONT)
    finally:
        for member in members:
            member.kill()
            member.join()
    assert most > 0, "nothing was granted, so nothing was tested"
    last = _native.Seat(str(file), cores=CORES, guaranteed=1)
    last.sweep()
    assert [place.pid for place in places(file)] == [os.getpid()]
    assert last.raise_to(CORES) == CORES
