"""A site: what all its requests share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from wordkin.bundle import Bundle, load
from wordkin.errors import InputError
from wordkin.game.legality import Legality
from wordkin.texts import LANGUAGES, Texts, texts
from wordkin.web.database import Database
from wordkin.web.explore.explorers import Explorers
from wordkin.web.limits import Rates
from wordkin.web.metrics import Metrics
from wordkin.web.people import People
from wordkin.web.rooms.agents import Agents
from wordkin.web.rooms.hub import Hub
from wordkin.web.rooms.shown import RoomShown
from wordkin.web.rooms.table import Table
from wordkin.web.rooms.views import Card, SeenTurn, card_labels
from wordkin.web.settings import Settings
from wordkin.web.visitors import Cookies, site_key

TEMPLATES = Path(__file__).parent / "templates"
KEPT = 5_000
"""How many cards and how many turns are kept as HTML; most take less than 1 kB."""


class Site:
    """What all requests share: the database, the bundles, the templates and the counters.

    Parameters
    ----------
    settings : Settings
        The settings of the site.

    Attributes
    ----------
    bundles : dict of str to Bundle
        The bundles by language, in the order of the settings.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings.database)
        self.rates = Rates(settings.limits)
        self.metrics = Metrics()
        self.bundles: dict[str, Bundle] = {}
        self._legality: dict[str, Legality] = {}
        for name in settings.bundles:
            bundle = load(name)
            if bundle.language in self.bundles:
                raise InputError(
                    f"Two bundles are for the language '{bundle.language}': name one of them."
                )
            self.bundles[bundle.language] = bundle
        if not self.bundles:
            raise InputError("The site needs at least one bundle to play with: name one.")
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(
            site=self, interface_languages={code: texts(code) for code in LANGUAGES}
        )
        # After each move, most cards and turns look as before.
        pieces: Any = self._environment.get_template("room/pieces.html").module
        card_item, turn_item = lru_cache(KEPT)(pieces.card_item), lru_cache(KEPT)(pieces.turn_item)

        def card_list(cards: Iterable[Card], words: Texts, may_pick: bool = False) -> Markup:
            labels = card_labels(words)
            language = words.language
            items = [
                card_item(card, labels[card[1:]], language, number * may_pick)
                for number, card in enumerate(cards, 1)
            ]
            return Markup("".join(items))

        def turn_items(turns: Iterable[SeenTurn], words: Texts, language: str) -> Markup:
            return Markup("".join([turn_item(words, turn, language) for turn in turns]))

        self._environment.globals.update(card_list=card_list, turn_items=turn_items)
        self._parts: Any = self._environment.get_template("room/parts.html").module

    @cached_property
    def cookies(self) -> Cookies:
        """The signer of cookies, with the key in the database."""
        return Cookies(self.database.transact(site_key))

    @cached_property
    def people(self) -> People:
        """The anonymous ids of people whose choices are stored."""
        return People(self.database.transact(lambda session: site_key(session, "people")))

    @cached_property
    def explorers(self) -> Explorers:
        """What answers questions about words."""
        return Explorers(self.bundles)

    def render(self, template: str, words: Texts, **context: Any) -> str:
        """Render a template; `t(section, name)` in it is a text in the visitor's language."""
        return self._environment.get_template(template).render(
            t=words, language=words.language, **context
        )

    def render_part(self, part: str, words: Texts, table: Table, shown: RoomShown) -> Markup:
        """Render a part of a room's page: a macro of `room/parts.html`."""
        rendered: Markup = getattr(self._parts, part)(words, table, shown)
        return rendered

    @cached_property
    def agents(self) -> Agents:
        """The processes that play for empty seats."""
        folders = {code: str(bundle.folder) for code, bundle in self.bundles.items()}
        return Agents(folders, self.settings.workers)

    @cached_property
    def hub(self) -> Hub:
        """The rooms in use."""
        return Hub(self.bundles, self.database, self.agents, self.metrics, self.settings.pace)

    def legality(self, language: str) -> Legality:
        """The rules for clues in a language, made on first use."""
        if language not in self._legality:
            self._legality[language] = Legality.of(self.bundles[language])
        return self._legality[language]

    def words(self, language: str) -> Texts:
        """The texts in a language."""
        return texts(language)

    def bundle_for(self, language: str) -> Bundle:
        """The bundle of a language, or the first one if there is none."""
        return self.bundles.get(language) or next(iter(self.bundles.values()))
