"""The pages of Explore: a word, two words, and the parts that scripts ask for while people type."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wordkin.errors import NoBoardWords
from wordkin.game.word_lists import words_to_deal
from wordkin.language.resolution import Resolution
from wordkin.web.answers import Refused, page, texts_of
from wordkin.web.explore.explorer import Explorer
from wordkin.web.visitors import visitor_of

EXAMPLES = 8
QUICK, WHOLE = "quick", "whole"
"""Parts of a page: what can be said while somebody types, and everything."""


async def start(request: Request) -> Response:
    """The start of Explore. A form that was sent leads to the address of its words."""
    site, query = request.app.state.site, request.query_params
    language = query.get("words") or site.bundle_for(visitor_of(request).language).language
    explorer = site.explorers.of(language)
    word, other = explorer.form(query.get("word", "")), explorer.form(query.get("other", ""))
    if word or other:
        return RedirectResponse(address(language, *filter(None, (word, other))), 303)
    return page(request, "explore/explore.html", **_empty(explorer))


async def explore(request: Request) -> Response:
    """One word, or two words; or only a part of the page for a script."""
    site, part = request.app.state.site, request.query_params.get("part")
    explorer = site.explorers.of(request.path_params["language"])
    typed = [request.path_params["word"], request.path_params.get("other", "")]
    words = [word for word in map(explorer.form, typed) if word]
    if not words:
        raise Refused(404, "missing")
    if not site.rates.checks.allows(visitor_of(request).id):
        raise Refused(429, "too_often")
    language, quick = texts_of(request).language, part == QUICK
    context = await site.explorers.run(lambda: _context(explorer, words, language, quick))
    if part in (QUICK, WHOLE):
        return page(request, "explore/result.html", **context)
    if context["columns"] or context["compared"]:
        # Nobody is typing: the words are what was meant.
        context["suggestions"] = []
    return page(request, "explore/explore.html", **context)


def address(language: str, *words: str) -> str:
    """The address of one word or two."""
    return "/".join(["/explore", quote(language, safe=""), *(quote(w, safe="") for w in words)])


def _empty(explorer: Explorer) -> dict[str, Any]:
    """What templates need when nothing was asked."""
    return {
        "words_language": explorer.bundle.language,
        "typed": [],
        "resolutions": [],
        "suggestions": [],
        "examples": _examples(explorer),
        "columns": (),
        "maps": (),
        "compared": (),
        "network": None,
        "address": address,
        "quick": False,
    }


def _context(explorer: Explorer, words: list[str], language: str, quick: bool) -> dict[str, Any]:
    """What templates need to show one word or two."""
    context = {**_empty(explorer), "typed": words, "quick": quick}
    context["suggestions"] = [
        word for word in explorer.suggestions.of(words[-1]) if word not in words
    ]
    # While somebody types, most strings are beginnings: what they might stand for can wait.
    wanted = [word for word in words if not quick or word in explorer.bundle.vocabulary]
    resolutions = [explorer.resolve(word) for word in wanted]
    context["resolutions"] = resolutions
    known = [resolution for resolution in resolutions if resolution is not None]
    if len(known) < len(words):
        return context
    if len(words) == 1:
        return {**context, **_one(explorer, known[0], language, quick)}
    return {**context, **_two(explorer, known[0], known[1], language, quick)}


def _one(explorer: Explorer, word: Resolution, language: str, quick: bool) -> dict[str, Any]:
    columns = explorer.columns(word, language, with_reasons=not quick)
    return {"columns": columns, "maps": () if quick else explorer.maps(word)}


def _two(
    explorer: Explorer, a: Resolution, b: Resolution, language: str, quick: bool
) -> dict[str, Any]:
    if a.word == b.word:
        return {}
    compared = explorer.comparison(a, b, language)
    return {"compared": compared, "network": None if quick else explorer.network(a, b)}


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
