"""The lemma of each word of a corpus: decided once per build, and used wherever tokens are read.

Token shards have the forms of the text, whatever the settings. Where a language is counted by
lemma, the stage vocabulary decides the lemma of each distinct word (`lemmas_of_types`) and writes a
table of them beside the vocabulary. Whatever reads tokens maps their types by this table.

    form     string    each type of the corpus, in the order of code points
    lemma    string    its lemma

A Hunspell dictionary with morphological data, as the Hungarian one, analyses a form in every way
that the language allows:

    terem    st:terem po:noun ts:NOM                         terem, hall
             st:tér po:noun ts:PLUR ts:NOM is:POSS_SG_1      tér, square: "my squares"
    futott   st:futott po:adj ts:NOM                         futott, run (participle)
             st:fut po:vrb ... is:PAST_INDIC_INDEF_SG_3      fut, to run

Which one is meant is decided by the kind of the analyses, then by the corpus: the lemma whose other
forms are more frequent. A word that the dictionary does not have loses an ending only if the rest
is a word of the corpus that is at least as frequent. So no lemma is made up.

Of a large corpus, the rarest forms, which are most of them, are not looked up but go by the last
rule: a lookup takes longer than reading a hundred tokens. Tasks look the others up side by side.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from hunspell import Hunspell
from numpy.typing import NDArray

from pipeline.engine import Engine
from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.languages.dictionary import SHORT_VOWELS, SHORTEST_STEM
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.files import new_file

NAME = "lemmas.parquet"
"""The table's name in the vocabulary folder; a language that is counted by form has no table."""


Analyze = Callable[[str], Sequence[str]]
"""All analyses of a form; none if the dictionary does not have it."""


class FormsOfWords(NamedTuple):
    """Forms, and for each of them the place of its word in a list of words."""

    forms: pa.StringArray
    places: NDArray[np.int64]


class LemmaTable:
    """The lemmas of a corpus, as the file has them."""

    def __init__(self, forms: pa.StringArray, lemmas: pa.StringArray) -> None:
        self.forms, self.lemmas = forms, lemmas

    @classmethod
    def of_vocabulary(cls, folder: Path) -> LemmaTable | None:
        """The table of a vocabulary folder; None where words are counted by form."""
        path = folder / NAME
        if not path.is_file():
            return None
        table = pq.read_table(path).combine_chunks()
        return cls(*(_whole(table[name]) for name in ("form", "lemma")))

    def write(self, folder: Path) -> None:
        """Write the table to a vocabulary folder."""
        table = pa.table({"form": self.forms, "lemma": self.lemmas})
        with new_file(folder / NAME) as temporary:
            pq.write_table(
                table, temporary, compression="zstd", use_dictionary=False, write_statistics=False
            )

    def map(self, types: pa.StringArray) -> pa.StringArray:
        """The lemma of each type; a type that the table does not have stays as it is."""
        return pc.coalesce(self.lemmas.take(pc.index_in(types, value_set=self.forms)), types)

    def forms_of(self, words: Sequence[str]) -> FormsOfWords:
        """All forms of some words, which are lemmas."""
        place = pc.index_in(self.lemmas, value_set=pa.array(words, pa.string()))
        is_wanted = pc.is_valid(place)
        places = place.filter(is_wanted).to_numpy().astype(np.int64)
        return FormsOfWords(self.forms.filter(is_wanted), places)

    def lemma(self, word: str) -> str:
        """The lemma of a word; the word itself if the corpus does not have it."""
        return self._by_form.get(word, word)

    @cached_property
    def _by_form(self) -> dict[str, str]:
        return dict(zip(self.forms.to_pylist(), self.lemmas.to_pylist(), strict=True))


