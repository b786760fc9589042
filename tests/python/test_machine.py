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
        ({"cpu.max": "nonsense"}, None),
        ({}, None),
    ],
)
def test_the_quota_of_either_kind_of_cgroup_is_read(
    files: dict[str, str], quota: float | None, tmp_path: Path
) -> None:
    assert cpu_quota(written(tmp_path, files), tmp_path / "none") == quota


@pytest.mark.parametrize(
    ("own", "files", "quota"),
    [
        # Its own group, which the root knows nothing of.
        ("0::/a/b\n", {"a/b/cpu.max": "150000 100000", "a/cpu.max": "max 100000"}, 1.5),
        # One around it has less.
        ("0::/a/b\n", {"a/b/cpu.max": "400000 100000", "a/cpu.max": "200000 100000"}, 2.0),
        ("0::/a/b\n", {"a/b/cpu.max": "400000 100000", "cpu.max": "100000 100000"}, 1.0),
        # Another one is not its own.
        ("0::/a/b\n", {"a/c/cpu.max": "100000 100000"}, None),
        ("0::/\n", {"a/cpu.max": "100000 100000"}, None),
        # As it is called outside of a container, and out of a container's sight.
        ("0::/host/of/this\n", {"cpu.max": "100000 100000"}, 1.0),
        ("0::/../b\n", {"b/cpu.max": "100000 100000"}, None),
        # Version 1, and the group of another controller.
        (
            "5:cpu,cpuacct:/a/b\n4:memory:/m\n",
            {
                "cpu/a/cpu.cfs_quota_us": "250000\n",
                "cpu/a/cpu.cfs_period_us": "100000\n",
                "cpu/m/cpu.cfs_quota_us": "50000\n",
                "cpu/m/cpu.cfs_period_us": "100000\n",
            },
            2.5,
        ),
        ("nonsense\n", {"cpu.max": "100000 100000"}, 1.0),
    ],
)
def test_the_least_quota_on_the_way_to_a_process_counts(
    own: str, files: dict[str, str], quota: float | None, tmp_path: Path
) -> None:
    (tmp_path / "own").write_text(own)
    assert cpu_quota(written(tmp_path / "groups", files), tmp_path / "own") == quota


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_this_machine_is_described_as_the_kernel_sees_it() -> None:
    assert cores().affinity == len(os.sched_getaffinity(0))
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert limits().open_files == (None if soft == resource.RLIM_INFINITY else soft)


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (2048, "2 KiB"), (5 * 1024**4, "5 TiB")]
)
def test_sizes_are_written_for_people(count: int, text: str) -> None:
    assert readable_size(count) == text
