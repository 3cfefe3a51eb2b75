"""The addresses of Explore: a word, two words, and parts of their pages for scripts."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wordkin.errors import NoBoardWords
from wordkin.game.board import words_to_deal
from wordkin.web.answers import Refused, page, site_of, texts_of
from wordkin.web.explore.explorer import Explorer
from wordkin.web.visitors import visitor_of

EXAMPLES = 8
QUICK, WHOLE = "quick", "whole"
"""Parts of a page: what can be said while somebody types, and everything."""


async def start(request: Request) -> Response:
    """The start of Explore. A form that was sent leads to the address of its words."""
    site, query = site_of(request), request.query_params
    language = query.get("words") or site.bundle_for(visitor_of(request).language).language
    explorer = _explorer(request, language)
    words = [explorer.form(query.get(field, "")) for field in ("word", "other")]
    if any(words):
        return RedirectResponse(address(language, *filter(None, words)), 303)
    return page(request, "explore/explore.html", **_context(explorer, [], language, False))


async def explore(request: Request) -> Response:
    """One word, or two words; or only a part of the page for a script."""
    site, part = site_of(request), request.query_params.get("part")
    explorer = _explorer(request, request.path_params["language"])
    typed = [request.path_params["word"], request.path_params.get("other", "")]
    words = [word for word in map(explorer.form, typed) if word]
    if not words:
        raise Refused(404, "missing")
    if not site.rates.checks.allows(visitor_of(request).id):
        raise Refused(429, "too_often")
    language, quick = texts_of(request).language, part == QUICK
    context = await asyncio.get_running_loop().run_in_executor(
        site.explore_threads, _context, explorer, words, language, quick
    )
    if part in (QUICK, WHOLE):
        return page(request, "explore/result.html", **context)
    if context["columns"] or context["compared"]:
        # Nobody is typing: the words are what was meant.
        context["suggestions"] = []
    return page(request, "explore/explore.html", **context)


def _explorer(request: Request, language: str) -> Explorer:
    explorer = site_of(request).explorers.get(language)
    if explorer is None:
        raise Refused(404, "missing")
    return explorer


def address(language: str, *words: str) -> str:
    """The address of one word or two."""
    return "/".join(["/explore", *(quote(part, safe="") for part in (language, *words))])


def _context(explorer: Explorer, words: list[str], language: str, quick: bool) -> dict[str, Any]:
    """What templates need to show nothing, one word or two."""
    # While somebody types, most strings are beginnings: what they might stand for can wait.
    wanted = [word for word in words if not quick or word in explorer.bundle.vocabulary]
    resolutions = [explorer.resolve(word) for word in wanted]
    known = [resolution for resolution in resolutions if resolution is not None]
    context: dict[str, Any] = {
        "words_language": explorer.bundle.language,
        "typed": words,
        "resolutions": resolutions,
        "suggestions": [
            word for word in explorer.suggestions(words[-1] if words else "") if word not in words
        ],
        "examples": [] if words else _examples(explorer),
        "columns": (),
        "maps": (),
        "compared": (),
        "network": None,
        "address": address,
        "quick": quick,
    }
    if len(known) < len(words):
        return context
    match known:
        case [word]:
            context["columns"] = explorer.columns(word, language, with_reasons=not quick)
            context["maps"] = () if quick else explorer.maps(word)
        case [a, b] if a.word != b.word:
            context["compared"] = explorer.comparison(a, b, language)
            context["network"] = None if quick else explorer.network(a, b)
    return context


def _examples(explorer: Explorer) -> list[str]:
    """A few words to begin with: board words that the bundle knows, else frequent words."""
    bundle = explorer.bundle
    try:
        words = [word for word in words_to_deal(bundle) if word in bundle.vocabulary]
    except NoBoardWords:
        words = []
    words = words or bundle.vocabulary.words[:100]
    return words[:: max(1, len(words) // EXAMPLES)][:EXAMPLES]


ROUTES = [
    Route("/explore", start),
    Route("/explore/{language}/{word}", explore),
    Route("/explore/{language}/{word}/{other}", explore),
]
