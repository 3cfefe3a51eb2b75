"""The rows of studies. Each function is one transaction's work for `Database.run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from wordkin.errors import InputError
from wordkin.web.database.models import Participant, Round, Study, now
from wordkin.web.database.rounds import record_round
from wordkin.web.study.design import Design, Task, assign
from wordkin.web.visitors import new_code


@dataclass(frozen=True)
class Progress:
    """How far a person is in a study: the clues that they have answered, and the last round.

    `clues` are the places of all their clues in the design, and `finished` is whether they have
    also answered the questions.
    """

    done: int
    clues: Sequence[int]
    finished: bool
    last: Round | None

    def task(self, design: Design) -> Task | None:
        """The clue that comes next; None if all are answered."""
        return design.clues[self.clues[self.done]] if self.done < len(self.clues) else None


@dataclass(frozen=True)
class Status:
    """What has come in for a study."""

    name: str
    code: str
    language: str
    people: int
    finished: int
    rounds: int
    clues: int
    fewest: int
    most: int


def add_study(session: Session, design: Design) -> str:
    """Start a study; returns its code."""
    if session.scalar(select(Study).where(Study.name == design.name)) is not None:
        raise InputError(
            f"There is already a study '{design.name}' in this database: choose another name."
        )
    code = new_code()
    session.add(Study(code=code, name=design.name, design=design.model_dump(mode="json")))
    return code


def load_design(session: Session, code: str) -> Design | None:
    """The design of the study at an address."""
    study = session.get(Study, code)
    return Design.model_validate(study.design) if study else None


def progress(session: Session, code: str, name: str, person: str) -> Progress | None:
    """How far a person is; None if they have not agreed to take part."""
    row = session.get(Participant, (code, person))
    if row is None:
        return None
    rounds = session.scalars(
        select(Round).where(Round.source == name, Round.person == person).order_by(Round.id)
    ).all()
    last = rounds[-1] if rounds else None
    return Progress(len(rounds), row.clues, row.finished is not None, last)


def join(session: Session, code: str, design: Design, person: str) -> None:
    """Let a person take part who has agreed; nothing changes if they do already."""
    if session.get(Participant, (code, person)) is None:
        clues = assign(design, played(session, design), person)
        session.add(Participant(study=code, person=person, clues=clues))


def played(session: Session, design: Design) -> dict[Task, int]:
    """How often each clue of a study was played."""
    rows = session.execute(
        select(Round.board, Round.clue, Round.number, func.count())
        .where(Round.source == design.name)
        .group_by(Round.board, Round.clue, Round.number)
    )
    return {Task(board=row[0], clue=row[1], number=row[2]): row[3] for row in rows}


def note_shown(session: Session, code: str, person: str) -> None:
    """Note that a person sees their next clue now."""
    row = session.get(Participant, (code, person))
    if row is not None:
        row.shown = now()


def add_answer(
    session: Session,
    code: str,
    design: Design,
    person: str,
    place: int,
    picks: Sequence[str],
    times: Sequence[int] | None,
) -> bool:
    """Store the picks of a person for the clue at a place of their order.

    False if it is not their next clue, such as for a form that was sent twice.
    """
    row = session.get(Participant, (code, person))
    state = progress(session, code, design.name, person)
    task = state.task(design) if state else None
    if row is None or state is None or task is None or state.done != place:
        return False
    board = design.board_of(task)
    seconds = (now() - row.shown).total_seconds() if row.shown else None
    played = Round(
        source=design.name,
        person=person,
        language=design.language,
        board=board.name,
        words=list(board.words),
        blue=list(board.blue),
        clue=task.clue,
        number=task.number,
        picks=list(picks),
        seconds=seconds,
        times=None if times is None else list(times),
    )
    return record_round(session, played)


def finish(session: Session, code: str, person: str, answers: dict[str, Any]) -> None:
    """Store the answers to the questions; a second time changes nothing."""
    row = session.get(Participant, (code, person))
    if row is not None and row.finished is None:
        row.finished, row.answers = now(), answers


def statuses(session: Session) -> list[Status]:
    """What has come in for all studies, oldest first."""
    studies = session.scalars(select(Study).order_by(Study.created))
    return [_status(session, study) for study in studies]


def _status(session: Session, study: Study) -> Status:
    design = Design.model_validate(study.design)
    counts = played(session, design)
    per_clue = [counts.get(task, 0) for task in design.clues]
    people, finished = session.execute(
        select(func.count(), func.count(Participant.finished)).where(
            Participant.study == study.code
        )
    ).one()
    return Status(
        name=design.name,
        code=study.code,
        language=design.language,
        people=people,
        finished=finished,
        rounds=sum(per_clue),
        clues=len(per_clue),
        fewest=min(per_clue),
        most=max(per_clue),
    )


def exported_answers(session: Session, name: str) -> list[dict[str, Any]]:
    """The answers to the questions of a study, one entry per person who finished."""
    rows = session.scalars(
        select(Participant)
        .join(Study, Study.code == Participant.study)
        .where(Study.name == name, Participant.finished.is_not(None))
        .order_by(Participant.person)
    )
    return [{"study": name, "session": row.person, "answers": row.answers or {}} for row in rows]
