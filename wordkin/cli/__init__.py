"""The command line: clues, guesses, games, relatedness, and bundles."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordkin.bundle import Bundle, find, load
from wordkin.errors import InputError
from wordkin.exports import FORMATS
from wordkin.files import read_words
from wordkin.game import play
from wordkin.game.board import COLOURS, Board, board_words, read_board, split_words
from wordkin.game.clue_text import clue_lines
from wordkin.game.guesser import MODELS, Guesser
from wordkin.game.scoring import SCORINGS, Options
from wordkin.game.spymaster import Spymaster
from wordkin.manifest import damaged_files, read_manifest
from wordkin.measures.explanation import Blended
from wordkin.pack import pack
from wordkin.tables import table_lines
from wordkin.texts import reasons, texts
from wordkin.words import normal


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; bad input is told in one sentence with exit code 2."""
    given = parser().parse_args(arguments)
    try:
        status: int | None = given.run(given)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; let Python's own flush at exit find no pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status or 0


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    command = argparse.ArgumentParser(
        prog="wordkin", description="Word relatedness, and clues for games with words."
    )
    commands = command.add_subparsers(dest="command", required=True, metavar="command")

    def add(name: str, run: Callable[[argparse.Namespace], int | None], about: str) -> Any:
        added = commands.add_parser(name, help=about, description=about[0].upper() + about[1:])
        added.set_defaults(run=run)
        added.add_argument("--json", action="store_true", help="answer as JSON")
        return added

    clue = add("clue", run_clue, "find a clue for a board, and say why")
    _bundle_options(clue)
    _board_options(clue)
    _spymaster_options(clue)
    clue.add_argument("-n", "--number", type=int, help="for how many cards (default: the best)")
    clue.add_argument("--count", type=int, default=1, help="how many clues to show (default: 1)")
    clue.add_argument("--said", default="", metavar="WORDS", help="earlier clues, not to repeat")

    guess = add("guess", run_guess, "rank the cards of a board for a clue")
    _bundle_options(guess)
    guess.add_argument("clue", help="the clue")
    guess.add_argument("cards", nargs="+", help="the cards, each an argument of its own")
    guess.add_argument("-n", "--number", type=int, help="pick so many cards")
    _guesser_options(guess)

    game = add("play", run_play, "play in the terminal with the machine as your partner")
    _bundle_options(game)
    game.add_argument("--role", choices=play.ROLES, default=play.GUESSER, help="what you are")
    game.add_argument("--board", type=Path, help="a file with the board (see docs/agent.md)")
    game.add_argument("--words", type=Path, help="a list of words to deal the board from")
    game.add_argument("--seed", type=int, default=0, help="which board to deal (default: 0)")
    game.add_argument("--no-colour", action="store_true", help="signs instead of colours")
    game.add_argument("--guesser-bundle", help="another bundle for the machine's guesser")
    game.add_argument("--guesser-measure", help="another relatedness for it")
    _spymaster_options(game)
    _guesser_options(game)

    cup = add("tournament", run_tournament, "let every spymaster play with every guesser")
    _bundle_options(cup)
    cup.add_argument(
        "--spymasters", nargs="+", metavar="PLAYER", help="measures, such as svd or svd/expected"
    )
    cup.add_argument(
        "--guessers", nargs="+", metavar="PLAYER", help="measures, such as svd or svd/softmax"
    )
    cup.add_argument("--rules", choices=["solitaire", "teams"], default="solitaire")
    cup.add_argument("--boards", type=int, default=30, help="how many boards (default: 30)")
    cup.add_argument("--words", type=Path, help="a list of words to deal the boards from")
    cup.add_argument("--seed", type=int, default=0, help="of boards and guesses (default: 0)")
    cup.add_argument("--processes", type=int, help="how many (default: one a core)")
    cup.add_argument("--parquet", type=Path, help="write every game to this file")
    cup.add_argument("--html", type=Path, help="write heat maps and figures to this page")

    related = add("related", run_related, "tell how related two words are")
    _bundle_options(related)
    related.add_argument("words", nargs=2, metavar="word")
    nearest = add("nearest", run_nearest, "list the words most related to a word")
    _bundle_options(nearest)
    nearest.add_argument("word")
    nearest.add_argument("-k", type=int, default=10, help="how many (default: 10)")
    why = add("why", run_why, "tell why two words are related")
    _bundle_options(why)
    why.add_argument("words", nargs=2, metavar="word")

    info = add("info", run_info, "tell what a bundle holds and where it came from")
    _bundle_options(info)
    verify = add("verify", run_verify, "check every byte of a bundle")
    _bundle_options(verify)
    packing = add("pack", run_pack, "pack a bundle into one file")
    _bundle_options(packing)
    packing.add_argument("archive", type=Path, help="a .zip or a .tar.zst")
    exporting = add("export", run_export, "write a measure in another program's format")
    _bundle_options(exporting)
    formats = "; ".join(f"{name}: {format_.about}" for name, format_ in FORMATS.items())
    exporting.add_argument("format", choices=list(FORMATS), metavar="format", help=formats)
    exporting.add_argument("path", type=Path, help="where to write")
    exporting.add_argument("--words", type=Path, help="board words, one a line (default: ours)")
    exporting.add_argument("--top", type=int, help="of each word only the nearest so many pairs")
    return command


