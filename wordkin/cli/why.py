"""`wordkin why`: why two words are related."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.language.resolving import Resolved
from wordkin.measures.parts import Blended
from wordkin.texts import reasons


def run(given: Namespace) -> None:
    """Print why two words are related, by one measure or by all."""
    bundle = options.open_bundle(given)
    a, b = options.given_pair(given, bundle)
    names = options.chosen_measures(given, bundle)
    explanations = {name: bundle.explain(a, b, name) for name in names}
    if given.json:
        output.print_json({name: asdict(reason) for name, reason in explanations.items()})
        return
    text = reasons(given.lang)
    rows = []
    for name, reason in explanations.items():
        # What unknown words stand for is the same for all measures, so it is said once below.
        inner = reason.reason if isinstance(reason, Resolved) else reason
        if isinstance(inner, Blended) and all(p.measure in explanations for p in inner.parts):
            why = inner.sum(text)  # the reasons of its parts have rows of their own
        else:
            why = inner.line(text)
        rows.append((name, f"{reason.relatedness:.3f}", why))
    output.print_table(output.header(given, "measure", "relatedness", "why"), rows)
    output.print_resolved(given, [item for item in map(bundle.resolve, (a, b)) if not item.known])


COMMAND = Command(
    "why",
    "show why two words are related",
    options.add_pair_options,
    run,
    example="why piano guitar --measure npmi",
)
