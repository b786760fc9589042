from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from penstock.machine import Cores, cores, cpu_quota, limits, readable_size


@pytest.mark.parametrize(
    ("affinity", "quota", "usable"), [(4, None, 4), (4, 2.5, 2), (4, 0.5, 1), (2, 8.0, 2)]
)
def test_the_smaller_of_mask_and_quota_counts(
    affinity: int, quota: float | None, usable: int
) -> None:
    assert Cores(affinity, quota).usable == usable


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2.0),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({}, None),
    ],
)
def test_the_quota_of_either_kind_of_cgroup_is_read(
    files: dict[str, str], quota: float | None, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert cpu_quota(tmp_path) == quota


def test_this_machine_is_described_as_the_kernel_sees_it() -> None:
    assert cores().affinity == len(os.sched_getaffinity(0))
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert limits().open_files == (None if soft == resource.RLIM_INFINITY else soft)


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (2048, "2 KiB"), (5 * 1024**4, "5 TiB")]
)
def test_sizes_are_written_for_people(count: int, text: str) -> None:
    assert readable_size(count) == text
