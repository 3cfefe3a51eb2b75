"""Tokens to the vocabulary: the most frequent words that are not stop words, and how familiar
people are with them.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.engine import SMALL_TOKENS, Engine
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.settings import LanguageVocabulary, VocabularySettings
from pipeline.stage import Job, Metrics
from pipeline.vector_settings import BilingualDictionary
from pipeline.words import token_shards
from pipeline.words.familiarity import Corpus, familiarity
from pipeline.words.lemmas import LemmaTable, dictionary_file, form_of_words, lemmas_of_types
from pipeline.words.morphology import Analyze, analyses_of_types, is_looked_up
from pipeline.words.translations import borrowed_words, read_translations
from pipeline.words.type_counts import (
    Totals,
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

SHORT_WORD = 3  # letters
DERIVED_SHARE, DERIVED_MOST = 0.3, 100
"""Stop words of a language without a list: the most frequent words, up to this share of the tokens
and this number of words. Function words are the head of every Zipf curve. A hundred is a cautious
limit, because losing a content word is worse than keeping a function word."""


def run(job: Job) -> Metrics:
    """Make matrices/<lang>/vocabulary: vocabulary.tsv, stop_words.txt and perhaps the lemmas."""
    settings, language = job.settings.vocabulary, job.language
    with job.engine() as engine:
        return make_vocabulary(
            job.layout,
            settings,
            language.vocabulary,
            language.lemmatize,
            engine,
            has_dictionary=job.layout.language in job.settings.lemmas.dictionaries,
            dictionaries=job.settings.vectors.translations.get(job.layout.language, ()),
        )


def make_vocabulary(
    layout: Layout,
    settings: VocabularySettings,
    language_settings: LanguageVocabulary,
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
    words_of = spoken.words
    size = language_settings.size
    corpus_types = read_types(layout.types)
    named = [*read_words(layout.boards), *language_settings.include]
    included = [word for name in named for word in words_of(name)]
    analyze, lemmas = None, None
    if lemmatize:
        summed = totals(corpus_types)
        if has_dictionary:
            forms = summed.words.filter(pa.array(is_looked_up(summed.counts))).to_pylist()
            analyze = analyses_of_types(engine, dictionary_file(layout), forms, layout.analyses)
        lemmas = make_lemmas(summed, layout.language, analyze, included)
    rated = gold_words(layout, language_settings.gold, lemmas)
    has_fixed_list = language_settings.words != "auto"
    fixed = _read_tokens(layout, language_settings.words) if has_fixed_list else None
    listed = _listed_stop_words(layout, language_settings.stop_words)
    translations = read_translations(layout, dictionaries) if fixed is None else "fixed words"
    weights = {} if isinstance(translations, str) else translations.weights
    counted = count_words(
        corpus_types,
        lemmas,
        most=size + DERIVED_MOST + len(listed or ()),
        wanted={*included, *rated, *(fixed or ()), *weights},
    )
    tokens, types = counted.tokens, counted.types
    stop_words = derive_stop_words(counted.candidates, tokens) if listed is None else listed
    origin = "corpus" if listed is None else language_settings.stop_words
    if origin == "auto" and spoken.has_short_stop_words:
        stop_words |= short_frequent_words(counted.candidates)
        origin = "list and corpus"
    only_rated = (stop_words & set(rated)) - set(included)
    included += rated
    chosen = choose(counted.candidates, size, stop_words, included, settings.minimum_count, fixed)
    borrowed: list[str] = []
    if weights:
        candidates = counted.candidates
        counts_of = dict(zip(candidates.words, candidates.counts.tolist(), strict=True))
        others = borrowed_words(weights, spoken, counts_of, {*chosen.words, *stop_words})
        borrowed = others[: max(size - len(chosen), 0)]
        included += borrowed
        chosen = choose(candidates, size, stop_words, included, settings.minimum_count)
    if len(chosen) < 2:
        raise InputError(
            f"The corpus of '{layout.language}' has fewer than two words that are not stop words: "
            "give it more text."
        )
    statistics = counted.candidates.select(chosen.words)
    if lemmas:
        shards = token_shards.shard_files(layout.tokens)
        light = tokens < SMALL_TOKENS
        documents = documents_of_lemmas(engine, shards, chosen.words, lemmas, light)
        statistics = statistics._replace(documents=documents)
    corpus = Corpus(tokens, pc.count_distinct(corpus_types["source"]).as_py())
    familiar = familiarity(statistics, corpus, spoken).round(3)
    familiar[[word in only_rated for word in chosen.words]] = 0.0  # no clue says so little
    chosen = Vocabulary(chosen.words, chosen.counts, statistics.documents, familiar)
    with new_folder(layout.vocabulary) as folder:
        if lemmas:
            lemmas.write(folder)
        chosen.write(folder / "vocabulary.tsv")
        write_text(folder / "stop_words.txt", "".join(f"{w}\n" for w in sorted(stop_words)))
    counts = chosen.counts
    return {
        "words": len(chosen),
        "tokens": tokens,
        "types": types,
        "coverage": round(float(counts.sum()) / tokens, 6),
        "rarest_count": int(counts.min()),
        "stop_words": len(stop_words),
        "stop_words_from": origin,
        "included_unseen": int((counts == 0).sum()),
        "borrowed": len(borrowed),
        "gold_sets": language_settings.gold,
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
    types: Totals, code: str, analyze: Analyze | None = None, unchanged: Sequence[str] = ()
) -> LemmaTable:
    """The lemma of each type of a corpus; each is lemmatized once, here and nowhere else."""
    forms = types.words.to_pylist()
    lemmas = lemmas_of_types(forms, types.counts, code, analyze, frozenset(unchanged))
    return LemmaTable(types.words, pa.array(lemmas, pa.string()))


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
    included: list[str],
    minimum_count: int,
    fixed: list[str] | None = None,
) -> Vocabulary:
    """The `size` most frequent words, ties broken by code point, and all included words.

    Included words that are frequent enough count towards the size. The others are added to it, even
    when the corpus does not have them. A `fixed` list replaces the most frequent words: it is taken
    in its order, up to `size`, so that words and ids stay the same when the corpus grows.
    """
    count_of = dict(zip(candidates.words, candidates.counts.tolist(), strict=True))

    def by_frequency(word: str) -> tuple[int, str]:
        return -count_of.get(word, 0), word

    if fixed is None:
        offered = sorted((w for w in count_of if count_of[w] >= minimum_count), key=by_frequency)
    else:
        offered = fixed
    chosen = [word for word in offered if word not in stop_words][:size]
    chosen += sorted(set(included) - set(chosen))
    if fixed is None:
        chosen.sort(key=by_frequency)
    return Vocabulary(
        chosen,
        [count_of.get(word, 0) for word in chosen],
        candidates.select(chosen).documents,
    )


def derive_stop_words(candidates: WordStatistics, tokens: int) -> frozenset[str]:
    """Stop words from the corpus alone, for a language without a list."""
    words, counts = candidates.words, candidates.counts.tolist()
    order = sorted(range(len(words)), key=lambda i: (-counts[i], words[i]))
    stop_words: list[str] = []
    total = 0
    for i in order[:DERIVED_MOST]:
        total += counts[i]
        if total > DERIVED_SHARE * tokens:
            break
        stop_words.append(words[i])
    return frozenset(stop_words)


def short_frequent_words(candidates: WordStatistics) -> frozenset[str]:
    """The short ones of the most frequent words, which complete a list of stop words.

    The words that people use most are the shortest: among the hundred most frequent words, those of
    up to three letters are nearly all function words, and the longer ones often are not (Ukrainian
    не, ще, вже; but україни, року).
    """
    words, counts = candidates.words, candidates.counts.tolist()
    order = sorted(range(len(words)), key=lambda i: (-counts[i], words[i]))[:DERIVED_MOST]
    return frozenset(words[i] for i in order if len(words[i]) <= SHORT_WORD)


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
