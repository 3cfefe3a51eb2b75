"""The measures of vectors, made from a small project."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pipeline.count.store import CountMatrix, read_counts
from pipeline.extras.glove import Glove
from pipeline.extras.imported import Imported, ImportedVectors
from pipeline.extras.lemma_measures import Factored, add_up, group_by_lemma, of_words, smoothed_ppmi
from pipeline.extras.word2vec import Word2vec
from pipeline.fetched import write_resources
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.measures import extras as extras_stage
from pipeline.measures.extras import Extras
from pipeline.measures.npmi import npmi
from pipeline.measures.svd import unit_rows
from pipeline.measures.translated import joined
from pipeline.settings import load_settings
from pipeline.stage import Job
from pipeline.stages import stage_named
from pipeline.words.translations import BilingualDictionary, Translated
from tests.support.dictionaries import write_dict
from tests.support.matrices import dense, random_counts, random_npmi, sparse
from tests.support.project import make_project, run_stage
from tests.support.root import ROOT
from wordkin.errors import InputError
from wordkin.lookup import STARTERS
from wordkin.measures.files import write_matrix
from wordkin.measures.matrix import MatrixMeasure, is_ascending
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary

EARLIER = ("fetch", "tokens", "vocabulary", "counts", "npmi", "svd", "fasttext")
FILE = "corpora/en/raw/own.vec"


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    layout = make_project(tmp_path_factory.mktemp("vectors"))
    for name in EARLIER:
        run_stage(stage_named(name), layout)
    return layout


def make(
    layout: Layout, *measures: str, imported: str | None = None, vectors: bool = True
) -> dict[str, MatrixMeasure]:
    """Run the stage with these measures, and open them; they have vectors unless said otherwise."""
    settings = load_settings(layout.root / "params.yaml")
    settings = settings.having(
        Extras(list(measures)),
        Glove(dimensions=8, epochs=20, maximum=5.0),
        Word2vec(dimensions=8, minimum_count=1, epochs=2),
        Factored(dimensions=6, skip=1),
        ImportedVectors({"en": [Imported("theirs", imported)]} if imported else {}),
    )
    if imported:
        stage_named("fetch").run(Job("fetch", layout, settings))
    metrics = stage_named("extras").run(Job("extras", layout, settings))
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    opened = {name: open_measure(layout.measure(name), vocabulary) for name in metrics["measures"]}
    assert all((measure.unit_vectors() is not None) == vectors for measure in opened.values())
    return opened  # type: ignore[return-value]


def test_every_measure_tells_topics_apart_and_is_the_same_every_time(layout: Layout) -> None:
    names = ("glove", "skipgram", "cbow", "lemma_svd", "ppmi_svd", "concat")
    made = make(layout, *names)
    first = {name: measure.unit_vectors().tobytes() for name, measure in made.items()}
    second = make(layout, *names)
    assert set(second) == set(names)
    for name, measure in second.items():
        assert measure.unit_vectors().tobytes() == first[name], name
        lengths = np.linalg.norm(measure.unit_vectors(), axis=1)
        assert ((abs(lengths - 1) < 1e-5) | (lengths == 0)).all(), name
        assert "knowledge" not in measure.facts, name
    assert not np.array_equal(second["skipgram"].unit_vectors(), second["cbow"].unit_vectors())


def test_imported_vectors_are_cut_to_the_vocabulary_and_count_as_knowledge(layout: Layout) -> None:
    words = Vocabulary.read(layout.vocabulary / "vocabulary.tsv").words
    theirs = np.random.default_rng(0).standard_normal((len(words) - 2, 3))
    lines = [
        f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words[2:], theirs, strict=True)
    ]
    (layout.root / FILE).write_text("".join(lines))
    measure = make(layout, imported=FILE)["theirs"]
    expected = theirs / np.linalg.norm(theirs, axis=1, keepdims=True)
    np.testing.assert_allclose(measure.unit_vectors()[2:], expected, atol=1e-6)
    assert not measure.unit_vectors()[:2].any()
    assert measure.facts["knowledge"] is True


def test_a_bad_file_is_refused(layout: Layout) -> None:
    (layout.root / FILE).write_text("prose and nothing else\n")
    with pytest.raises(InputError, match=r"own\.vec is no file of vectors"):
        make(layout, imported=FILE)


def test_vectors_that_cannot_be_downloaded_are_skipped(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make(layout, imported="http://localhost:9/own.vec") == {}
    assert "theirs skipped: localhost:9 cannot be reached" in capsys.readouterr().err


def test_forms_of_a_lemma_have_one_vector() -> None:
    lemmas = language("en").lemmas(["house", "dog", "houses", "dogs", "cat"])
    assert group_by_lemma(lemmas).tolist() == [0, 1, 0, 1, 2]


def test_npmi_of_lemmas_is_that_of_their_forms(layout: Layout) -> None:
    (measure,) = make(layout, "lemma_npmi", vectors=False).values()
    words = measure.vocabulary.words
    lemmas = group_by_lemma(language("en").lemmas(words))
    counts = add_up(read_counts(layout.counts), lemmas)
    values = dense(npmi(counts, counts.marginals()))[np.ix_(lemmas, lemmas)]
    values[lemmas[:, None] == lemmas] = 1
    np.fill_diagonal(values, 0)
    np.testing.assert_array_equal(measure.rows(range(len(words))), values)
    assert "knowledge" not in measure.facts and measure.explain(words[0], words[1])


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 12), st.integers(1, 5), st.integers(0, 1000))
def test_a_matrix_of_lemmas_becomes_one_of_words(words: int, groups: int, seed: int) -> None:
    lemmas = group_by_lemma(map(str, np.random.default_rng(seed).integers(groups, size=words)))
    matrix = sparse(random_npmi(int(lemmas.max()) + 1, 0.7, seed))
    values, spread = dense(matrix), of_words(matrix, lemmas)
    for a in range(words):
        for b in range(words):
            same = 0.0 if a == b else 1.0
            wanted = same if lemmas[a] == lemmas[b] else values[lemmas[a], lemmas[b]]
            assert dense(spread)[a, b] == wanted
    assert is_ascending(spread.indptr, spread.indices) and (spread.values > 0).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 1000))
def test_counts_add_up_over_groups(words: int, groups: int, seed: int) -> None:
    counts = random_counts(words, seed)
    drawn = np.random.default_rng(seed).integers(groups, size=words)
    numbers = group_by_lemma(map(str, drawn))
    summed: dict[tuple[int, int], int] = {}
    for a, b, n in zip(counts.first_words(), counts.indices, counts.values, strict=True):
        pair = tuple(sorted((int(numbers[a]), int(numbers[b]))))
        if pair[0] != pair[1]:
            summed[pair] = summed.get(pair, 0) + int(n)  # type: ignore[index,arg-type]
    added = add_up(counts, numbers)
    pairs = zip(added.first_words().tolist(), added.indices.tolist(), strict=True)
    assert dict(zip(pairs, added.values.tolist(), strict=True)) == summed
    assert added.words == len(set(drawn.tolist()))


def plain_ppmi(counts: CountMatrix, smoothing: float) -> np.ndarray:
    both = np.zeros((counts.words, counts.words))
    both[counts.first_words(), counts.indices] = counts.values
    both += both.T
    share, context = both.sum(1) / both.sum(), both.sum(1) ** smoothing
    context = context / context.sum()
    weight = np.sqrt(share * context)
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.log(both / both.sum() / weight[:, None] / weight)
    return np.where(both > 0, np.maximum(information, 0), 0)


def test_smoothed_ppmi_is_its_definition() -> None:
    counts = random_counts(15, 4)
    np.testing.assert_allclose(
        dense(smoothed_ppmi(counts, 0.75)), plain_ppmi(counts, 0.75), rtol=1e-4, atol=1e-5
    )


def test_translated_vectors_are_our_own_and_the_means_of_those_of_the_translations(
    tmp_path: Path,
) -> None:
    layout = Layout(tmp_path, "hu")
    ours = Vocabulary(["kutya", "macska", "állat", "semmi"], [400, 30, 2, 1], [1] * 4)
    entries = {
        "kutya": "kutya\ndog\n", "macska": "macska\ncat\n", "állat": "állat\n1. dog\n2. cat\n",
    }  # fmt: skip
    files = write_dict(tmp_path / "own", entries)
    described = [{"path": path.relative_to(tmp_path).as_posix()} for path in files]
    layout.resources.parent.mkdir(parents=True)
    write_resources(layout, {"own": {"files": described, "skipped": None, "licence": "GPL"}})
    ours.write(layout.vocabulary / "vocabulary.tsv")
    own = np.array([[1, 0], [0.6, 0.8], [0, 1], [0, 0]], np.float32)
    write_matrix(layout.measure("svd"), "svd", vectors=own)
    settings = load_settings(ROOT / "params.yaml")
    dictionary = BilingualDictionary("own", languages=["hu", "en"])
    borrowing = Translated({"hu": [dictionary]}, weight=0.5, occurrences=100)
    job = Job("extras", layout, settings.having(Extras(), borrowing))
    metrics = extras_stage.run(job)["measures"]["translated"]
    assert (metrics["translations"], metrics["words_without_vector"]) == (4, 1)
    assert metrics["words_without_translation"] == 1
    measure = open_measure(layout.measure("translated"), ours)
    assert measure.facts["knowledge"] and "GPL; " in measure.facts["licence"] + "; "
    english = open_lender_vectors()
    to_dog_and_cat = english["dog"] + english["cat"]
    lent_vectors = {
        0: english["dog"], 1: english["cat"], 2: to_dog_and_cat / np.linalg.norm(to_dog_and_cat),
    }  # fmt: skip
    shares = {0: 400 / 500, 1: 30 / 130, 2: 2 / 102}
    for a in range(3):
        for b in range(a):
            by_own = np.sqrt(shares[a] * shares[b]) * float(own[a] @ own[b])
            by_lent = 0.5 * float(lent_vectors[a] @ lent_vectors[b])
            lengths = np.sqrt((shares[a] + 0.5) * (shares[b] + 0.5))
            (value,) = measure.pairs([a], [b])
            assert value == pytest.approx((by_own + by_lent) / lengths, abs=1e-5)
    assert measure.pairs([3], [0]).tolist() == [0.0]


@given(st.integers(1, 8), st.integers(0, 10_000), st.integers(0, 2**32))
def test_a_word_that_lacks_one_of_two_vectors_is_judged_by_the_other(
    words: int, occurrences: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)

    def vectors() -> NDArray[np.float32]:
        return unit_rows(rng.standard_normal((words, 3)) * (rng.random((words, 1)) < 0.7))

    own, lent, counts = vectors(), vectors(), rng.choice([0, 1, 50], words)
    whole = joined(own, lent, counts, Translated(weight=0.25, occurrences=occurrences))
    for at in range(words):
        has_own = own[at].any() and counts[at] > 0
        if has_own and not lent[at].any():
            assert whole[at] == pytest.approx([*own[at], 0, 0, 0], abs=1e-5)
        elif lent[at].any() and not has_own:
            assert whole[at] == pytest.approx([0, 0, 0, *lent[at]], abs=1e-5)
        assert np.linalg.norm(whole[at]) == pytest.approx(float(has_own or lent[at].any()))


def open_lender_vectors() -> dict[str, NDArray[np.float64]]:
    """The vectors of two words of the English starter bundle, of unit length."""
    folder = STARTERS / "en"
    vocabulary = Vocabulary.read(folder / "vocabulary.tsv")
    measure = open_measure(folder / "blend", vocabulary)
    vectors = measure.embedding()
    assert vectors is not None
    return {word: vectors[vocabulary.id(word)].astype(np.float64) for word in ("dog", "cat")}
