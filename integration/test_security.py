"""A running executor, and another user of the same machine who would like to get at it (F10, F11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psutil
from tests.security.other_user import as_nobody

from integration import flows
from integration.jobs import Job
from integration.processes import descendant, eventually
from integration.test_killed import busy_workers

# Makes the way down to the folder as open as it can be on a machine; the folder itself is ours.
TRY = """
import os, sys
refused, possible = 0, []
for path in sys.argv[1:]:
    for way in (os.listdir, os.chdir, lambda p: open(p, "r+b"), lambda p: open(p + "/x", "xb")):
        try:
            way(path)
        except (PermissionError, IsADirectoryError):  # the latter for writing to a folder
            refused += 1
        except NotADirectoryError:
            possible.append(path)
        else:
            possible.append(path)
print(refused, possible)
"""


def opened_up(path: Path) -> None:
    for parent in path.parents:
        if parent.stat().st_uid == 0 and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
            parent.chmod(0o755)


def environment_of(worker: psutil.Process) -> dict[str, str]:
    return dict(worker.environ())


def test_another_user_gets_at_nothing_of_a_running_executor(spark: Any, tmp_path: Path) -> None:
    job = Job(spark, spark.range(0, 10, 1, 2).transform(flows.blocking(tmp_path)))
    worker = busy_workers(tmp_path)[0]
    shared = Path(environment_of(worker)["SPARK_LOCAL_DIRS"].split(",")[0]) / "penstock"
    assert shared.is_dir()
    opened_up(shared)
    (shared / "something").touch()
    paths = [shared, *shared.rglob("*")]
    done = as_nobody(TRY, *map(str, paths))
    (shared / "something").unlink()
    job.cancel()
    assert done.stdout == f"{4 * len(paths)} []\n", done.stderr
    control = as_nobody(TRY, str(shared.parent.parent))
    assert str(shared.parent.parent) in control.stdout, "the attacker did not even get that far"


def test_a_running_worker_listens_nowhere(spark: Any, tmp_path: Path) -> None:
    job = Job(spark, spark.range(0, 10, 1, 2).transform(flows.blocking(tmp_path)))
    for worker in busy_workers(tmp_path):
        inet = worker.net_connections(kind="inet")
        assert [c for c in inet if c.status == psutil.CONN_LISTEN] == []
        assert [c.laddr for c in worker.net_connections(kind="unix") if c.laddr] == []
        assert any(c.status == psutil.CONN_ESTABLISHED for c in inet), "not even to Spark"
    busy = [descendant(pid) for pid in flows.blocked_pids(tmp_path)]
    job.cancel()
    eventually(lambda: not any(process.is_running() for process in busy), "the workers are gone")
