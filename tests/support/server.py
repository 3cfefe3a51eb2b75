"""A web server that fails in the ways that a test asks for."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY = b"BZh9" + random.Random(1).randbytes(299_996)
NEWER_BODY = b"BZh9" + random.Random(2).randbytes(309_996)
OTHER_BODY = b"BZh9" + random.Random(3).randbytes(len(BODY) - 4)
HALF = len(BODY) // 2


class Server(ThreadingHTTPServer):
    """Serves one body at any path. `plan` says how the next requests fail; later ones succeed.

    A step of the plan is a status to answer with, "drop" (close halfway), "stall" (stop halfway
    until `released`), "chunked" (send no length) or "short" (the same, but end halfway without an
    error), "surplus" (send more of a range than was announced) or an address to redirect to.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.body = BODY
        self.etag: str | None = '"one"'
        self.last_modified: str | None = None
        self.encoding: str | None = None
        self.honours_ranges = True
        self.honours_validators = True
        self.range_shift = 0
        self.phantom_bytes = 0  # promised and not sent
        self.plan: list[int | str] = []
        self.requests: list[dict[str, str]] = []
        self.released = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: in some tests the client hangs up on purpose."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/dumps/wiki.bz2"

    @property
    def ranges(self) -> list[str | None]:
        return [headers.get("Range") for headers in self.requests]


class Handler(BaseHTTPRequestHandler):
    """Answers one request by the plan of the server."""

    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: tests read `requests` instead."""

    def do_GET(self) -> None:
        server = self.server
        server.requests.append(dict(self.headers))
        step = server.plan.pop(0) if server.plan else "serve"
        if isinstance(step, int):
            self.send_error(step)
            return
        if "/" in step:
            self.send_response(302)
            self.send_header("Location", step)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        promised = len(server.body) + server.phantom_bytes
        start = self.start_of_range()
        if start is not None and start > len(server.body):
            self.send_error(416)
            return
        self.send_response(200 if start is None else 206)
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{promised - 1}/{promised}")
        rest = server.body[start or 0 :]
        if step in ("drop", "stall", "short"):
            rest = rest[: len(rest) // 2]
        surplus = 1000 if step == "surplus" else 0
        rest += bytes(surplus)
        chunked = step in ("chunked", "short")
        headers = {
            "Content-Length": None if chunked else str(promised - (start or 0) + surplus),
            "Transfer-Encoding": "chunked" if chunked else None,
            "ETag": server.etag,
            "Last-Modified": server.last_modified,
            "Content-Encoding": server.encoding,
        }
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        if chunked:
            rest = b"%x\r\n%b\r\n0\r\n\r\n" % (len(rest), rest)
        self.wfile.write(rest)
        if step == "stall":
            server.released.wait(30)
        self.close_connection = step != "serve" or bool(server.phantom_bytes)

    def start_of_range(self) -> int | None:
        """The first byte to send; None for the whole body."""
        requested = self.headers.get("Range")
        validator = self.headers.get("If-Range")
        fresh = validator in (self.server.etag, self.server.last_modified)
        if not requested or not self.server.honours_ranges:
            return None
        if self.server.honours_validators and not fresh:
            return None
        return int(requested.removeprefix("bytes=").removesuffix("-")) + self.server.range_shift


@contextmanager
def running_server() -> Iterator[Server]:
    """A server that answers in a thread for the length of the block."""
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.released.set()
        server.shutdown()
