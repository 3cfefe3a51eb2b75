"""`wordkin related`, `nearest` and `why`: how words are related."""

from __future__ import annotations

from dataclasses import asdict

import click

from wordkin.cli import output
from wordkin.cli.options import Chosen, bundle_options, json_option
from wordkin.language.resolved import Resolved
from wordkin.measures.parts import Blended
from wordkin.ranges import Whole
from wordkin.texts import reasons, texts
from wordkin.words import normal


@click.command()
@json_option
@bundle_options
@click.argument("words", nargs=2, metavar="WORD WORD")
def related(chosen: Chosen, words: tuple[str, str], as_json: bool) -> None:
    """Show how related two words are, by one measure or by all."""
    bundle = chosen.open()
    a, b = (normal(word, bundle.language) for word in words)
    unknown = [item for item in map(bundle.resolve, (a, b)) if not item.known]
    values = {name: bundle.relatedness(a, b, name) for name in chosen.measures(bundle)}
    if as_json:
        output.print_json({"a": a, "b": b, "relatedness": values, **output.resolved(unknown)})
        return
    rows = [(name, f"{value:.3f}") for name, value in values.items()]
    output.print_table(output.header(chosen.lang, "measure", "relatedness"), rows)
    output.print_resolved(chosen.lang, unknown)


@click.command()
@json_option
@bundle_options
@click.argument("word")
@click.option("-k", type=Whole(1), default=10, help="The number of words.")
def nearest(chosen: Chosen, word: str, k: int, as_json: bool) -> None:
    """List the words that are most related to a word, closest first."""
    bundle = chosen.open()
    query = bundle.resolve(normal(word, bundle.language))
    neighbours = bundle.nearest(query.word, k, chosen.measure)
    unknown = [] if query.known else [query]
    if as_json:
        entries = [{"word": near, "relatedness": value} for near, value in neighbours]
        output.print_json([{**entry, **output.resolved(unknown)} for entry in entries])
        return
    # A measure of few pairs has no relatedness to most words; those would be any words.
    rows = [(near, f"{value:.3f}") for near, value in neighbours if value]
    if rows:
        output.print_table(output.header(chosen.lang, "word", "relatedness"), rows)
    if len(rows) < len(neighbours):
        output.print_lines(texts(chosen.lang)["no_other_related"].format(word=query.word))
    output.print_resolved(chosen.lang, unknown)


@click.command()
@json_option
@bundle_options
@click.argument("words", nargs=2, metavar="WORD WORD")
def why(chosen: Chosen, words: tuple[str, str], as_json: bool) -> None:
    """Show why two words are related, by one measure or by all."""
    bundle = chosen.open()
    a, b = (normal(word, bundle.language) for word in words)
    explanations = {name: bundle.explain(a, b, name) for name in chosen.measures(bundle)}
    if as_json:
        output.print_json({name: asdict(reason) for name, reason in explanations.items()})
        return
    text, rows = reasons(chosen.lang), []
    for name, reason in explanations.items():
        # What unknown words stand for is the same for all measures, so it is said once below.
        inner = reason.reason if isinstance(reason, Resolved) else reason
        if isinstance(inner, Blended) and all(p.measure in explanations for p in inner.parts):
            line = inner.sum(text)  # the reasons of its parts have rows of their own
        else:
            line = inner.line(text)
        rows.append((name, f"{reason.relatedness:.3f}", line))
    output.print_table(output.header(chosen.lang, "measure", "relatedness", "why"), rows)
    output.print_resolved(
        chosen.lang, [item for item in map(bundle.resolve, (a, b)) if not item.known]
    )
