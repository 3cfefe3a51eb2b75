"""Studies: who gets which clue, what is stored, the export, deletion and retention."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from tests.support.rooms import Player
from tests.support.studies import BOARD, STUDY, Volunteer, database_of, start_study, write_study
from tests.support.web import Running, made_up_settings, running_site
from wordkin.cli import main
from wordkin.game.rounds import read_rounds
from wordkin.web.database import Database
from wordkin.web.database.models import Participant, Room, Round, now
from wordkin.web.database.rounds import (
    Deleted,
    board_name,
    delete_old,
    exported_items,
    record_round,
)
from wordkin.web.study.design import Design, StudyBoard, Task, assign
from wordkin.web.visitors import digest, person_id

PICKS = (("piano", "mouse"), ("tree", "bison", "ship"))
Start = Callable[..., str]


@pytest.fixture
def start(running: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Start:
    """Starts a study with a name of its own."""

    def new(**changes: object) -> str:
        changes.setdefault("name", f"study-{secrets.token_hex(4)}")
        return start_study(running, tmp_path, capsys, **changes)

    return new


def rounds_of(running: Running, person_id: str) -> list[Round]:
    mine = select(Round).where(Round.person == digest(person_id)).order_by(Round.id)
    return running.site.database.transact(lambda session: list(session.scalars(mine)))


def made_up(
    source: str, person: str, board: str, words: list[str], clue: str, number: int, picks: list[str]
) -> Round:
    return Round(
        source=source, person=person, language="en", board=board, words=words, blue=words[:2],
        clue=clue, number=number, picks=picks,
    )  # fmt: skip


def test_a_person_goes_from_consent_to_thanks(running: Running, start: Start) -> None:
    person = Volunteer(running, start())
    page = person.see()
    assert "You will see &lt;boards&gt; of words." in page
    assert "keyboard" not in page
    page = person.consent()
    assert "Clue 1 of 2" in page and "keyboard" in page
    person.pick(0, "mouse", "piano", times="[900, 1500]")
    page = person.see()
    assert "Clue 2 of 2" in page and "forest" in page
    person.pick(1, "tree", "bison", "ship", times="nonsense")
    assert "Native?" in person.see()
    page = person.answer(native="yes", age="30", hard="", remarks="<i>").text
    assert "Thank you!" in page
    first, second = rounds_of(running, person.person_id())
    assert (first.clue, first.picks, first.times) == ("keyboard", ["mouse", "piano"], [900, 1500])
    assert (second.board, second.number, second.times) == ("second", 3, None)
    assert first.seconds is not None and 0 < first.seconds < 60
    assert first.words == BOARD and first.blue == BOARD[:4]


def test_a_person_can_leave_and_go_on(running: Running, start: Start) -> None:
    person = Volunteer(running, start())
    person.consent()
    person.pick(0, "mouse", "piano")
    assert "Clue 2 of 2" in person.see()
    # Forms that are sent twice, or from an old page, change nothing.
    assert "Clue 2 of 2" in person.pick(0, "bread", "ship").text
    assert "Clue 2 of 2" in person.consent()
    assert "Clue 2 of 2" in person.answer(native="yes").text
    assert len(rounds_of(running, person.person_id())) == 1
    # Another browser begins anew.
    assert "Begin (2 clues)" in Volunteer(running, person.address).see()


def test_nothing_is_stored_without_consent(running: Running, start: Start) -> None:
    person = Volunteer(running, start())
    answer = person.client.post(f"{person.address}/consent", data={})
    assert answer.status_code == 400 and "Tick the box" in answer.text
    assert "Begin (2 clues)" in person.pick(0, "mouse", "piano").text
    assert "Begin (2 clues)" in person.answer(native="yes").text


@pytest.mark.parametrize(
    "picks",
    [(), ("piano",), ("piano", "piano"), ("piano", "dog"), ("piano", "mouse", "bison")],
)
def test_only_as_many_cards_of_the_board_as_asked_for(
    running: Running, start: Start, picks: tuple[str, ...]
) -> None:
    person = Volunteer(running, start())
    person.consent()
    answer = person.pick(0, *picks)
    assert answer.status_code == 400 and "Choose 2 different cards" in answer.text
    form = {"place": "x", "pick": ["piano", "mouse"]}
    assert person.client.post(f"{person.address}/answer", data=form).status_code == 400
    assert rounds_of(running, person.person_id()) == []


def test_impossible_answers_are_marked_and_kept(running: Running, start: Start) -> None:
    person = Volunteer(running, start())
    person.consent()
    for place, picks in enumerate(PICKS):
        person.pick(place, *picks)
    answer = person.answer(native="", age="7", remarks="no <b>")
    assert answer.status_code == 400
    assert answer.text.count('class="bad"') == 2
    assert 'value="7"' in answer.text and "no &lt;b&gt;" in answer.text


def test_picks_work_without_scripts(running: Running, start: Start) -> None:
    person = Volunteer(running, start())
    person.consent()
    page = person.client.get(person.address, params={"pick": ["mouse", "tree"]}).text
    assert 'data-place="2" aria-label="tree, choice 2"' in page
    page = person.client.get(person.address, params={"pick": ["mouse", "tree", "mouse"]}).text
    assert 'data-place="1" aria-label="tree, choice 1"' in page
    assert page.count("data-place") == 1 and "disabled>" in page


def test_colours_are_shown_only_where_the_study_says_so(running: Running, start: Start) -> None:
    person = Volunteer(running, start(feedback="colours"))
    assert "(right)" not in person.consent()
    page = person.pick(0, "mouse", "ship").text
    assert page.count("(right)") == page.count("(wrong)") == 1
    # Nothing else says what is good: the page has the words of the board, and two chips.
    assert page.count("chip blue") == 1 and page.count("chip neutral") == 1
    silent = Volunteer(running, start())
    silent.consent()
    assert "chip" not in silent.pick(0, "mouse", "ship").text


def test_the_language_is_that_of_the_study(running: Running, start: Start) -> None:
    page = Volunteer(running, start(language="hu"), "en").see()
    assert '<html lang="hu">' in page and "Elolvastam" in page


designs = st.builds(
    lambda boards, per_board, count, order: Design(
        name="x", language="en", title="t", consent="c", order=order,
        per_person=1 + count % (boards * per_board),
        boards=tuple(StudyBoard(name=str(b), words=("a", "b"), blue=("a",)) for b in range(boards)),
        clues=tuple(
            Task(board=str(b), clue=f"clue{c}", number=1)
            for b in range(boards) for c in range(per_board)
        ),
    ),
    st.integers(1, 4), st.integers(1, 4), st.integers(0, 50), st.sampled_from(["fixed", "random"]),
)  # fmt: skip


@given(designs)
def test_everybody_gets_as_many_clues_and_all_clues_equally_often(design: Design) -> None:
    played = Counter[Task]()
    for person in range(12):
        clues = assign(design, played, str(person))
        assert clues == assign(design, played, str(person))
        assert len(clues) == len(set(clues)) == design.clues_each
        if design.order == "fixed":
            assert clues == sorted(clues)
        boards = Counter(design.clues[at].board for at in clues)
        assert max(boards.values()) - min(boards.get(b.name, 0) for b in design.boards) <= 1
        played.update(design.clues[at] for at in clues)
    times = [played[task] for task in design.clues]
    assert max(times) - min(times) <= 2


def test_orders_differ_between_people_only_at_random() -> None:
    tasks = [{"board": "a", "clue": f"clue{at}", "number": 1} for at in range(6)]
    boards = [{"name": "a", "words": ["a", "b"], "blue": ["a"]}]
    content = {"name": "x", "language": "en", "title": "t", "consent": "c"}
    for order, several in (("random", True), ("fixed", False)):
        design = Design.model_validate(
            {**content, "boards": boards, "clues": tasks, "order": order}
        )
        assert (len({tuple(assign(design, {}, str(p))) for p in range(9)}) > 1) is several


def test_the_export_is_what_rounds_are_read_from(
    running: Running, start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = start(name="exported")
    ids = [Volunteer(running, address).take_part(*PICKS) for _ in range(2)]
    out, answers = tmp_path / "rounds.jsonl", tmp_path / "answers.jsonl"
    options = [database_of(running), "--out", str(out), "--answers", str(answers)]
    assert main(["study", "export", "exported", *options]) == 0
    assert capsys.readouterr().out == f"Wrote 4 rounds of 2 people to {out}.\n"
    items = read_rounds(out)
    assert [(item.board, item.clue, item.number) for item in items] == [
        ("exported/first", "keyboard", 2),
        ("exported/second", "forest", 3),
    ]
    assert items[0].blue == tuple(BOARD[:4])
    assert {round.session for round in items[0].rounds} == set(map(digest, ids))
    assert {round.picks for round in items[1].rounds} == {PICKS[1]}
    stored = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [entry["answers"]["native"] for entry in stored] == ["yes", "yes"]
    # The ids with which people delete are nowhere: not in the export, not in the database.
    dump = "\n".join(sqlite3.connect(running.site.database.engine.url.database or "").iterdump())
    for own in ids:
        assert own not in out.read_text() + answers.read_text() + dump
    assert "127.0.0.1" not in dump


def test_status_counts_people_and_rounds(
    running: Running, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    address = start(name="counted")
    Volunteer(running, address).take_part(*PICKS)
    halfway = Volunteer(running, address)
    halfway.consent()
    halfway.pick(0, *PICKS[0])
    assert main(["study", "status", "counted", database_of(running), "--json"]) == 0
    (status,) = json.loads(capsys.readouterr().out)
    assert (status["people"], status["finished"], status["rounds"]) == (2, 1, 3)
    assert (status["fewest"], status["most"]) == (1, 2)
    assert status["address"].endswith(address)
    assert main(["study", "status", database_of(running)]) == 0
    assert "1 to 2" in capsys.readouterr().out


@pytest.mark.slow
def test_people_delete_their_data_by_id(
    running: Running, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    address = start()
    people = [Volunteer(running, address) for _ in range(3)]
    ids = [person.take_part(*PICKS) for person in people]
    # On the page, with other capitals and without hyphens; by anybody who has the id.
    other = running.client()
    typed = ids[0].upper().replace("-", " ")
    assert "with 2 choices" in other.post("/data/delete", data={"id": typed}).text
    assert "Nothing is stored" in other.post("/data/delete", data={"id": ids[0]}).text
    assert rounds_of(running, ids[0]) == []
    assert "Begin (2 clues)" in people[0].see()
    # By the command.
    assert main(["study", "delete", ids[1], database_of(running)]) == 0
    assert "2 rounds deleted" in capsys.readouterr().out
    assert rounds_of(running, ids[1]) == []
    # The third one is still there.
    assert len(rounds_of(running, ids[2])) == 2 and "Thank you" in people[2].see()
    assert other.post("/data/delete", data={"id": " "}).status_code == 400


def test_ids_of_one_browser_cannot_be_linked() -> None:
    ids = {person_id("key", "abc", source) for source in ("study1", "study2", "games")}
    ids |= {person_id("other", "abc", "games"), person_id("key", "abd", "games")}
    assert len(ids) == 5
    assert all(len(own) == 23 for own in ids)
    assert digest("AB-cd 12") == digest("abcd12") != digest("abcd13")


def test_what_is_too_old_is_deleted(running: Running, start: Start) -> None:
    address = start()
    old, new = Volunteer(running, address), Volunteer(running, address)
    old_id, new_id = old.take_part(*PICKS), new.take_part(*PICKS)
    rooms = [Player(running.url).open("room").rpartition("/")[2] for _ in range(2)]
    database, past = running.site.database, now() - timedelta(days=40)
    database.transact(
        lambda session: [
            session.execute(change)
            for change in (
                update(Round).where(Round.person == digest(old_id)).values(made=past),
                update(Participant).where(Participant.person == digest(old_id)).values(joined=past),
                update(Room).where(Room.code == rooms[0]).values(used=past),
            )
        ]
    )
    assert database.transact(lambda session: delete_old(session, 41)) == Deleted(0, 0, 0)
    assert database.transact(lambda session: delete_old(session, 39)) == Deleted(2, 1, 1)
    assert rounds_of(running, old_id) == [] and len(rounds_of(running, new_id)) == 2
    left = database.transact(lambda session: set(session.scalars(select(Room.code))))
    assert rooms[0] not in left and rooms[1] in left


def test_the_site_deletes_what_is_too_old_when_it_starts(
    bundles: tuple[str, ...], tmp_path: Path
) -> None:
    settings = made_up_settings(tmp_path, bundles)
    database = Database(settings.database)
    database.upgrade()
    past = now() - timedelta(days=settings.keep_days + 1)
    played = made_up("games", "someone", "b", BOARD, "clue", 1, ["piano"])
    database.transact(lambda session: record_round(session, played))
    database.transact(lambda session: session.execute(update(Round).values(made=past)))
    with running_site(settings) as running:
        for _ in range(100):
            left = running.site.database.transact(
                lambda session: session.scalars(select(Round)).all()
            )
            if not left:
                break
            time.sleep(0.05)
        assert left == []
    database.close()


def test_a_round_counts_for_the_cards_that_were_taken(running: Running) -> None:
    def played(number: int, *picks: str, clue: str = "c") -> Round:
        return made_up("made-up", "p", board_name(BOARD), BOARD, clue, number, list(picks))

    database = running.site.database
    for new, stored in (
        (played(3, "piano", "ship"), True),  # the turn ended at a wrong card
        (played(2, "piano", "tree"), False),  # the same clue for as many cards
        (played(1, "piano", "tree"), True),  # one more than the clue was for
        (played(0, "bread", clue="unlimited"), True),
        (played(2, clue="stopped"), False),
    ):
        assert database.transact(lambda session, new=new: record_round(session, new)) is stored
    items = database.transact(lambda session: exported_items(session, ["made-up"]))
    assert [(item["clue"], item["n"]) for item in items] == [("c", 1), ("c", 2), ("unlimited", 1)]
    assert board_name(BOARD) == board_name(BOARD[::-1]) != board_name(BOARD[1:])


def test_the_same_clue_with_other_cards_left_is_another_item(
    running: Running, tmp_path: Path
) -> None:
    database = running.site.database
    for person, words in (("a", BOARD), ("b", BOARD[1:]), ("c", BOARD)):
        new = made_up("variants", person, "board", words, "wood", 1, ["tree"])
        database.transact(lambda session, new=new: record_round(session, new))
    items = database.transact(lambda session: exported_items(session, ["variants"]))
    (tmp_path / "rounds.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in items))
    boards = [(item.board, len(item.rounds)) for item in read_rounds(tmp_path / "rounds.jsonl")]
    assert boards == [("variants/board", 2), ("variants/board#2", 1)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["new", "missing.yaml"], "Cannot read the study missing.yaml"),
        (["export", "pilot"], "Missing option '--out'"),
        (["export", "pilot", "--out", "x"], "There is no study 'pilot'"),
        (["export", "games", "--out", "x"], "There are no rounds of games yet"),
        (["status", "pilot"], "There is no study 'pilot'"),
    ],
)
def test_mistakes_in_commands_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["study", *arguments, "--database", str(tmp_path / "a.sqlite")]) == 2
    message = capsys.readouterr().err
    assert sentence in message and message.count("\n") == 1
    assert not Path("x").exists()


def test_new_prints_every_mistake_and_a_name_is_used_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"--database={tmp_path / 'a.sqlite'}"
    path = write_study(tmp_path, order="odd", feedback="odd")
    assert main(["study", "new", str(path), database]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert main(["study", "new", str(write_study(tmp_path)), database]) == 0
    assert f"The study '{STUDY['name']}' has begun: http://" in capsys.readouterr().out
    assert main(["study", "new", str(write_study(tmp_path)), database]) == 2
    assert "already a study 'pilot'" in capsys.readouterr().err
