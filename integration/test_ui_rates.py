"""How fast operators are now, as the page works it out from look to look, in a real browser."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from integration.browser import dom

RATES = (
    Path(__file__).parents[1] / "jvm-shim/src/main/resources/io/penstock/spark/ui/rates.js"
).read_bytes()
PAGE = """<!DOCTYPE html><title>rates</title><pre></pre><script type="module">
import {{ Rates }} from "./rates.js";
const rates = new Rates();
const found = {looks}.map((look) => Object.fromEntries(rates.of(look)));
document.querySelector("pre").textContent = JSON.stringify(found);
</script>"""


class Server(ThreadingHTTPServer):
    page = ""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        is_script = self.path == "/rates.js"
        body = RATES if is_script else self.server.page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if is_script else "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: pytest shows what the browser says."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def look(at: float, *, flow: str = "f", running: int = 1, **rows: int) -> dict[str, Any]:
    """What the page is told at a time."""
    return {
        "flow": {"id": flow, "running": running},
        "operators": [{"name": name, "rows_in": each} for name, each in rows.items()],
        "moments": [[at - 1, 1, 1, 0], [at, 1, 1, 0]],
    }


def found(server: Server, *looks: dict[str, Any]) -> Any:
    server.page = PAGE.format(looks=json.dumps(looks))
    text = re.search("<pre>(.*?)</pre>", dom(f"http://127.0.0.1:{server.server_port}/"))
    assert text is not None
    return json.loads(text[1])


def test_a_rate_is_that_of_the_last_seconds_and_not_since_the_start(server: Server) -> None:
    told = found(
        server,
        look(0, a=1_000_000, b=0),
        look(2, a=1_000_200, b=0),
        look(2, a=1_000_200, b=0),  # nothing new was heard meanwhile
        look(4, a=1_000_400, b=8),
        look(8, a=1_000_400, b=8),
        look(12, a=1_000_400, b=20, c=100),
    )
    assert told == [
        {},
        {"a": 100, "b": 0},
        {"a": 100, "b": 0},
        {"a": 100, "b": 2},
        {"a": 200 / 6, "b": 8 / 6},
        {"a": 0, "b": 1.5, "c": 12.5},
    ]


def test_another_flow_and_another_stage_begin_anew(server: Server) -> None:
    told = found(
        server,
        look(0, a=10),
        look(2, a=30),
        look(4, flow="g", a=5),
        look(6, flow="g", a=5, running=0),
        look(8, flow="g", a=90),
        look(10, flow="g", a=94),
    )
    assert told == [{}, {"a": 10}, {}, {}, {}, {"a": 2}]
