"""Tokens to the vocabulary: the most frequent words that are not stop words, and how familiar
people are with them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic.dataclasses import dataclass

from pipeline.engine import Engine
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import LanguageVocabulary, Section
from pipeline.stage import Job, Metrics, Stage
from pipeline.words import token_shards
from pipeline.words.familiarity import Corpus, familiarity
from pipeline.words.lemmas import (
    LemmaTable,
    analyses_of_types,
    dictionary_file,
    form_of_words,
    is_looked_up,
    lemmas_of_types,
)
from pipeline.words.translations import (
    BilingualDictionary,
    Translated,
    borrowed_words,
    read_translations,
)
from pipeline.words.type_counts import (
    WordStatistics,
    count_words,
    documents_of_lemmas,
    read_types,
    totals,
)
from wordkin.errors import InputError
from wordkin.files import new_folder, read_words, write_text
from wordkin.rated_pairs import read_pairs
from wordkin.vocabulary import Vocabulary


@dataclass(frozen=True, config=KNOWN_KEYS)
class VocabularySettings(Section):
    """Which words may enter any language's vocabulary, and which of them may be clues."""

    KEY = "vocabulary"

    minimum_count: Annotated[Whole, between(1)] = 3
    familiarity: Annotated[Number, between(0, 1)] = 0.85


SHORT_WORD = 3  # letters
DERIVED_SHARE, DERIVED_MOST = 0.3, 100
"""Stop words of a language without a list: the most frequent words, up to this share of the tokens
and this number of words. Function words are the head of every Zipf curve. A hundred is a cautious
limit, because losing a content word is worse than keeping a function word."""


def run(job: Job) -> Metrics:
    """Make matrices/<lang>/vocabulary: vocabulary.tsv, stop_words.txt and perhaps the lemmas."""
    settings, language = job.settings.section(VocabularySettings), job.language
    is_small = token_shards.is_small(token_shards.shard_files(job.layout.tokens))
    with job.engine(is_small) as engine:
        return make_vocabulary(
            job.layout,
            settings,
            language.vocabulary,
            language.lemmatize,
            engine,
            has_dictionary=job.layout.language in job.settings.lemmas.dictionaries,
            dictionaries=job.settings.section(Translated).dictionaries.get(job.layout.language, ()),
        )


