"""Running the site: uvicorn in one process, agents in others."""

from __future__ import annotations

import gc
import socket
import sys

import uvicorn
from starlette.types import ASGIApp
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from wordkin.errors import InputError
from wordkin.web.app import create_app
from wordkin.web.monitoring import set_up_logs
from wordkin.web.settings import Settings


def serve(settings: Settings, host: str, port: int, proxies: str) -> None:
    """Serve the site until the process is told to stop.

    Port 0 takes any free port. `proxies` are the addresses of reverse proxies whose `X-Forwarded-*`
    headers are believed, with commas.
    """
    app = create_app(settings)
    listener = _listen(host, port)
    set_up_logs()
    # Many answers are computed at the same time: threads of each would wait for those of others.
    threadpool_limits(1, user_api="blas")
    # What is loaded now stays. Moves would wait while the collector of garbage looks through it.
    gc.freeze()
    # A thread that answers a move waits at most so long for one that stores or checks another.
    sys.setswitchinterval(0.0005)
    shown = f"[{host}]" if ":" in host else host
    print(f"Play at http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C stops)", flush=True)
    server_for(app, proxies).run(sockets=[listener])


def server_for(app: ASGIApp, proxies: str = "127.0.0.1") -> uvicorn.Server:
    """The server of an application: no log of addresses, short messages, regular pings."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=proxies,
        # Longer than browsers and proxies keep a connection: they must be the ones to close it.
        timeout_keep_alive=90,
        ws="websockets-sansio",
        ws_max_size=4096,
        ws_ping_interval=20,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; refuse an address that is taken or not ours."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        raise InputError(
            f"The site cannot listen at {host} port {port} ({error.strerror}): choose others with "
            "--host and --port."
        ) from None
    return listener
