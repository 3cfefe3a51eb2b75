"""The settings of a site. `wordkin serve` makes them from its options."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from wordkin.errors import InputError


@dataclass(frozen=True)
class Limits:
    """How much one visitor or one network address may ask for.

    Attributes
    ----------
    pages : int
        Requests per minute of one address. People in a classroom share an address.
    moves : int
        Moves, seats and other changes per minute of one player.
    checks : int
        Answers while typing per minute of one player.
    rooms : int
        New rooms per hour of one address.
    body : int
        The bytes of one form.
    """

    pages: int = 1200
    moves: int = 120
    checks: int = 600
    rooms: int = 120
    body: int = 64_000


@dataclass(frozen=True)
class Settings:
    """What a site needs to know.

    Attributes
    ----------
    database : str
        The URL of the database, as SQLAlchemy reads it.
    bundles : tuple of str
        The bundles to play with: codes of languages, folders or archives.
    origins : tuple of str
        Further origins that may send forms, such as `https://play.example.org`. The address that a
        browser asks for is always allowed.
    workers : int
        Processes that work out the agents' moves.
    pace : float
        Seconds between two moves of agents, so that people can follow.
    keep_days : int
        For how many days games, rounds and participations in studies are kept.
    limits : Limits
        What one visitor may ask for.
    """

    database: str
    bundles: tuple[str, ...] = ("en",)
    origins: tuple[str, ...] = ()
    workers: int = 2
    pace: float = 0.9
    keep_days: int = 365
    limits: Limits = field(default_factory=Limits)


def default_database() -> str:
    """The SQLite file that is used when no database is named."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return str(_in_home(home) / "wordkin" / "web.sqlite")


def _in_home(path: str) -> Path:
    """A path with `~` replaced by a home folder; refused if there is none."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise InputError(
            f"There is no home folder for {path}: name the database with --database, or in "
            "WORDKIN_DATABASE."
        ) from None


def database_url(database: str) -> str:
    """Turn the path of an SQLite file, or an SQLite or PostgreSQL URL, into the URL that we use."""
    scheme, separator, rest = database.partition("://")
    if not separator:
        return f"sqlite:///{_in_home(database).absolute()}"
    if scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        return f"postgresql+psycopg://{rest}"
    if scheme == "sqlite":
        return database
    raise InputError(
        f"The site cannot use a database of the kind '{scheme}': give the path of an SQLite file, "
        "or a URL that begins with postgresql://."
    )