def _whole(column: pa.ChunkedArray) -> pa.StringArray:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def lemmas_of_types(
    types: Sequence[str],
    counts: NDArray[np.int64],
    code: str,
    analyze: Analyze | None = None,
    unchanged: Collection[str] = (),
) -> list[str]:
    """The lemma of each type of a corpus, by its language and by what the corpus has.

    The types are distinct, in the order of code points, and all that the corpus has; `counts` are
    their numbers of tokens. With the analyses of a Hunspell dictionary, they decide. Without, a
    lemma that is neither a word of the corpus nor of the language's dictionary is an artefact, and
    the type stays as it is. Words of `unchanged`, such as those of boards, always do.
    """
    spoken = language(code)
    if analyze is not None:
        fixed = {*unchanged, *spoken.stop_words()}
        return lemmas_by_dictionary(types, counts, analyze, fixed)
    occurs = set(types)

    def lemma_of(word: str) -> str:
        if word in unchanged:
            return word
        lemma = spoken.lemma(word)
        return lemma if lemma in occurs or spoken.is_word(lemma) else word

    return [lemma_of(word) for word in types]


def dictionary_file(layout: Layout) -> Path:
    """The .aff file of the Hunspell dictionary that the stage fetch has left."""
    files = read_resource(layout, "dictionary").files
    affixes = [file for file in files if file.suffix == ".aff"]
    if len(affixes) != 1 or affixes[0].with_suffix(".dic") not in files:
        raise InputError(
            f"lemmas.dictionaries.{layout.language} has the files "
            f"{', '.join(file.name for file in files) or 'none'}; it must be one .aff file and the "
            ".dic file of the same name."
        )
    return affixes[0]


def lemmas_of_words(layout: Layout, words: Sequence[str]) -> list[str]:
    """The lemma of each word as counting used it; by the language alone where it counts forms."""
    table = LemmaTable.of_vocabulary(layout.vocabulary)
    return (
        [table.lemma(word) for word in words] if table else language(layout.language).lemmas(words)
    )


def gold_form(layout: Layout) -> Callable[[str], str]:
    """The function from a gold word to its form in the vocabulary, by the rules of the corpus.

    An entry of several words keeps its spaces, so that no vocabulary has it.
    """
    return form_of_words(layout.language, LemmaTable.of_vocabulary(layout.vocabulary))


def form_of_words(code: str, table: LemmaTable | None) -> Callable[[str], str]:
    """The same, with the lemmas of a table that is not written yet; None counts by form."""
    words_of = language(code).words
    lemma = table.lemma if table else str
    return lambda text: " ".join(map(lemma, words_of(text)))


# ── the analyses of a Hunspell dictionary ─────────────────────────────────────────────────────

RAREST = 20_000_000
"""A form is looked up if the corpus has it more than once per this many tokens."""

_FIELD = re.compile(r"(pa|sp|st|po|ds|is):(\S+)")
_ALTERNATIVES = re.compile(r"\(([^|()]*)(?:\|[^()]*)?\)")

# Hunspell calls these derivations (ds:), but they keep the meaning: a participle of the past, what
# may be done, an adverb, a comparative.
_KEEPS_MEANING = ("tt_PASTPART", "hAt_MODAL", "An_MODE", "bb_COMPARATIVE")
# And these it calls inflections (is:), but they make new words: from a place, with a quality, so
# large, an ordinal, a fraction, a family.
_MAKES_WORD = ("i_PLACE", "jÚ_PROPERTY", "nyi_MEASURE", "dik_ORDINAL", "d_FR", "ék_FAMILIAR")


class Reading(NamedTuple):
    """One way to read a form."""

    lemma: str | None
    """None if the form is an inflected derivation, whose base the analysis does not spell."""
    is_base: bool
    """Whether the form is its own lemma."""
    is_past: bool
    """Whether it is a past tense or a participle of the past."""
    is_adjective: bool
    """Whether it is an entry of the dictionary as an adjective, as many participles are."""


