"""A real browser, without a screen and without a network: what it makes of a page, and pictures."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
# How long the page's own clock runs before it is looked at; it asks for news every two seconds.
PAGE_MS = 3_000
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    # Nothing but this machine can be reached, so whatever a page needs from elsewhere is missing.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    f"--virtual-time-budget={PAGE_MS}",
)


def dom(url: str) -> str:
    """The document as it is after its scripts ran, as HTML."""
    return _run(url, "--dump-dom")


def screenshot(url: str, picture: Path, *, width: int = 1280, height: int) -> None:
    """Write what the page looks like into a PNG file."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.unlink(missing_ok=True)
    _run(url, f"--window-size={width},{height}", f"--screenshot={picture}")


def _run(url: str, *arguments: str) -> str:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        ran = subprocess.run(
            [_browser(), *FLAGS, f"--user-data-dir={profile}", *arguments, url],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def _browser() -> str:
    found = next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), *NAMES))), None)
    assert found, (
        f"The tests of the UI need one of {', '.join(NAMES)} (Debian: apt-get install chromium), "
        "or the path of one in CHROMIUM."
    )
    return found
