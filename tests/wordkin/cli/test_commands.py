"""The commands: what they print, in both languages, as JSON, and when something is wrong."""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.bundles import make_bundle
from wordkin.cli import main
from wordkin.errors import InputError
from wordkin.exports import FORMATS
from wordkin.game.guesser import Guesser

BOARD = ("--ours", "piano mouse", "--theirs", "bison tree")


def test_clue_shows_cards_with_their_relatedness(run: Any, bundle: str) -> None:
    lines = run("clue", "--why", "--bundle", bundle, *BOARD, "-n", "2").splitlines()
    assert lines[0] == "keyboard 2"
    assert [line.partition(":")[0] for line in lines[1:3]] == ["  mouse", "  piano"]
    assert lines[3] == "  The closest card that is not ours is bison."
    assert lines[4].split()[:3] == ["for", "mouse", "0.723"]
    assert lines[5].split()[:3] == ["for", "piano", "0.688"]
    assert lines[6].split()[:4] == ["away", "from", "bison", "0.131"]
    assert lines[7] == "  expected card difference +1.95, score 0.679"


def test_clue_in_hungarian(run: Any, magyar: str) -> None:
    cards = ("--ours", "zongora egér", "--theirs", "bölény hajó blablabla")
    shown = run("clue", "--lang", "hu", "--bundle", magyar, *cards)
    assert shown.startswith("billentyűzet 2\n")
    assert "A többi lap közül ez áll hozzá a legközelebb: bölény." in shown
    assert "Nincs a szótárban, ezért kimaradt: blablabla." in shown


def test_clue_as_json(run: Any, bundle: str) -> None:
    (clue,) = json.loads(run("clue", "--bundle", bundle, *BOARD, "--json"))
    assert (clue["word"], clue["number"]) == ("keyboard", 2)
    assert [card["word"] for card in clue["targets"]] == ["mouse", "piano"]
    assert clue["bad"]["colour"] == "theirs"
    assert 0 < clue["targets"][1]["chance"] < clue["targets"][0]["chance"] < 1
    assert 0.5 < clue["chances"][1] < clue["chances"][0] < 1


def test_a_bolder_spymaster_gives_clues_for_more_cards(run: Any, bundle: str) -> None:
    board = ("--ours", "piano mouse bread ship", "--theirs", "violin", "--assassin", "soup")
    cautious, bold = (
        json.loads(run("clue", "--bundle", bundle, *board, "--risk", risk, "--json"))[0]["number"]
        for risk in ("0.01", "100")
    )
    assert cautious < bold


