"""Scripts of the tab on their own: what a module of them answers, in a real browser."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from integration.browser import dom

SCRIPTS = Path(__file__).parents[1] / "jvm-shim/src/main/resources/io/penstock/spark/ui"
PAGE = """<!DOCTYPE html><title>answer</title><pre></pre><script type="module">
{imports}
const found = {expression};
document.querySelector("pre").textContent = JSON.stringify(found);
</script>"""


class Server(ThreadingHTTPServer):
    """Serves the scripts, and one page that asks them."""

    page = ""

    def answer(self, imports: str, expression: str) -> Any:
        """What an expression of JavaScript is."""
        self.page = PAGE.format(imports=imports, expression=expression)
        text = re.search("<pre>(.*?)</pre>", dom(f"http://127.0.0.1:{self.server_port}/"))
        assert text is not None
        return json.loads(text[1])


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        script = SCRIPTS / Path(self.path).name
        is_script = script.suffix == ".js" and script.exists()
        body = script.read_bytes() if is_script else self.server.page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if is_script else "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: pytest shows what the browser says."""


@contextmanager
def scripts() -> Iterator[Server]:
    """The server, for as long as a test needs it."""
    with Server(("127.0.0.1", 0), Handler) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        try:
            yield made
        finally:
            made.shutdown()
            thread.join()