def _bundle_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--lang", default="en", help="the language (default: en)")
    command.add_argument("--bundle", help="a bundle's folder or archive, if not --lang's own")
    command.add_argument(
        "--measure", help="which relatedness, or a blend such as npmi+svd (default: the bundle's)"
    )


def _board_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--board", type=Path, help="a file with the board (see docs/agent.md)")
    for colour in COLOURS:
        command.add_argument(
            f"--{colour}", default="", metavar="WORDS", help=f"the cards that are {colour}"
        )


def _spymaster_options(command: argparse.ArgumentParser) -> None:
    tuning = Options()
    command.add_argument("--scoring", choices=list(SCORINGS), default="harmonic")
    command.add_argument("--penalty", type=float, default=tuning.penalty, help="λ")
    command.add_argument("--threshold", type=float, default=tuning.threshold, help="λ_T of kim")
    command.add_argument("--sharpness", type=float, default=tuning.sharpness, help="σ of expected")
    command.add_argument("--floor", action="store_true", help="bad cards count 0 at least")
    command.add_argument(
        "--guard", action="store_true", help="harmonic-divide, too, keeps clear of bad cards"
    )
    command.add_argument(
        "--rarity", type=float, default=0.0, help="weight against rare and too common clues"
    )
    command.add_argument("--unwanted", type=Path, help="words never to offer, one a line")


def _guesser_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--model", choices=list(MODELS), default="closest", help="how it picks")
    command.add_argument("--chance", type=int, default=0, help="seed of a guesser that picks so")


def run_clue(given: argparse.Namespace) -> None:
    bundle = _open(given)
    board = read_board(given.board) if given.board else _typed_board(given)
    spymaster = _spymaster(given, bundle)
    clues = [
        spymaster.explained(clue, given.lang)
        for clue in spymaster.clues(board, given.count, given.number, split_words(given.said))
    ]
    if given.json:
        _print_json([clue.as_dict() for clue in clues])
    else:
        print("\n".join(line for clue in clues for line in clue_lines(clue, given.lang)))


def run_guess(given: argparse.Namespace) -> None:
    guesser = Guesser(_open(given), given.measure, given.model, seed=given.chance)
    ranked = guesser.rank(given.clue, given.cards)
    if given.number is not None:
        picked = guesser.guess(given.clue, given.number, given.cards)
        place = {card: at for at, card in enumerate(picked)}
        ranked = sorted((g for g in ranked if g.word in place), key=lambda g: place[g.word])
    if given.json:
        _print_json([asdict(guess) for guess in ranked])
        return
    head = _heads(given, "card", "relatedness")
    rows = [[guess.word, f"{guess.relatedness:.3f}"] for guess in ranked]
    if given.model != "closest":
        head += _heads(given, "chance")
        rows = [[*row, f"{guess.chance:.0%}"] for row, guess in zip(rows, ranked, strict=True)]
    _print_table(head, rows)


