"""Gold sets: how they are declared, read from their own formats, and fetched where possible."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pipeline.fetch.fetcher import Fetcher
from pipeline.fetch.gold import GoldSet, declared_sets, fetch_gold, read
from pipeline.fetched import read_gold_sets, set_title
from pipeline.layout import Layout
from pipeline.mistakes import Mistakes
from tests.support.root import ROOT
from wordkin.errors import InputError
from wordkin.rated_pairs import Pair, read_pairs

NOWHERE = "http://127.0.0.1:9/gold.tsv"  # nothing listens on the discard port
PAIRS = "sun\tmoon\t9\nbread\tbutter\t8\n"


def layout(root: Path, declarations: str, language: str = "en") -> Layout:
    (root / "eval").mkdir(parents=True, exist_ok=True)
    (root / "eval" / "gold.yaml").write_text(declarations, encoding="utf-8")
    return Layout(root, language)


def gold_set(**keys: Any) -> GoldSet:
    return GoldSet(**{"name": "x", "language": "en", "kind": "relatedness", **keys})


def test_a_user_adds_a_set_with_four_lines(tmp_path: Path) -> None:
    place = layout(
        tmp_path,
        "sets:\n"
        "  - name: my-set\n"
        "    language: en\n"
        "    kind: relatedness\n"
        "    location: eval/my-set.tsv\n",
    )
    (tmp_path / "eval" / "my-set.tsv").write_text(PAIRS, encoding="utf-8")
    assert fetch_gold(place, Fetcher(place.root)) == {"pairs": {"my-set": 2}, "skipped": {}}
    assert read_pairs(place.gold / "my-set.tsv") == [
        Pair("sun", "moon", 9.0),
        Pair("bread", "butter", 8.0),
    ]
    ((description,), skipped) = read_gold_sets(place.gold)
    assert (description["name"], description["status"], description["pairs"]) == (
        "my-set", "human", 2,
    )  # fmt: skip
    assert set_title(description) == "my-set"
    assert set_title({**description, "status": "silver"}) == "my-set (silver)"
    assert skipped == {}


def test_only_the_sets_of_the_language_are_fetched(tmp_path: Path) -> None:
    entry = "  - {{name: mine, language: {}, kind: similarity, location: {}}}\n"
    text = "sets:\n" + entry.format("en", "eval/en.tsv") + entry.format("de", "eval/none.tsv")
    place = layout(tmp_path, text)
    (tmp_path / "eval" / "en.tsv").write_text(PAIRS, encoding="utf-8")
    assert fetch_gold(place, Fetcher(place.root))["pairs"] == {"mine": 2}
    assert fetch_gold(Layout(tmp_path, "fi"), Fetcher(tmp_path)) == {"pairs": {}, "skipped": {}}


GOOD = {"name": "x", "language": "en", "kind": "relatedness", "location": "x.tsv"}


def entry(**changes: str | None) -> str:
    values = {**GOOD, **changes}
    return "sets:\n  - {" + ", ".join(f"{k}: {v}" for k, v in values.items() if v) + "}\n"


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("sets: [3]\n", "sets[0]: must be a mapping of keys to values."),
        (entry(licens="red"), "sets[x].licens: unknown key; did you mean 'licence'?"),
        (entry(language="English"), "sets[x].language: must be a language code"),
        (entry(name="../x"), "sets[../x].name: must be a name of A-Z a-z 0-9 . _ -"),
        (entry(kind="likeness"), "sets[x].kind: must be 'relatedness' or 'similarity'"),
        (entry(status="gold"), "sets[x].status: must be 'human' or 'silver', not 'gold'."),
        (entry(location=None), "sets[x]: give a location (or a mirror path)."),
        (entry(sha256="1234"), "sets[x].sha256: must be a text, not 1234; write it in quotes."),
        (entry(leave_out="{a: 1}"), "sets[x].leave_out.a: must be a text, not 1; write it in quo"),
        (entry(scale="[10, 0]"), "sets[x].scale: must be the lowest and the highest score"),
        (entry(scale="[.nan, 1]"), "sets[x].scale[0]: must be a number, not nan."),
        (entry(columns="[0, 1, 2]"), "sets[x].columns: must be three numbers from 1"),
        (entry() + entry(name="X").removeprefix("sets:\n"), "sets[X]: two sets of 'en' have this"),
    ],
)
def test_a_wrong_declaration_is_reported_with_its_key(
    text: str, mistake: str, tmp_path: Path
) -> None:
    place = layout(tmp_path, text)
    with pytest.raises(Mistakes) as caught:
        declared_sets(place.gold_sets)
    assert any(mistake in sentence for sentence in caught.value.mistakes), caught.value.mistakes
    assert str(caught.value).startswith("gold.yaml: ")


@pytest.mark.parametrize("text", ["sets: []\n", "sets:\n"])
def test_there_may_be_no_sets(tmp_path: Path, text: str) -> None:
    assert declared_sets(layout(tmp_path, text).gold_sets) == []


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_parts_of_speech_are_cut_off_where_declared(tmp_path: Path) -> None:
    path = write(tmp_path / "x", "word1 word2 score\nsun-n shine-v 50.000000\n")
    tagged = gold_set(tagged=True)
    assert read(tagged, path).pairs == [Pair("sun", "shine", 50.0)]
    with pytest.raises(InputError, match="'sun' does not end in a part of speech"):
        read(tagged, write(tmp_path / "y", "sun shine-v 50\n"))


def test_unclear_and_unrated_pairs_are_left_out_and_doubled_ones_counted(tmp_path: Path) -> None:
    text = "sun\tmoon\t9\nMoon\tsun\t8\ngun (pistol)\tbullet\t7\nsun\tbread\t\nsun\tNew York\t2\n"
    rated = read(gold_set(), write(tmp_path / "x", text))
    assert [pair[:2] for pair in rated.pairs] == [
        ("sun", "moon"),
        ("Moon", "sun"),
        ("sun", "New York"),
    ]
    assert (rated.doubled, rated.unrated, rated.ambiguous) == (1, 1, 1)


@pytest.mark.parametrize(("language", "doubled"), [("tr", 0), ("en", 1)])
def test_a_pair_is_doubled_by_the_spelling_of_its_language(
    language: str, doubled: int, tmp_path: Path
) -> None:
    # ISI is ısı (heat) in Turkish, and isi is another word.
    path = write(tmp_path / "x", "ISI\tgün\t9\nisi\tgün\t2\n")
    assert read(gold_set(language=language), path).doubled == doubled


def test_columns_are_found_by_name_and_lines_left_out_by_value(tmp_path: Path) -> None:
    text = "id;a;doubtful;b;mean\n1;sun;0;moon;3\n2;sun;1;bread;1\n"
    gold = gold_set(separator=";", columns=["a", "b", "mean"], leave_out={"doubtful": "1"})
    assert read(gold, write(tmp_path / "x", text)).pairs == [Pair("sun", "moon", 3.0)]


def test_a_score_outside_of_the_scale_is_refused(tmp_path: Path) -> None:
    scaled = gold_set(scale=[0.0, 10.0])
    with pytest.raises(InputError, match="sun, moon has the score 11, which is not from 0 to 10"):
        read(scaled, write(tmp_path / "x", "sun\tmoon\t11\n"))


def test_unavailable_sets_are_skipped_with_one_line_per_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = layout(
        tmp_path,
        "sets:\n"
        f"  - {{name: far, language: en, kind: relatedness, location: '{NOWHERE}'}}\n"
        f"  - {{name: too-far, language: en, kind: relatedness, location: '{NOWHERE}'}}\n"
        "  - {name: mirrored, language: en, kind: relatedness, mirror: gold/x.tsv}\n",
    )
    metrics = fetch_gold(place, Fetcher(place.root))
    assert metrics["pairs"] == {} and list(metrics["skipped"]) == ["far", "too-far", "mirrored"]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert any("far, too-far: 127.0.0.1:9 cannot be reached" in line for line in lines)
    assert any("mirrored: it is available from a mirror folder only" in line for line in lines)
    assert read_gold_sets(place.gold) == ([], metrics["skipped"])


def test_a_failed_fetch_leaves_the_old_folder_as_it_was(tmp_path: Path) -> None:
    place = layout(tmp_path, entry(location="eval/x.tsv"))
    path = write(tmp_path / "eval" / "x.tsv", PAIRS)
    fetch_gold(place, Fetcher(place.root))
    before = {p.name: p.read_bytes() for p in place.gold.iterdir()}
    path.write_text("sun\tmoon\tmuch\nsun\tbread\tmore\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        fetch_gold(place, Fetcher(place.root))
    assert {p.name: p.read_bytes() for p in place.gold.iterdir()} == before
    path.write_text(PAIRS, encoding="utf-8")
    fetch_gold(place, Fetcher(place.root))
    assert {p.name: p.read_bytes() for p in place.gold.iterdir()} == before


def wheel(mirror: Path, members: dict[str, str]) -> None:
    (mirror / "wheels").mkdir(parents=True)
    with zipfile.ZipFile(mirror / "wheels" / "pairs-1.0-py3-none-any.whl", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)


def test_sets_of_a_package_must_be_there_and_are_checked(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    wheel(mirror, {"pairs/data/A.tsv": PAIRS, "pairs/data/B.tsv": "sun\tsea\t3\n", "C.tsv": PAIRS})
    digest = hashlib.sha256(PAIRS.encode()).hexdigest()
    text = (
        "sets:\n"
        "  - {name: A, language: en, kind: relatedness,\n"
        f"     location: 'wheel:pairs==1.0!pairs/data/A.tsv', sha256: {digest}}}\n"
        "  - {name: B, language: en, kind: relatedness,\n"
        "     location: 'wheel:pairs==1.0!pairs/data/B.tsv'}\n"
        "  - {name: C, language: en, kind: relatedness, location: 'wheel:pairs==1.0!C.tsv'}\n"
    )
    place = layout(tmp_path / "project", text)
    assert fetch_gold(place, Fetcher(place.root, mirror))["pairs"] == {"A": 2, "B": 1, "C": 2}
    layout(tmp_path / "project", text.replace(digest, "f" * 64))
    with pytest.raises(InputError, match="checksum"):
        fetch_gold(place, Fetcher(place.root, mirror))
    layout(tmp_path / "project", text.replace("A.tsv", "D.tsv"))
    with pytest.raises(InputError, match=r"A: .* has no member .pairs/data/D\.tsv"):
        fetch_gold(place, Fetcher(place.root, mirror))


def test_a_damaged_description_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run the fetch stage again"):
        read_gold_sets(tmp_path)


OURS = declared_sets(ROOT / "eval" / "gold.yaml")


def test_our_sets_say_where_they_are_from() -> None:
    for gold in OURS:
        assert gold.citation and gold.sha256 and gold.scale, gold.name
        assert (gold.status == "silver") == (gold.language == "hu"), gold.name
    assert {gold.name for gold in OURS if gold.location and "wheel:" in gold.location} == {
        "MEN", "WS-353-rel", "WS-353-sim", "WS-353", "MTurk-771", "SimLex-999", "RG-65",
        "MTurk-287", "SimVerb-3500", "YP-130", "RW", "Card-660",
    }  # fmt: skip
    assert {gold.kind for gold in OURS} == {"relatedness", "similarity", "verbs", "rare words"}


FORMATS = {
    "MEN-dev": "word1 word2 score\nsun-n shine-v 40.000000\nsea-n wide-j 20.000000\n",
    "SemEval-2017-2": "Sun\tmoon light\t4.0\nsea\twide\t2.0\n",
    "Multi-SimLex": "id\tword1\tword2\tpos\tscore\tword1_concepticon\tword2_concepticon\n"
    "1\tsun\tshine\tnouns\t4.5\t1343\t\n2\tsea\tlake (or pond)\tnouns\t2.0\t\t\n"
    "3\tsea\twide\tnouns\t1.0\t\t\n",
    "Gur65": "#Word1:Word2:Goldstandard:Pos1:Pos2\nSonne:Mond:2.75:n:n\nMeer:Tür:0:n:n\n",
    "AnlamVer": "güneş ay 7.167\ndeniz kapı 0.083\n",
    "MEN-hu": "hu1\thu2\tscore\ten1\ten2\tambiguous\nnap\thold\t49.000000\tsun\tmoon\t0\n"
    "nap\tév\t20.000000\tday\tyear\t1\ntenger\tajtó\t1.000000\tsea\tdoor\t0\n",
}
"""The head of a real file of each format that our sets have, with two pairs made up for it."""


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_of_our_sets_is_read(name: str, tmp_path: Path) -> None:
    gold = next(gold for gold in OURS if gold.name == name)
    rated = read(gold, write(tmp_path / name, FORMATS[name]))
    (first, second) = rated.pairs
    assert first.score > second.score and rated.unrated == 0
    assert rated.ambiguous == (name == "Multi-SimLex")
    assert not any(character in word for word in first[:2] for character in "-\t:()0123456789")


def test_every_format_of_our_sets_has_an_example() -> None:
    def format_of(gold: GoldSet) -> tuple[object, ...]:
        return gold.separator, *gold.columns, *gold.leave_out.items(), gold.tagged

    examples = {format_of(gold) for gold in OURS if gold.name in FORMATS}
    assert {format_of(gold) for gold in OURS if gold.mirror} <= examples


NUMBERS_OF_PAIRS = {
    ("en", "MEN-dev"): 2000,
    ("en", "MEN-test"): 1000,
    ("en", "SemEval-2017-2"): 500,
    ("fa", "SemEval-2017-2"): 500,
    ("de", "Gur65"): 65,
    ("de", "Gur350"): 350,
    ("de", "ZG222"): 222,
    ("de", "WS-353-rel"): 252,
    ("ru", "WS-353"): 350,
    ("zh", "PKU-500"): 500,
    ("tr", "AnlamVer"): 500,
    ("hu", "MEN-hu"): 1068,
}


@pytest.mark.parametrize(
    "gold",
    [gold for gold in OURS if gold.mirror],
    ids=lambda gold: f"{gold.language}-{gold.name}",
)
def test_our_mirrored_sets_are_read_completely(gold: GoldSet, mirror: Path) -> None:
    assert gold.mirror is not None
    rated = read(gold, mirror / gold.mirror)
    expected = NUMBERS_OF_PAIRS.get((gold.language, gold.name))
    if expected:
        assert len(rated.pairs) == expected and rated.ambiguous == rated.unrated == 0
    if gold.name == "Multi-SimLex":
        assert len(rated.pairs) + rated.ambiguous == 1888
    assert len(rated.pairs) > 60
    words = {word for pair in rated.pairs for word in pair[:2]}
    assert not any(character in word for word in words for character in "\t\r\ufeff:()")