def test_clue_takes_a_board_file_and_every_option(run: Any, bundle: str, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("ours: piano, mouse\ntheirs: bison\nassassin: tree\n")
    (tmp_path / "never.txt").write_text("keyboard\n")
    options = "--scoring harmonic-divide --penalty 1 --threshold 0.1 --rarity 2 --familiarity 0.5"
    more = "--sharpness 18 --measure npmi+svd -n 1 --count 3 --said button --json"
    clues = json.loads(
        run(
            *("clue", "--bundle", bundle, "--board", str(tmp_path / "board.txt")),
            *("--unwanted", str(tmp_path / "never.txt"), *options.split(), *more.split()),
        )
    )
    assert len(clues) == 3
    assert not {clue["word"] for clue in clues} & {"keyboard", "button"}


def test_guess_ranks_or_picks_cards(run: Any, bundle: str) -> None:
    command = ("guess", "--bundle", bundle, "keyboard", "bison", "piano", "mouse")
    assert [line.split() for line in run(*command).splitlines()] == [
        ["card", "relatedness"],
        ["mouse", "0.723"],
        ["piano", "0.688"],
        ["bison", "0.131"],
    ]
    picked = json.loads(run(*command, "-n", "2", "--model", "softmax", "--chance", "3", "--json"))
    assert len(picked) == 2
    assert "chance" in run(*command, "--model", "softmax")


def test_related_shows_every_measure_or_the_one_that_is_named(run: Any, bundle: str) -> None:
    pair = ("related", "--bundle", bundle, "Piano", "mouse")
    table = run(*pair).splitlines()
    assert [line.split()[0] for line in table] == ["measure", "npmi", "graph", "svd"]
    answer = json.loads(run(*pair, "--measure", "npmi", "--json"))
    assert (answer["a"], answer["b"]) == ("piano", "mouse")
    assert answer["relatedness"].keys() == {"npmi"}


def test_nearest_leaves_out_words_that_are_not_related_at_all(run: Any, bundle: str) -> None:
    command = ("nearest", "--bundle", bundle, "piano", "--measure", "npmi", "-k", "1000")
    *table, last = run(*command).splitlines()
    values = [entry["relatedness"] for entry in json.loads(run(*command, "--json"))]
    assert 0 in values and len(table) == 1 + sum(value != 0 for value in values)
    assert last == "No other word is related to piano by this measure."


def test_words_that_are_not_in_the_vocabulary_are_named(run: Any, bundle: str) -> None:
    line = "  harbours: another spelling of harbor"
    commands = [
        ("related", "harbours", "piano"),
        ("nearest", "harbours"),
        ("why", "harbours", "piano"),
        ("guess", "piano", "harbours", "flute"),
        ("guess", "harbours", "piano", "flute"),
    ]
    for name, *words in commands:
        assert run(name, "--bundle", bundle, *words).splitlines()[-1] == line, name
        answer = json.loads(run(name, "--bundle", bundle, *words, "--json"))
        entries = {"related": [answer], "why": answer.values() if name == "why" else []}
        resolved = [
            item for entry in entries.get(name, answer) for item in entry.get("resolved", [])
        ]
        assert resolved, name
        for item in resolved:
            assert (item["word"], item["known"]) == ("harbours", False)
            assert [step["how"] for step in item["via"]] == ["spelling"]
            assert item["words"] == [{"word": "harbor", "weight": 1.0}]
    shown = run("clue", "--bundle", bundle, "--ours", "harbours piano", "--theirs", "bison")
    assert shown.splitlines()[-1] == line


def test_info_shows_where_a_bundle_came_from(run: Any, bundle: str) -> None:
    assert "tales, 12,345 tokens, CC0" in run("info", "--bundle", bundle)
    assert json.loads(run("info", "--bundle", bundle, "--json"))["format"] == "wordkin-bundle"


def test_why_gives_the_reasons_of_each_measure(run: Any, bundle: str, magyar: str) -> None:
    table = run("why", "--bundle", bundle, "piano", "flute").splitlines()
    head, *lines = (line.split(maxsplit=2) for line in table)
    assert head == ["measure", "relatedness", "why"]
    assert [line[0] for line in lines] == ["npmi", "graph", "svd"]
    assert lines[0][2].startswith("met ")
    assert lines[1][2].startswith("piano -(")
    assert lines[2][2].startswith("both close to ")
    assert "együttes előfordulás" in run("why", "--lang", "hu", "--bundle", magyar, "ló", "kutya")
    data = json.loads(run("why", "--bundle", bundle, "piano", "flute", "--json"))
    assert data["graph"]["edges"][-1]["b"] == "flute"
    assert data["npmi"]["relatedness"] == round(data["npmi"]["relatedness"], 6)


def test_verify_checks_a_folder_and_a_packed_archive(run: Any, bundle: str, tmp_path: Path) -> None:
    assert "all 13 files are intact" in run("verify", "--bundle", bundle)
    archive = tmp_path / "en.zip"
    assert run("pack", "--bundle", bundle, str(archive)) == f"wrote {archive}\n"
    assert json.loads(run("verify", "--bundle", str(archive), "--json"))["whole"] is True


def test_export_takes_words_and_numbers(run: Any, bundle: str, tmp_path: Path) -> None:
    (tmp_path / "cards.txt").write_text("piano\nmouse\n")
    path = tmp_path / "vectors"
    options = ("--words", str(tmp_path / "cards.txt"), "--top", "5", "--measure", "svd")
    run("export", "word2vec", str(path), "--bundle", bundle, *options)
    assert path.read_text().splitlines()[0] == "2 16"


def test_export_skips_unknown_words_with_one_line(
    bundle: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cards.txt").write_text("zzyzx\npiano\nqwerty\n")
    path = tmp_path / "board.csv"
    words = ("--words", str(tmp_path / "cards.txt"))
    assert main(["export", "board-csv", str(path), "--bundle", bundle, *words]) == 0
    printed = capsys.readouterr()
    assert printed.err == "Not in the vocabulary, so left out: zzyzx, qwerty.\n"
    assert printed.out == f"wrote {path}\n"
    assert [line.split(",")[0] for line in path.read_text().splitlines()] == ["", "piano"]


@pytest.mark.parametrize("name", FORMATS)
def test_export_to_where_nothing_can_be_written_is_one_sentence(
    bundle: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "out"
    assert main(["export", name, str(path), "--bundle", bundle, "--measure", "svd"]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(f"Cannot use {path} (")
    assert printed.err.count("\n") == 1


def test_verify_finds_damage(
    bundle: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = make_bundle(tmp_path)
    values = copy / "graph" / "values.npy"
    content = bytearray(values.read_bytes())
    content[200] ^= 255
    values.write_bytes(bytes(content))
    (copy / "npmi" / "indptr.npy").unlink()
    assert main(["verify", "--bundle", str(copy)]) == 2
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [
        "damaged or missing: graph/values.npy",
        "damaged or missing: npmi/indptr.npy",
    ]
    assert main(["verify", "--bundle", str(copy), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["damaged"] == [
        "graph/values.npy",
        "npmi/indptr.npy",
    ]


def test_play_in_the_terminal(
    run: Any, bundle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "board.txt").write_text("ours: piano, mouse\ntheirs: bison\nassassin: tree\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("mouse\n1\n"))
    shown = run("play", "--bundle", bundle, "--board", str(tmp_path / "board.txt"))
    assert "Blue clue: keyboard 2" in shown
    assert "Your card (up to 3 more)" in shown
    assert "The blue team wins: all its cards are found." in shown
    assert "\x1b[" not in shown


def test_a_board_comes_from_standard_input(
    run: Any, bundle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "ours: piano, mouse\ntheirs: bison\nassassin: tree\n"
    for text in (lines, '{"ours": ["piano", "mouse"], "theirs": ["bison"], "assassin": ["tree"]}'):
        stdin = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + text.encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert run("clue", "--bundle", bundle, "--board", "-").startswith("keyboard 2\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    shown = run("play", "--bundle", bundle, "--board", "-", "--role", "nobody")
    assert "keyboard 2" in shown


def test_play_with_json_prints_nothing_else_on_stdout(
    run: Any, magyar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "board.json").write_text('{"ours": ["zongora"], "theirs": ["hajó"]}')
    monkeypatch.setattr(sys, "stdin", io.StringIO("hegedű 1\n"))
    options = ("--role", "spymaster", "--guesser-bundle", magyar)
    board = str(tmp_path / "board.json")
    command = ("play", "--lang", "hu", "--bundle", magyar, "--board", board, *options, "--json")
    facts = json.loads(run(*command))
    assert (facts["end"], facts["turns"], facts["found"]) == ("won", 1, 1)


def test_play_deals_from_a_list(run: Any, bundle: str, tmp_path: Path) -> None:
    words = "piano violin flute drum mouse screen server disk bison horse cat dog lion tree branch"
    words += " leaf oak ship sailor wave island bread cheese apple soup zzyzx"
    (tmp_path / "words.txt").write_text("\n".join(words.split()))
    deck = ("--words", str(tmp_path / "words.txt"))
    command = ("play", "--bundle", bundle, "--role", "nobody", *deck, "--seed")
    one = json.loads(run(*command, "4", "--json"))
    two = json.loads(run(*command, "4", "--json"))
    assert one == two
    assert one != json.loads(run(*command, "5", "--json"))
    assert one["turns"] > 1
    dealt = run(*command, "4").split("Turn 1")[0]
    signs = Counter(re.findall(r"\d ([BRoX]) ", dealt))
    assert signs == {"B": 9, "R": 8, "o": 7, "X": 1}
    dealt = run(*command, "4", "--deal", "2/3/1/4", "--begins", "red").split("Turn 1, red.")[0]
    signs = Counter(re.findall(r"\d ([BRoX]) ", dealt))
    assert signs == {"B": 3, "R": 2, "o": 1, "X": 4}


def test_board_words_that_are_left_out_are_named(
    bundle: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "piano violin flute drum mouse screen server disk bison zzyzx qwrtz"
    (tmp_path / "words.txt").write_text("\n".join(words.split()))
    command = ["play", "--bundle", bundle, "--role", "nobody", "--deal", "3/2/1/1"]
    assert main([*command, "--words", str(tmp_path / "words.txt")]) == 0
    assert capsys.readouterr().err == (
        "Left out, because they stand for no known word: qwrtz, zzyzx (2 of 11).\n"
    )


def test_play_in_any_seats(
    run: Any, bundle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "board.txt").write_text("ours: piano, bread\ntheirs: bison, ship\nassassin: tree\n")
    command = ("play", "--bundle", bundle, "--board", str(tmp_path / "board.txt"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("sailor 1\nanimal 1\n"))
    seats = ("--seats", "svd/kim graph/softmax:temperature=0.1 me agent")
    shown = run(*command, *seats, "--begins", "red")
    assert "Red team – clues: you, cards: the machine." in shown
    assert "Turn 1, red." in shown
    assert "The red team turns over ship: red." in shown
    alone = json.loads(run(*command, "--solitaire", "--seats", "agent agent", "--json"))
    assert {turn["team"] for turn in alone["history"]} == {0}
    limited = json.loads(run(*command, "--role", "nobody", "--turns", "1", "--json"))
    assert limited["turns"] == 1


def test_play_prints_the_statistics_of_a_game_that_an_error_ended(
    bundle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(guesser: Guesser, view: Any) -> None:
        raise InputError("something is wrong")

    monkeypatch.setattr(Guesser, "pick", fail)
    (tmp_path / "board.txt").write_text("ours: piano, bread\ntheirs: bison, ship\n")
    command = ["play", "--bundle", bundle, "--board", str(tmp_path / "board.txt")]
    assert main([*command, "--role", "nobody", "--json"]) == 2
    printed = capsys.readouterr()
    assert json.loads(printed.out)["end"] == "given up"
    assert printed.err.endswith("something is wrong\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("clue", "--ours", "piano", "--lang", "xx"), "no bundle for the language 'xx'"),
        (("clue", "--ours", "piano", "--bundle", "no/where"), "no bundle at no/where"),
        (("play", "--bundle", "BUNDLE", "--seats", "me agent"), "--seats has 2 players: name 4"),
        (("play", "--bundle", "BUNDLE", "--deal", "9/8/7"), "'9/8/7' is not a deal"),
        (("play", "--bundle", "BUNDLE", "--board", "-"), "--role nobody"),
        (("play", "--bundle", "BUNDLE", "--deal", "9/8/7/1", "--board", "x"), "not both"),
        (("play", "--bundle", "BUNDLE", "--solitaire", "--begins", "red"), "no team 1"),
        (("clue", "--bundle", "BUNDLE"), "no card of ours"),
        (("clue", "--bundle", "BUNDLE", "--ours", "piano", "--risk", "1e9"), "use cautious"),
        (("clue", "--bundle", "BUNDLE", "--ours", "piano", "--measure", "x"), "no measure 'x'"),
        (("nearest", "--bundle", "BUNDLE", "pianx"), "near spellings: piano"),
        (("guess", "--bundle", "BUNDLE", "qwerty", "piano"), "'qwerty' is not in the vocabulary"),
        (("export", "word2vec", "x", "--bundle", "BUNDLE"), "has no vectors"),
        (("pack", "x.rar", "--bundle", "BUNDLE"), "must end in .zip"),
        (("pack", "x.zip", "--bundle", "BUNDLE", "--version", "1.0"), "--version is for wheels"),
        (("tournament", "--bundle", "BUNDLE", "--spymasters", "a/b"), "'a/b' is not a player"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(
    arguments: tuple[str, ...], sentence: str, bundle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([bundle if word == "BUNDLE" else word for word in arguments]) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