def read_analysis(word: str, analysis: str) -> Reading | None:
    """What an analysis says; None if it names no stem."""
    front, surface, prefix, stem, part_of_speech = "", "", "", "", ""
    tags: list[tuple[str, str]] = []
    for key, value in _FIELD.findall(_ALTERNATIVES.sub(r"\1", analysis)):
        match key:
            case "pa":  # a part of a compound: all but the last stay as they are written
                front, surface = front + surface, value
                prefix, stem, part_of_speech, tags = "", "", "", []
            case "sp":
                prefix += value
            case "st":
                stem = stem or value
            case "po":
                part_of_speech = part_of_speech or value
            case _ if value != "NOM":
                tags.append((key, value))
    if not stem:
        return None
    makes_word = [
        value.startswith(_MAKES_WORD) or (key == "ds" and not value.startswith(_KEEPS_MEANING))
        for key, value in tags
    ]
    if any(makes_word):
        is_base = makes_word[-1]
        return Reading(word if is_base else None, is_base, False, False)
    lemma = (front + prefix + stem).lower()
    is_base = lemma == word and not tags
    is_past = any(value.startswith(("PAST", "tt_PASTPART")) for _, value in tags)
    return Reading(lemma, is_base, is_past, is_base and part_of_speech == "adj")


OUTWEIGHS = 3.0
"""How many times more frequent the forms of a verb must be for its past tense to outweigh an entry
of the same spelling: ment, went (megy), although there is ment, to rescue."""


def choose(word: str, readings: Sequence[Reading], weight: Mapping[str, float]) -> str | None:
    """The lemma of a form that the dictionary reads; `weight` are the tokens of each lemma.

    None if no reading spells a lemma.
    """
    lemmas = [reading.lemma for reading in readings if reading.lemma and not reading.is_base]
    if not any(reading.is_base for reading in readings):
        return max(lemmas, key=lambda lemma: weight.get(lemma, 0.0)) if lemmas else None
    past = [reading.lemma for reading in readings if reading.lemma and reading.is_past]
    if not past:
        return word
    heaviest = max(past, key=lambda lemma: weight.get(lemma, 0.0))
    entries = [reading for reading in readings if reading.is_base and not reading.is_adjective]
    if entries and weight.get(heaviest, 0.0) < OUTWEIGHS * max(weight.get(word, 0.0), 1.0):
        return word
    return heaviest


_OWNER = "(?:j?[aeáé]|[aoeö]?[md]|j?[uü]k|[uü]?nk|[aoe]t[oe]k|j?[ae]i(?:[mdk]|nk|t[oe]k)?|i[mdk]?)"
_CASE = (
    "(?:[aoeö]?t|[bn][ae]|[bn][ae]n|b[óő]l|r[ae]|r[óő]l|t[óő]l|n[ae]k|n[áé]l|h[oeö]z|v[ae]l|ig|ért|"
    "[oeö]?n|ként|kor|[aoeö]?k(?:[ae]t|b[ae]n?|b[óő]l|r[ae]|r[óő]l|t[óő]l|n[ae]k|n[áé]l|h[oeö]z|"
    "k[ae]l|ig|ért|[oe]n)?)"
)
_ENDING = re.compile(f"{_OWNER}?{_CASE}?|i")
_DOUBLED = re.compile("([bcdfghjklmnprstvz])\\1[ae]l")
_SHORTEST_UNKNOWN = 4
"""The letters of a word without an entry in the dictionary: the shorter, the more by chance."""


def stems_in_corpus(word: str, counts: Mapping[str, int]) -> list[str]:
    """The words of the corpus that a form may be an inflected form of, the longest first."""
    stems = []
    if doubled := _DOUBLED.search(word[SHORTEST_STEM - 1 :]):  # Spencerrel: Spencer
        stem = word[: SHORTEST_STEM - 1 + doubled.start() + 1]
        if word.endswith(doubled[0]) and stem in counts:
            stems.append(stem)
    for cut in range(len(word) - 1, SHORTEST_STEM - 1, -1):
        if _ENDING.fullmatch(word[cut:]):
            stem = word[:cut]
            short = stem[:-1] + stem[-1].translate(SHORT_VOWELS)  # almá-t: alma
            stems += [form for form in dict.fromkeys((short, stem)) if form in counts]
    return stems