def make_vocabulary(
    layout: Layout,
    settings: VocabularySettings,
    wanted: LanguageVocabulary,
    lemmatize: bool,
    engine: Engine,
    has_dictionary: bool = False,
    dictionaries: Sequence[BilingualDictionary] = (),
) -> Metrics:
    """Choose the words of a language's matrices and write them to its vocabulary folder.

    Where the corpus has too few words, those of bilingual dictionaries fill the room that is left.
    The engine is used only where words are counted by lemma: a dictionary analyses all types, and
    the tokens are read again to find out which documents have a lemma.
    """
    spoken = language(layout.language)
    types = read_types(layout.types)
    named = [*read_words(layout.boards), *wanted.include]
    included = [word for name in named for word in spoken.words(name)]
    lemmas = make_lemmas(layout, types, included, has_dictionary, engine) if lemmatize else None
    rated = gold_words(layout, wanted.gold, lemmas)
    fixed = None if wanted.words == "auto" else _read_tokens(layout, wanted.words)
    listed = _listed_stop_words(layout, wanted.stop_words)
    translations = read_translations(layout, dictionaries) if fixed is None else "fixed words"
    lent = {} if isinstance(translations, str) else translations.weights
    most = wanted.size + DERIVED_MOST + len(listed or ())
    counted = count_words(types, lemmas, most, {*included, *rated, *(fixed or ()), *lent})
    candidates = counted.candidates
    stop_words, origin = listed or frozenset(), wanted.stop_words
    if listed is None:
        stop_words, origin = derive_stop_words(candidates, counted.tokens), "corpus"
    elif origin == "auto" and spoken.has_short_stop_words:
        stop_words, origin = stop_words | short_frequent_words(candidates), "list and corpus"
    named_words = {*included, *rated}
    chosen = choose(candidates, wanted.size, stop_words, named_words, settings.minimum_count, fixed)
    borrowed: list[str] = []
    if lent and len(chosen) < wanted.size:
        tokens_of = dict(zip(candidates.words, candidates.counts.tolist(), strict=True))
        others = borrowed_words(lent, spoken, tokens_of, stop_words.union(chosen))
        borrowed = others[: wanted.size - len(chosen)]
        named_words.update(borrowed)
        chosen = choose(candidates, wanted.size, stop_words, named_words, settings.minimum_count)
    if len(chosen) < 2:
        raise InputError(
            f"The corpus of '{layout.language}' has fewer than two words that are not stop words: "
            "give it more text."
        )
    statistics = candidates.select(chosen)
    if lemmas:
        shards = token_shards.shard_files(layout.tokens)
        documents = documents_of_lemmas(engine, shards, chosen, lemmas)
        statistics = statistics._replace(documents=documents)
    corpus = Corpus(counted.tokens, pc.count_distinct(types["source"]).as_py())
    familiar = familiarity(statistics, corpus, spoken).round(3)
    only_rated = stop_words.intersection(rated).difference(included)
    familiar[[word in only_rated for word in chosen]] = 0.0  # no clue says so little
    with new_folder(layout.vocabulary) as folder:
        if lemmas:
            lemmas.write(folder)
        vocabulary = Vocabulary(chosen, statistics.counts, statistics.documents, familiar)
        vocabulary.write(folder / "vocabulary.tsv")
        write_text(folder / "stop_words.txt", "".join(f"{w}\n" for w in sorted(stop_words)))
    counts = statistics.counts
    return {
        "words": len(chosen),
        "tokens": counted.tokens,
        "types": counted.types,
        "coverage": round(float(counts.sum()) / counted.tokens, 6),
        "rarest_count": int(counts.min()),
        "stop_words": len(stop_words),
        "stop_words_from": origin,
        "included_unseen": int((counts == 0).sum()),
        "borrowed": len(borrowed),
        "gold_sets": wanted.gold,
        "lemmas": _way(lemmatize, has_dictionary),
        "familiarity": settings.familiarity,
        "familiar": int((familiar >= settings.familiarity).sum()),
    }


def _way(lemmatize: bool, has_dictionary: bool) -> str:
    """How lemmas were found, for people."""
    if not lemmatize:
        return "none"
    return "Hunspell and the corpus" if has_dictionary else "simplemma"


def make_lemmas(
    layout: Layout,
    types: pa.Table,
    unchanged: Sequence[str],
    has_dictionary: bool,
    engine: Engine,
) -> LemmaTable:
    """The lemma of each type of a corpus; each is lemmatized once, here and nowhere else."""
    words, counts = totals(types)
    analyze = None
    if has_dictionary:
        looked_up = words.filter(pa.array(is_looked_up(counts))).to_pylist()
        analyze = analyses_of_types(engine, dictionary_file(layout), looked_up)
    forms, fixed = words.to_pylist(), frozenset(unchanged)
    lemmas = lemmas_of_types(forms, counts, layout.language, analyze, fixed)
    return LemmaTable(words, pa.array(lemmas, pa.string()))


def gold_words(layout: Layout, names: Sequence[str], table: LemmaTable | None) -> list[str]:
    """The single words of the named gold sets of a language, sorted.

    `table` has the lemmas of the corpus; None where words are counted by form.
    """
    form = form_of_words(layout.language, table)
    words: set[str] = set()
    for name in names:
        path = layout.gold / f"{name}.tsv"
        if not path.is_file():
            available = ", ".join(sorted(path.stem for path in layout.gold.glob("*.tsv"))) or "none"
            raise InputError(
                f"languages.{layout.language}.vocabulary.gold: there is no gold set '{name}' "
                f"(there is {available}): name another one, or see eval/gold.yaml for where to get "
                "it."
            )
        words.update(form(word) for pair in read_pairs(path) for word in (pair.first, pair.second))
    return sorted(word for word in words if word and " " not in word)


