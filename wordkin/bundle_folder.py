"""The folder of a bundle, which is self-contained:

    bundle.json        what it is, where it came from, and the size and SHA-256 of each file
    vocabulary.tsv     word, count, documents, familiarity; the id of a word is its line number
    lemmas.tsv         word, lemma, of each word that is not its own lemma (left out when there
                       are no lemmas)
    npmi/ graph/ ...   one folder per measure, in the format of `wordkin.measures`
    subwords/          vectors for any string (`wordkin.language.subwords`); optional

Arrays are plain `.npy` files that are mapped into memory; nothing is ever unpickled.
`docs/reference/bundle.md` shows a whole bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wordkin import manifest
from wordkin.bundle import LEMMAS_HEADER, Bundle
from wordkin.errors import InputError
from wordkin.files import link_or_copy, new_folder, write_text
from wordkin.language.subwords import FOLDER as SUBWORDS
from wordkin.language.subwords import Subwords, open_subwords, write_subwords
from wordkin.measures.files import describe
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary


def write_bundle(
    folder: Path,
    *,
    language: str,
    vocabulary: Path,
    measures: Mapping[str, Path],
    default: str,
    lemmas: Sequence[str] | None = None,
    subwords: Subwords | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write a bundle; an old one stays until the new one is complete.

    Parameters
    ----------
    folder : Path
        Where to write. A bundle that is already there is replaced as a whole.
    language : str
        The code of the language.
    vocabulary : Path
        The `vocabulary.tsv` of this build.
    measures : mapping of str to Path
        The folder of each measure, in the order in which they are shown.
    default : str
        The measure to use when none is named.
    lemmas : sequence of str, optional
        The lemma of each word of the vocabulary. A clue must not share a lemma with a card.
    subwords : Subwords, optional
        Vectors of n-grams, so that any string can be resolved to known words.
    facts : mapping, optional
        Where everything came from: `parameters`, `sources`, `tokens`, `evaluation`, ...
    """
    if default not in measures:
        raise InputError(
            f"The default measure '{default}' is not among the published ones "
            f"({', '.join(measures)}): add it to publish.measures."
        )
    words = Vocabulary.read(vocabulary).words
    _check_measures(measures, len(words))
    with new_folder(folder) as temporary:
        link_or_copy(vocabulary, temporary / "vocabulary.tsv")
        if lemmas is not None:
            lines = [
                f"{w}\t{lemma}\n" for w, lemma in zip(words, lemmas, strict=True) if w != lemma
            ]
            write_text(temporary / "lemmas.tsv", f"{LEMMAS_HEADER}\n{''.join(lines)}")
        for name, source in measures.items():
            (temporary / name).mkdir()
            for file in sorted(source.iterdir()):
                if file.suffix in {".npy", ".json"}:
                    link_or_copy(file, temporary / name / file.name)
        if subwords is not None:
            write_subwords(temporary / SUBWORDS, subwords)
        about = {
            **(facts or {}),
            "language": language,
            "words": len(words),
            "default": default,
            "measures": [{**describe(temporary / name), "measure": name} for name in measures],
        }
        manifest.write_manifest(temporary, about)


def _check_measures(measures: Mapping[str, Path], words: int) -> None:
    """Refuse measures of another vocabulary, and those whose parts are not published too."""
    for name, source in measures.items():
        description = describe(source)
        if description["words"] != words:
            raise InputError(
                f"The measure in {source} has {description['words']} words and the vocabulary "
                f"{words}: they come from different builds, make them again."
            )
        for part in description.get("parts", ()):
            if part["measure"] not in measures:
                raise InputError(
                    f"The measure '{name}' is made of '{part['measure']}' among others: publish "
                    "that too."
                )


def check_numbers(folder: Path) -> list[str]:
    """Check every word and every number of a bundle whose files are intact.

    Parameters
    ----------
    folder : Path
        The folder of the bundle.

    Returns
    -------
    list of str
        What is wrong, one sentence each; empty if the bundle is whole.
    """
    bundle = Bundle.open(folder)
    words = bundle.vocabulary
    checks: list[Callable[[], object]] = [
        lambda: bundle.lemmas,
        lambda: open_subwords(folder / SUBWORDS, len(words), thorough=True),
        *(partial(open_measure, folder / name, words, thorough=True) for name in bundle.measures),
    ]
    problems = []
    for check in checks:
        try:
            check()
        except InputError as error:
            problems.append(str(error))
    return problems
