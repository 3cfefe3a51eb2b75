"""A real S3 server on this machine, which can break off an upload in the middle."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from pyarrow.fs import S3FileSystem
from werkzeug.serving import WSGIRequestHandler, make_server

from pipeline import storage

BUCKET = "texts"


class _Quiet(WSGIRequestHandler):
    def log(self, *_: Any, **__: Any) -> None:
        """Say nothing about requests."""


class S3Server:
    """The server of moto.

    Attributes
    ----------
    url : str
        Its address, as AWS_ENDPOINT_URL has it.
    broken_off : list of str
        The files whose uploads were broken off.
    """

    def __init__(self) -> None:
        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server(
            "127.0.0.1", 0, self._serve, threaded=True, request_handler=_Quiet
        )
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.broken_off: list[str] = []
        self._breaks: tuple[str, Callable[[], object]] | None = None

    def break_off(self, name: str, act: Callable[[], object]) -> None:
        """Let the next upload of a file whose path contains `name` stop after half of its bytes.

        `act` is called then.
        """
        self._breaks = name, act

    def _serve(self, environ: dict[str, Any], start_response: Any) -> Any:
        path, breaks = environ["PATH_INFO"], self._breaks
        sizes = ("HTTP_X_AMZ_DECODED_CONTENT_LENGTH", "CONTENT_LENGTH")
        size = next((int(environ[name]) for name in sizes if environ.get(name)), 0)
        if environ["REQUEST_METHOD"] == "PUT" and size and breaks and breaks[0] in path:
            self._breaks = None
            environ["wsgi.input"].read(size // 2)
            self.broken_off.append(path)
            breaks[1]()
            start_response("500 Internal Server Error", [])
            return [b""]
        return self._app(environ, start_response)

    def start(self) -> None:
        """Serve until `stop` is called."""
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        S3FileSystem(
            endpoint_override=self.url,
            region="us-east-1",
            access_key="tests",
            secret_key="tests",
            allow_bucket_creation=True,
        ).create_dir(BUCKET)

    def stop(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to use the server."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "AWS_REGION": "us-east-1",
        }


@contextmanager
def s3_server() -> Iterator[S3Server]:
    """A server with an empty bucket, which this process uses by its environment."""
    server = S3Server()
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in server.environment.items():
            patch.setenv(name, value)
        try:
            yield server
        finally:
            server.stop()


def stored(folder: Path) -> dict[str, bytes]:
    """The files of a folder whose stage made them at an address, by name."""
    listed = json.loads((folder / storage.MANIFEST).read_text(encoding="utf-8"))["files"]
    read = [storage.read_bytes(place) for place in storage.files_in(folder)]
    return {file["name"]: content for file, content in zip(listed, read, strict=True)}