def _listed_stop_words(layout: Layout, setting: str) -> frozenset[str] | None:
    """The stop words that are known without the corpus; None when they come from the corpus."""
    spoken = language(layout.language)
    if setting == "none":
        return frozenset()
    if setting == "auto":
        return spoken.stop_words() if spoken.has_stop_words else None
    return frozenset(_read_tokens(layout, setting))


def _read_tokens(layout: Layout, path: str) -> list[str]:
    """The words of a file in the form of tokens, without repetitions."""
    words_of = language(layout.language).words
    words = read_words(layout.root / path)
    return list(dict.fromkeys(token for word in words for token in words_of(word)))


def choose(
    candidates: WordStatistics,
    size: int,
    stop_words: frozenset[str],
    included: Collection[str],
    minimum_count: int,
    fixed: list[str] | None = None,
) -> list[str]:
    """The `size` most frequent words, ties broken by code point, and all included words.

    Included words that are frequent enough count towards the size. The others are added to it, even
    when the corpus does not have them. A `fixed` list replaces the most frequent words: it is taken
    in its order, up to `size`, so that words and ids stay the same when the corpus grows.
    """
    count_of = dict(zip(candidates.words, candidates.counts.tolist(), strict=True))

    def by_frequency(word: str) -> tuple[int, str]:
        return -count_of.get(word, 0), word

    frequent = (word for word, count in count_of.items() if count >= minimum_count)
    offered = sorted(frequent, key=by_frequency) if fixed is None else fixed
    chosen = [word for word in offered if word not in stop_words][:size]
    chosen += sorted(set(included).difference(chosen))
    return sorted(chosen, key=by_frequency) if fixed is None else chosen


def derive_stop_words(candidates: WordStatistics, tokens: int) -> frozenset[str]:
    """Stop words from the corpus alone, for a language without a list."""
    covered = np.cumsum(candidates.counts[:DERIVED_MOST])
    return frozenset(candidates.words[: int((covered <= DERIVED_SHARE * tokens).sum())])


def short_frequent_words(candidates: WordStatistics) -> frozenset[str]:
    """The short ones of the most frequent words, which complete a list of stop words.

    The words that people use most are the shortest: among the hundred most frequent words, those of
    up to three letters are nearly all function words, and the longer ones often are not (Ukrainian
    не, ще, вже; but україни, року).
    """
    return frozenset(word for word in candidates.words[:DERIVED_MOST] if len(word) <= SHORT_WORD)


def describe(metrics: Metrics) -> str:
    """What went in, what came out and what was dropped, in one line."""
    unseen, borrowed = metrics["included_unseen"], metrics["borrowed"]
    lent = f", {borrowed:,} rare or missing words from dictionaries" if borrowed else ""
    origins = {
        "corpus": " taken from the corpus",
        "list and corpus": " from a short list and the corpus",
    }
    origin = origins.get(metrics["stop_words_from"], "")
    return (
        f"{metrics['tokens']:,} tokens of {metrics['types']:,} types in, "
        f"{metrics['words']:,} words out ({metrics['coverage']:.1%} of the tokens, "
        f"{unseen:,} words not in the corpus{lent}, "
        f"{metrics['familiar']:,} familiar enough for clues); "
        f"dropped: {metrics['types'] - (metrics['words'] - unseen):,} types, by "
        f"{metrics['stop_words']:,} stop words{origin} and by frequency"
    )


STAGE = Stage(
    "vocabulary",
    run,
    describe,
    reads=("raw", "boards", "gold", "resource_downloads", "resources", "tokens", "types"),
    writes=("vocabulary",),
    section=VocabularySettings,
    params=(
        "languages.${key}.vocabulary",
        "languages.${key}.lemmatize",
        "lemmas",
        "translated.dictionaries",
    ),
    memory=lambda sizes, settings: (1300.0 if sizes.by_lemma else 400.0) * sizes.types,
)  # fmt: skip