def run_play(given: argparse.Namespace) -> None:
    bundle = _open(given)
    spymaster = _spymaster(given, bundle)
    other = load(given.guesser_bundle) if given.guesser_bundle else bundle
    measure = given.guesser_measure or (given.measure if other is bundle else None)
    guesser = Guesser(other, measure, given.model, seed=given.chance)
    if given.board:
        board = read_board(given.board)
    else:
        board = Board.deal(_board_words(given, bundle), given.seed)
    # The answer on stdout stays clean when a program has asked for it.
    screen = sys.stderr if given.json else sys.stdout
    colour = screen.isatty() and not given.no_colour and "NO_COLOR" not in os.environ

    def write(line: str) -> None:
        print(line, file=screen, flush=True)

    def read(prompt: str) -> str:
        print(prompt, end="", file=screen, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            # What is piped in is shown, so that the transcript can be read.
            print(line.rstrip("\n"), file=screen)
        return line

    terminal = play.Terminal(read, write, given.lang, colour)
    game = play.play(board, spymaster, guesser, given.role, terminal)
    if given.json:
        _print_json(game.statistics())


def run_tournament(given: argparse.Namespace) -> None:
    # Imported here: statistics would slow down every other command.
    from wordkin.game import standings, tournament

    bundle = _open(given)
    everyone = [given.measure] if given.measure else list(bundle.measures)
    plan = tournament.Plan(
        spymasters=tuple(map(tournament.parse_spymaster, given.spymasters or everyone)),
        guessers=tuple(map(tournament.parse_guesser, given.guessers or everyone)),
        boards=tournament.deal_boards(
            _board_words(given, bundle), given.boards, given.seed, given.rules
        ),
        rules=given.rules,
        seed=given.seed,
    )
    results = tournament.run(bundle.folder, plan, given.processes)
    found = standings.standings(results, given.seed)
    about = (
        f"{len(results):,} results on {len(plan.boards):,} boards in '{bundle.language}', "
        f"rules: {plan.rules}, seed {plan.seed}. In brackets, 95 % intervals over the boards."
    )
    if given.parquet:
        standings.write_parquet(given.parquet, results)
    if given.html:
        standings.write_page(given.html, "Tournament", about, found)
    if given.json:
        _print_json([asdict(standing) for standing in found])
    else:
        print(about)
        _print_table(standings.HEADER, standings.table_rows(found))


def run_related(given: argparse.Namespace) -> None:
    bundle = _open(given)
    a, b = (normal(word, bundle.language) for word in given.words)
    names = [given.measure] if given.measure else list(bundle.measures)
    values = {name: bundle.relatedness(a, b, name) for name in names}
    if given.json:
        _print_json({"a": a, "b": b, "relatedness": values})
    else:
        rows = [(name, f"{value:.3f}") for name, value in values.items()]
        _print_table(_heads(given, "measure", "relatedness"), rows)


def run_nearest(given: argparse.Namespace) -> None:
    bundle = _open(given)
    if given.k < 1:
        raise InputError(f"-k {given.k} asks for no words: ask for 1 or more.")
    found = bundle.nearest(normal(given.word, bundle.language), given.k, given.measure)
    if given.json:
        _print_json([{"word": word, "relatedness": value} for word, value in found])
    else:
        rows = [(word, f"{value:.3f}") for word, value in found]
        _print_table(_heads(given, "word", "relatedness"), rows)


def run_why(given: argparse.Namespace) -> None:
    bundle = _open(given)
    a, b = (normal(word, bundle.language) for word in given.words)
    names = [given.measure] if given.measure else list(bundle.measures)
    found = {name: bundle.explain(a, b, name) for name in names}
    if given.json:
        _print_json({name: asdict(reason) for name, reason in found.items()})
        return
    say = reasons(given.lang)
    rows = []
    for name, reason in found.items():
        # The reasons of a blend's parts need not be told twice.
        told = isinstance(reason, Blended) and all(part.measure in found for part in reason.parts)
        why = reason.sum() if isinstance(reason, Blended) and told else reason.line(say)
        rows.append((name, f"{reason.relatedness:.3f}", why))
    _print_table(_heads(given, "measure", "relatedness", "why"), rows)


def run_info(given: argparse.Namespace) -> None:
    about = read_manifest(_open(given).folder)
    if given.json:
        _print_json(about)
        return
    size = sum(file["bytes"] for file in about["files"].values())
    rows = [
        ("language", about["language"]),
        ("words", f"{about['words']:,}"),
        ("tokens", f"{about.get('tokens') or 0:,}"),
        ("size", f"{size / 1e6:,.1f} MB in {len(about['files'])} files"),
        ("default", about["default"]),
    ]
    rows += [("measure", f"{m['measure']} ({m['kind']})") for m in about["measures"]]
    for source in about.get("sources", []):
        licence = source.get("licence", "licence not told")
        rows.append(("source", f"{source['name']}, {source.get('tokens', 0):,} tokens, {licence}"))
    _print_table(None, rows)


def run_verify(given: argparse.Namespace) -> int:
    place = find(given.bundle or given.lang)
    # An archive has to be unpacked first; a damaged folder should be looked at as it is.
    bundle = None if place.is_dir() else load(place)
    folder = bundle.folder if bundle else place
    damaged = damaged_files(folder)
    say = texts(given.lang)
    if given.json:
        _print_json({"bundle": str(place), "whole": not damaged, "damaged": damaged})
    elif not damaged:
        print(say["verified"].format(bundle=place, files=len(read_manifest(folder)["files"])))
    for file in [] if given.json else damaged:
        print(say["damaged"].format(file=file), file=sys.stderr)
    return 2 if damaged else 0


def run_pack(given: argparse.Namespace) -> None:
    pack(_open(given).folder, given.archive)
    _tell_written(given, given.archive)


def run_export(given: argparse.Namespace) -> None:
    bundle = _open(given)
    words = read_words(given.words) if given.words else None
    measure = bundle.measure(given.measure)
    FORMATS[given.format].write(bundle, measure, given.path, words, given.top)
    _tell_written(given, given.path)


def _open(given: argparse.Namespace) -> Bundle:
    return load(given.bundle or given.lang)


def _typed_board(given: argparse.Namespace) -> Board:
    return Board.of(**{colour: split_words(getattr(given, colour)) for colour in COLOURS})


def _board_words(given: argparse.Namespace, bundle: Bundle) -> list[str]:
    """The words to deal boards from that the bundle knows."""
    words = read_words(given.words) if given.words else board_words(bundle.language)
    return [word for word in words if bundle.vocabulary.card_ids(word, bundle.language)]


def _spymaster(given: argparse.Namespace, bundle: Bundle) -> Spymaster:
    options = Options(
        penalty=given.penalty,
        threshold=given.threshold,
        sharpness=given.sharpness,
        floor=given.floor,
        guard=given.guard,
    )
    unwanted = read_words(given.unwanted) if given.unwanted else None
    return Spymaster(bundle, given.measure, given.scoring, options, given.rarity, unwanted)


def _heads(given: argparse.Namespace, *columns: str) -> list[str]:
    say = texts(given.lang)
    return [say[f"head_{column}"] for column in columns]


def _tell_written(given: argparse.Namespace, path: Path) -> None:
    if given.json:
        _print_json({"written": str(path)})
    else:
        print(texts(given.lang)["written"].format(path=path))


def _print_table(head: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> None:
    print("\n".join(table_lines(head, rows)))


def _print_json(answer: Any) -> None:
    print(json.dumps(_rounded(answer), ensure_ascii=False, indent=2))


def _rounded(answer: Any) -> Any:
    """The answer with six digits a number: relatedness is kept in single precision."""
    if isinstance(answer, float):
        return float(f"{answer:.6g}")
    if isinstance(answer, dict):
        return {key: _rounded(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [_rounded(value) for value in answer]
    return answer
