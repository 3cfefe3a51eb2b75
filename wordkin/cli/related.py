"""`wordkin related`: the relatedness of two words."""

from __future__ import annotations

from argparse import Namespace

from wordkin.cli import options, output
from wordkin.cli.command import Command


def run(given: Namespace) -> None:
    """Print the relatedness of two words by one measure or by all."""
    bundle = options.open_bundle(given)
    a, b = options.given_pair(given, bundle)
    unknown = [item for item in map(bundle.resolve, (a, b)) if not item.known]
    names = options.chosen_measures(given, bundle)
    values = {name: bundle.relatedness(a, b, name) for name in names}
    if given.json:
        output.print_json({"a": a, "b": b, "relatedness": values, **output.resolved(unknown)})
        return
    rows = [(name, f"{value:.3f}") for name, value in values.items()]
    output.print_table(output.header(given, "measure", "relatedness"), rows)
    output.print_resolved(given, unknown)


COMMAND = Command(
    "related",
    "show how related two words are",
    options.add_pair_options,
    run,
    example="related cat dog",
)
