"""A job that runs for as long as somebody looks at it in Spark's UI."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from integration.processes import eventually
from integration.sessions import LOCAL, Sessions
from integration.ui_flows import BATCH, clicks, pretending, uneven, waits

BATCHES = 200
WAITING_ROWS = 200_000
# A chart of less is not worth a look.
MOMENTS = 12


def asked(url: str) -> Any:
    """What a page with JSON says; None while it is not there."""
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        error.close()
        return None
    except (OSError, json.JSONDecodeError):
        return None


def flow_named(site: str, name: str) -> Any:
    """All that a site of Penstock says of a flow; None if it knows of none."""
    overview = asked(f"{site}json") or {"flows": []}
    ids = [flow["id"] for flow in overview["flows"] if flow["name"] == name]
    return asked(f"{site}json?flow={ids[0]}") if ids else None


@dataclass
class Watched:
    """The job, its application, and the address of Penstock's tab there."""

    sessions: Sessions
    folder: Path
    spark: Any = None
    counted: list[int] = field(default_factory=list)
    _job: threading.Thread | None = None

    def begin(self) -> None:
        """Start the application and the job, and wait until there is something to see."""
        self.events.mkdir(parents=True)
        self.sessions.close()
        self.spark = self.sessions.start(
            LOCAL,
            {
                "spark.ui.enabled": "true",
                "spark.ui.port": "0",
                "spark.eventLog.enabled": "true",
                "spark.eventLog.dir": self.events.as_uri(),
                "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
            },
        )
        self.spark.range(0, 1, 1, 1).transform(pretending).collect()
        self.spark.range(0, WAITING_ROWS, 1, 1).transform(waits).count()
        self._job = threading.Thread(target=self._count)
        self._job.start()
        eventually(self._is_worth_a_look, "a flow with charts", within=200)

    @property
    def events(self) -> Path:
        return self.folder / "events"

    @property
    def site(self) -> str:
        return f"{self.spark.sparkContext.uiWebUrl}/penstock/"

    def page_of(self, name: str) -> str:
        return f"{self.site}#{flow_named(self.site, name)['flow']['id']}"

    def finish(self) -> None:
        """Let the job come to its end, and wait until the tab has heard of it."""
        (self.folder / "released").touch()
        if self._job is not None:
            self._job.join(timeout=300)
        eventually(
            lambda: flow_named(self.site, "clicks")["flow"]["done"] == 4,
            "all tasks done in the tab",
        )

    def _count(self) -> None:
        rows = uneven(self.spark, BATCHES).transform(clicks(self.folder))
        self.counted.append(rows.count())

    def _is_worth_a_look(self) -> bool:
        found = flow_named(self.site, "clicks")
        return bool(found and len(found["moments"]) >= MOMENTS and found["decisions"])