def is_looked_up(counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each type of a corpus is frequent enough to be looked up in a dictionary."""
    return counts > counts.sum() / RAREST


def lemmas_by_dictionary(
    types: Sequence[str],
    counts: NDArray[np.int64],
    analyze: Analyze,
    unchanged: Collection[str] = (),
) -> list[str]:
    """The lemma of each type of a Hungarian corpus, whose numbers of tokens are `counts`.

    Words of `unchanged` (stop words, the words of boards) stay as they are.
    """
    count_of = dict(zip(types, counts.tolist(), strict=True))
    readings = {
        word: _readings(word, analyze) if looked_up and word not in unchanged else ()
        for word, looked_up in zip(types, is_looked_up(counts).tolist(), strict=True)
    }
    weight = _weights(readings, count_of)
    bases = {
        word
        for word, ways in readings.items()
        if word in unchanged or any(way.is_base for way in ways)
    }
    return [
        word if word in unchanged else _lemma(word, readings[word], weight, count_of, bases)
        for word in types
    ]


def analyses_of_form(word: str, analyze: Analyze) -> tuple[str, Sequence[str]]:
    """The analyses of a form, or of the name that it is with a capital letter, and which it was."""
    analyses = analyze(word)
    return (word, analyses) if analyses else (name_of(word), analyze(name_of(word)))


def name_of(word: str) -> str:
    """The word with a capital letter."""
    return word[:1].upper() + word[1:]


def _readings(word: str, analyze: Analyze) -> tuple[Reading, ...]:
    """All readings of a form, or those of the name that it is with a capital letter."""
    _, analyses = analyses_of_form(word, analyze)
    found = (read_analysis(word, analysis) for analysis in analyses)
    return tuple(dict.fromkeys(reading for reading in found if reading))


def _weights(
    readings: Mapping[str, Sequence[Reading]], count_of: Mapping[str, int]
) -> dict[str, float]:
    """The tokens of each lemma: all of a form that can only be its form, else an equal share."""
    weight: dict[str, float] = defaultdict(float)
    for word, ways in readings.items():
        lemmas = {way.lemma for way in ways if way.lemma}
        for lemma in lemmas:
            weight[lemma] += count_of[word] / len(lemmas) ** 2
    return weight


def _lemma(
    word: str,
    readings: Sequence[Reading],
    weight: Mapping[str, float],
    count_of: Mapping[str, int],
    bases: Collection[str],
) -> str:
    if readings:
        chosen = choose(word, readings, weight)
        if chosen is not None:
            return chosen
        return next((stem for stem in stems_in_corpus(word, count_of) if stem in bases), word)
    stems = [stem for stem in stems_in_corpus(word, count_of) if len(stem) >= _SHORTEST_UNKNOWN]
    return next((stem for stem in stems if count_of[stem] >= count_of[word]), word)


TASK_TYPES = 5_000
"""The types that a task analyses, which takes half a second."""


@cache
def analyses_of(affixes: Path) -> Analyze:
    """The analyses of a Hunspell dictionary by the path of its .aff file.

    A process opens a dictionary once, which takes half a second, however many tasks it has.
    """
    analyze: Analyze = Hunspell(affixes.stem, hunspell_data_dir=str(affixes.parent)).analyze
    return analyze


def analyses_of_types(engine: Engine, affixes: Path, types: Sequence[str]) -> Analyze:
    """The analyses of all types of a corpus."""

    def look_up(words: Sequence[str]) -> dict[str, Sequence[str]]:
        return dict(analyses_of_form(word, analyses_of(affixes)) for word in words)

    tasks = [types[start : start + TASK_TYPES] for start in range(0, len(types), TASK_TYPES)]
    found = engine.each(look_up, tasks, "analysing types")
    known = dict(chain.from_iterable(map(dict.items, found)))
    return lambda word: known.get(word, ())
