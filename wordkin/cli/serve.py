"""`wordkin serve`: the game in the browser."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from wordkin.cli.command import Command
from wordkin.errors import InputError
from wordkin.places import languages_there
from wordkin.ranges import Whole

DATABASE = "WORDKIN_DATABASE"


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=Whole(0, 65_535), default=8000, help="the port (default: 8000)"
    )
    parser.add_argument(
        "--bundle",
        action="append",
        metavar="BUNDLE",
        help="a language, or a folder or archive of a bundle; may be repeated (default: all "
        "bundles that are there)",
    )
    parser.add_argument(
        "--database",
        default=os.environ.get(DATABASE),
        help=f"an SQLite file or a URL such as postgresql://user@host/name (default: ${DATABASE}, "
        "or a file in your home folder)",
    )
    parser.add_argument(
        "--workers", type=Whole(1, 1024), default=2, help="processes for the agents (default: 2)"
    )
    parser.add_argument(
        "--keep-days",
        type=Whole(1, 36500),
        default=365,
        metavar="DAYS",
        help="delete games, rounds and participations in studies after so many days (default: 365)",
    )
    parser.add_argument(
        "--proxy",
        default="127.0.0.1",
        metavar="ADDRESSES",
        help="reverse proxies whose X-Forwarded headers are believed (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        help="another address of this site, such as https://play.example.org; may be repeated",
    )


def run(given: Namespace) -> None:
    """Serve the site until the process is told to stop."""
    try:
        from wordkin.web.server import serve
    except ModuleNotFoundError as error:
        raise InputError(
            f"The web game needs the package '{error.name}': install it with pip install "
            "'wordkin[web]'."
        ) from None
    from wordkin.web.settings import Settings, database_url, default_database

    settings = Settings(
        database=database_url(given.database or default_database()),
        bundles=tuple(given.bundle or _languages()),
        origins=tuple(given.origin),
        workers=given.workers,
        keep_days=given.keep_days,
    )
    serve(settings, given.host, given.port, given.proxy)


def _languages() -> list[str]:
    languages = languages_there()
    if not languages:
        raise InputError(
            "There are no bundles to play with: build them with make run, install a wheel, or name "
            "one with --bundle."
        )
    return languages


COMMAND = Command(
    "serve",
    "play in the browser, with people and agents",
    add_options,
    run,
    example="serve --port 8080",
    has_json=False,
)
