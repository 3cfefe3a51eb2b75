"""A web server that fails in the ways that a test asks for."""

import hashlib
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

BODY = b"BZh9" + random.Random(1).randbytes(299_996)
NEWER_BODY = b"BZh9" + random.Random(2).randbytes(309_996)
OTHER_BODY = b"BZh9" + random.Random(3).randbytes(len(BODY) - 4)
HALF = len(BODY) // 2


@dataclass
class Served:
    """A file of a server. `plan` says how the next requests fail; later ones succeed.

    A step of the plan is a status to answer with, "drop" (close halfway), "stall" (stop halfway
    until `released`), "chunked" (send no length) or "short" (the same, but end halfway without an
    error), "surplus" (send more of a range than was announced) or an address to redirect to.
    """

    body: bytes
    etag: str | None = "of the bytes"
    last_modified: str | None = None
    encoding: str | None = None
    honours_ranges: bool = True
    honours_validators: bool = True
    range_shift: int = 0
    phantom_bytes: int = 0  # promised and not sent
    plan: list[int | str] = field(default_factory=list)

    def validators(self) -> dict[str, str | None]:
        tag = self.etag
        if tag == "of the bytes":
            tag = f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()[:12]}"'
        return {"ETag": tag, "Last-Modified": self.last_modified}


class Server(ThreadingHTTPServer):
    """Serves one file at any path."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), handler or Handler)
        self.file = Served(BODY, '"one"')
        self.requests: list[Any] = []
        """The headers of each request."""
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
    """Answers one request by the plan of a file."""

    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: tests read `requests` instead."""

    def do_GET(self) -> None:
        self.server.requests.append(dict(self.headers))
        self.send(self.server.file)

    def redirect(self, location: str) -> None:
        self.send_response(302)
        self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def send(self, file: Served) -> None:
        step = file.plan.pop(0) if file.plan else "serve"
        if isinstance(step, int):
            self.send_error(step)
            return
        if "/" in step:
            self.redirect(step)
            return
        promised = len(file.body) + file.phantom_bytes
        start = self.start_of_range(file)
        if start is not None and start > len(file.body):
            self.send_error(416)
            return
        self.send_response(200 if start is None else 206)
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{promised - 1}/{promised}")
        rest = file.body[start or 0 :]
        if step in ("drop", "stall", "short"):
            rest = rest[: len(rest) // 2]
        surplus = 1000 if step == "surplus" else 0
        rest += bytes(surplus)
        chunked = step in ("chunked", "short")
        headers = {
            "Content-Length": None if chunked else str(promised - (start or 0) + surplus),
            "Transfer-Encoding": "chunked" if chunked else None,
            "Content-Encoding": file.encoding,
            **file.validators(),
        }
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        if chunked:
            rest = b"%x\r\n%b\r\n0\r\n\r\n" % (len(rest), rest)
        self.wfile.write(rest)
        if step == "stall":
            self.server.released.wait(30)
        self.close_connection = step != "serve" or bool(file.phantom_bytes)

    def start_of_range(self, file: Served) -> int | None:
        """The first byte to send; None for the whole body."""
        requested = self.headers.get("Range")
        if not requested or not file.honours_ranges:
            return None
        fresh = self.headers.get("If-Range") in file.validators().values()
        if file.honours_validators and not fresh:
            return None
        return int(requested.removeprefix("bytes=").removesuffix("-")) + file.range_shift


@contextmanager
def running(server: Server) -> Iterator[None]:
    """Let a server answer in a thread for the length of the block."""
    with server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield
        server.released.set()
        server.shutdown()
