"""Korean and Japanese with an analyser and without one, and short lists of stop words."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from pipeline.languages import analysers, language
from pipeline.languages.analysers import Analyser
from pipeline.languages.rules import Language
from pipeline.words.vocabulary import short_frequent_words
from tests.support.corpora import word_statistics


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(analysers.OFF, raising=False)


def test_a_language_without_an_analyser_or_with_an_absent_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent() -> Analyser:
        raise ImportError

    monkeypatch.setitem(analysers._LOADERS, "ko", absent)
    analysers._loaded.cache_clear()
    assert Language("ko").analyser is None
    assert Language("ko").words("학교에서 배워요.") == ["학교에서", "배워요"]
    assert Language("hu").analyser is None
    analysers._loaded.cache_clear()


def test_an_analyser_decides_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def split(run: str) -> list[tuple[str, str]]:
        seen.append(run)
        return [(run[:-1].upper(), run[:-1]), ("1", "1"), ("X", "x")]

    monkeypatch.setattr(analysers, "_loaded", lambda code: Analyser("made 1.0", split))
    korean = Language("ko")
    assert korean.analyser == "made 1.0"
    assert korean.words("abcx 12 abcx") == ["abc", "abc"]
    assert seen == ["abcx"]  # a run without letters has no words, and no run is split twice
    assert korean.spelled_words("abcx") == [("abc", "abc")]
    monkeypatch.setenv(analysers.OFF, "off")
    assert Language("ko").analyser is None


@pytest.mark.skipif(not find_spec("kiwipiepy"), reason="kiwipiepy is not installed")
def test_korean_words_lose_their_particles() -> None:
    analysers._loaded.cache_clear()
    assert Language("ko").words("학교에서 친구를 만났다.") == ["학교", "친구", "만나다"]


@pytest.mark.skipif(not find_spec("sudachipy"), reason="sudachipy is not installed")
def test_japanese_verbs_have_their_dictionary_form() -> None:
    analysers._loaded.cache_clear()
    assert Language("ja").words("昨日、魚を食べました。") == ["昨日", "魚", "食べる"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("uk", "я не в на і у за що це він"),
        ("et", "ja on ei ma ka see kui oma või"),
        ("hy", "և եւ է որ այս ես նա ու"),
        ("ko", "있는 수 그리고 대한 것 이"),
    ],
)
def test_the_commonest_words_are_stop_words(code: str, words: str) -> None:
    assert [word for word in words.split() if word not in language(code).stop_words()] == []


def test_a_short_list_is_completed_by_short_frequent_words() -> None:
    frequent = {f"w{n}": 1000 - n for n in range(95)}
    counts = {
        "не": 5000,
        "україни": 4000,
        "що": 3000,
        "року": 2500,
        "вже": 2000,
        **frequent,
        "rare": 2,
        "ще": 1,
    }
    added = short_frequent_words(word_statistics(list(counts), {"counts": list(counts.values())}))
    assert {"не", "що", "вже"} <= added
    assert not {"україни", "року", "ще"} & added
    assert language("uk").has_short_stop_words
    assert not language("en").has_short_stop_words
