"""Runs a piece of Python as another user, who has no rights of ours."""

from __future__ import annotations

import os
import subprocess
import sys

NOBODY = 65534


def as_nobody(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program as user and group 65534, without any other group.

    This needs root. Without it the tests that need another user fail, for they prove nothing.
    """
    assert os.geteuid() == 0, (
        "only root can become another user: run these tests as root, as CI does, or inside "
        "`unshare --map-auto --map-root-user`"
    )
    return subprocess.run(
        ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--",
         sys.executable, "-I", "-S", "-c", program, *arguments],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
