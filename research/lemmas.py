"""How often each way to find lemmas is right, on types that were checked by hand.

    python -m research.lemmas [--root FOLDER] [--dictionaries FOLDER] [LANGUAGE ...]

`tests/pipeline/languages/lemmas/<language>.tsv` has 300 types of a language, at equal steps of
their rank, each with its lemma (or several that are right, with | between them). Every other row is
for development, the rest for the test. Hunspell's dictionary and the counts of types are those of
the build in the root, if it has them; types that its corpus lacks count once.

Other dictionaries of Hunspell name stems only, not what a form can be. They are compared where
there is a file such as tr_TR.aff, and its .dic file, anywhere below the folder of dictionaries: of
several stems, the one that is the most frequent in the corpus is the lemma, then the first.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import simplemma
from hunspell import Hunspell

from pipeline.languages import language
from pipeline.languages.table import simplemma_code
from pipeline.layout import Layout
from pipeline.words.lemmas import (
    analyses_of,
    dictionary_file,
    lemmas_by_dictionary,
    lemmas_of_types,
    name_of,
)
from pipeline.words.type_counts import read_types, totals

CHECKED = Path(__file__).parent.parent / "tests/pipeline/languages/lemmas"

INFINITIVES = {"tr": ("mak", "mek")}
"""Endings of dictionary entries that our files of checked types leave out."""

Lemmas = Mapping[str, str]


def read_checked(path: Path) -> dict[str, list[str]]:
    """The types of a file, each with all lemmas that are right."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return {form: lemmas.split("|") for form, lemmas in rows}


def is_right(lemma: str, right: Sequence[str], code: str) -> bool:
    """Whether a lemma is among the right ones, as a stem or as an infinitive."""
    endings = INFINITIVES.get(code, ())
    stems = [lemma.removesuffix(ending) for ending in endings if lemma.endswith(ending)]
    return any(form in right for form in (lemma, *stems))


def share_right(lemmas: Lemmas, checked: Mapping[str, list[str]], start: int, code: str) -> float:
    """The share of right lemmas in every other row, from the row `start`."""
    rows = list(checked.items())[start::2]
    return sum(is_right(lemmas[form], right, code) for form, right in rows) / len(rows)


def stems(affixes: Path, checked: Sequence[str], counts: Mapping[str, int], code: str) -> Lemmas:
    """The lemmas by a Hunspell dictionary that names stems only."""
    dictionary, normal = Hunspell(affixes.stem, str(affixes.parent)), language(code).normal
    found = {form: dictionary.stem(form) or dictionary.stem(name_of(form)) for form in checked}
    return {
        form: max(map(normal, named), key=lambda lemma: counts.get(lemma, 0), default=form)
        for form, named in found.items()
    }


def ways(
    layout: Layout, checked: Sequence[str], dictionaries: Path | None = None
) -> dict[str, Lemmas]:
    """The lemmas of the checked types by each way that the build allows."""
    code, spoken = layout.language, language(layout.language)
    dictionary = simplemma_code(code)
    found: dict[str, Lemmas] = {
        "the form itself": {form: form for form in checked},
        "simplemma": {
            form: spoken.normal(simplemma.lemmatize(form, lang=dictionary)) for form in checked
        },
    }
    counts = dict.fromkeys(checked, 1)
    if any(layout.types.glob("part-*.parquet")):
        words, numbers = totals(read_types(layout.types))
        counts |= zip(words.to_pylist(), numbers.tolist(), strict=True)
    types = sorted(counts)
    numbers = np.array([counts[form] for form in types], np.int64)

    def of_corpus(lemmas: list[str]) -> Lemmas:
        return dict(zip(types, lemmas, strict=True))

    found["simplemma, no artefacts"] = of_corpus(lemmas_of_types(types, numbers, code))
    if code == "hu" and layout.resources.is_file():
        analyze = analyses_of(dictionary_file(layout))
        ones = np.ones(len(types), np.int64)
        found["Hunspell"] = of_corpus(lemmas_by_dictionary(types, ones, analyze))
        found["Hunspell and the corpus"] = of_corpus(lemmas_by_dictionary(types, numbers, analyze))
    elif affixes := sorted(dictionaries.rglob(f"{code}_*.aff")) if dictionaries else []:
        found["Hunspell and the corpus"] = stems(affixes[-1], checked, counts, code)
    return found


def table(root: Path, codes: Sequence[str], dictionaries: Path | None = None) -> list[str]:
    """The table as lines of Markdown."""
    lines = ["| language | lemmas by | development | test |", "|---|---|--:|--:|"]
    for code in codes:
        checked = read_checked(CHECKED / f"{code}.tsv")
        for name, lemmas in ways(Layout(root, code), list(checked), dictionaries).items():
            shares = [share_right(lemmas, checked, start, code) for start in (0, 1)]
            lines.append(f"| {code} | {name} | {shares[0]:.3f} | {shares[1]:.3f} |")
    return lines


def main() -> None:
    """Print the table."""
    known = sorted(path.stem for path in CHECKED.glob("*.tsv"))
    command = argparse.ArgumentParser(description=__doc__)
    command.add_argument("languages", nargs="*", metavar="language", choices=[*known, []])
    command.add_argument("--root", type=Path, default=Path(), help="a project with builds")
    command.add_argument("--dictionaries", type=Path, help="a folder with Hunspell dictionaries")
    given = command.parse_args()
    lines = table(given.root.resolve(), given.languages or known, given.dictionaries)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
