"""The addresses of studies, and the page on which people see and delete their data."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy.exc import IntegrityError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wordkin.texts import texts
from wordkin.web.answers import Refused, page, read_form, site_of
from wordkin.web.database import studies
from wordkin.web.database.rounds import GAMES, count_rounds, delete_person
from wordkin.web.database.studies import Progress
from wordkin.web.study.design import COLOURS, Design, StudyBoard, Task
from wordkin.web.visitors import digest, visitor_of

ROOM = re.compile(r"/room/[\w-]+")
LONGEST_PAUSE = 24 * 3600 * 1000
"""Milliseconds that a pick can take; a browser that says more is wrong."""


class Participation:
    """A person in the study of an address: the design, how far they are, and their id in it."""

    def __init__(self, request: Request, code: str, design: Design) -> None:
        self.request, self.code, self.design = request, code, design
        self.id = site_of(request).person_id(visitor_of(request), code)
        self.person = digest(self.id)
        self.progress: Progress | None = None

    @classmethod
    async def open(cls, request: Request) -> Participation:
        """Find the study of a request, and how far the person is."""
        site, code = site_of(request), request.path_params["code"]
        if request.method == "POST" and not site.rates.moves.allows(visitor_of(request).id):
            raise Refused(429, "too_often")
        design = await site.database.read(partial(studies.load_design, code=code))
        if design is None:
            raise Refused(404, "no_study")
        own = cls(request, code, design)
        own.progress = await site.database.read(
            partial(studies.progress, code=code, name=design.name, person=own.person)
        )
        return own

    @property
    def task(self) -> Task | None:
        """The clue that comes next; None if there is none, or the person has not agreed."""
        return self.progress.task(self.design) if self.progress else None

    async def store(self, work: Any, **values: Any) -> None:
        """Do one transaction's work for this person; a form that was sent twice changes nothing."""
        with suppress(IntegrityError):
            await site_of(self.request).database.run(
                partial(work, code=self.code, person=self.person, **values)
            )

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """Render a page in the language of the study, whatever the visitor's is."""
        return page(
            self.request,
            template,
            status,
            texts(self.design.language),
            code=self.code,
            design=self.design,
            person_id=self.id,
            progress=self.progress,
            paragraphs=_paragraphs,
            **context,
        )

    def again(self) -> Response:
        """Show where the person is now."""
        return RedirectResponse(f"/study/{self.code}", 303)

    @property
    def last(self) -> Sequence[tuple[str, bool]]:
        """The last picks with whether they were good, where the study shows this."""
        played = self.progress.last if self.progress else None
        if self.design.feedback != COLOURS or played is None:
            return ()
        return [(pick, pick in played.blue) for pick in played.picks]


async def study(request: Request) -> Response:
    """Where a person is in a study: consent, the next clue, the questions or thanks."""
    own = await Participation.open(request)
    if own.progress is None:
        return own.page("study/consent.html")
    task = own.task
    if task is None:
        if own.design.questions and not own.progress.finished:
            return own.page("study/questions.html", answers={}, wrong=())
        if not own.progress.finished:
            await own.store(studies.finish, answers={})
        return own.page("study/thanks.html", last=own.last)
    board = own.design.board_of(task)
    picks = _picked(request.query_params.getlist("pick"), board, task)
    if not picks:
        await own.store(studies.note_shown)
    last = () if picks else own.last
    return own.page("study/board.html", task=task, board=board, picks=picks, last=last)


async def consent(request: Request) -> Response:
    """Take part: only after the box was ticked."""
    own = await Participation.open(request)
    if (await read_form(request)).get("agree") != "yes":
        raise Refused(400, "no_consent")
    await own.store(studies.join, design=own.design)
    return own.again()


async def answer(request: Request) -> Response:
    """Store the picks for a clue."""
    own, form = await Participation.open(request), await read_form(request)
    place, task = str(form.get("place", "")), own.task
    if not (place.isascii() and place.isdecimal() and len(place) < 6):
        raise Refused(400, "bad_form")
    if own.progress is None or task is None or own.progress.done != int(place):
        # A form that was sent twice, or an old page: go on where the person is.
        return own.again()
    picks = [pick for pick in form.getlist("pick") if isinstance(pick, str)]
    cards = set(own.design.board_of(task).words)
    if not len(picks) == len(set(picks)) == task.number or not set(picks) <= cards:
        raise Refused(400, "bad_picks", count=task.number)
    times = _times(form.get("times"), len(picks))
    await own.store(
        studies.add_answer, design=own.design, place=int(place), picks=picks, times=times
    )
    return own.again()


async def questions(request: Request) -> Response:
    """Store the answers to the questions, once all clues are answered."""
    own, form = await Participation.open(request), await read_form(request)
    if own.progress is None or own.task is not None or own.progress.finished:
        return own.again()
    given = {question.name: str(form.get(question.name, "")) for question in own.design.questions}
    answers, wrong = dict[str, Any](), list[str]()
    for question in own.design.questions:
        try:
            answers[question.name] = question.read(given[question.name])
        except ValueError:
            wrong.append(question.name)
    if wrong:
        return own.page("study/questions.html", 400, answers=given, wrong=wrong)
    await own.store(studies.finish, answers=answers)
    return own.again()


async def data(request: Request) -> Response:
    """What is stored about people, and the form that deletes it."""
    return await _data_page(request)


async def delete(request: Request) -> Response:
    """Delete everything that is stored under an id."""
    site = site_of(request)
    if not site.rates.moves.allows(visitor_of(request).id):
        raise Refused(429, "too_often")
    typed = str((await read_form(request)).get("id", ""))[:100]
    if not typed.strip():
        raise Refused(400, "bad_form")
    deleted = await site.database.run(partial(delete_person, person=digest(typed)))
    return await _data_page(request, deleted=deleted)


async def agree(request: Request) -> Response:
    """Let guesses in games be kept from now on, or no more; the cookie remembers it."""
    form = await read_form(request)
    if form.get("keep") not in ("yes", "no"):
        raise Refused(400, "bad_form")
    request.session["agreed"] = form["keep"] == "yes"
    back = str(form.get("back", ""))
    return RedirectResponse(back if ROOM.fullmatch(back) else "/data", 303)


async def _data_page(request: Request, deleted: Any = None) -> Response:
    site, visitor = site_of(request), visitor_of(request)
    game_id = site.person_id(visitor, GAMES)
    mine = partial(count_rounds, source=GAMES, person=digest(game_id))
    return page(
        request,
        "study/data.html",
        deleted=deleted,
        game_id=game_id,
        kept=await site.database.read(mine),
        days=site.settings.keep_days,
        agreed=visitor.agreed,
    )


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in text.split("\n\n") if part.strip()]


def _picked(picks: Sequence[str], board: StudyBoard, task: Task) -> list[str]:
    """The cards that are picked: one that is named a second time is taken back."""
    picked = list[str]()
    for pick in picks[:300]:
        if pick in picked:
            picked.remove(pick)
        elif pick in board.words and len(picked) < task.number:
            picked.append(pick)
    return picked


def _times(text: Any, count: int) -> list[int] | None:
    """The browser's times of the picks in milliseconds; None if it sent none, or nonsense."""
    try:
        times = json.loads(str(text)[:5000])
    except ValueError:
        return None
    whole = isinstance(times, list) and all(type(time) is int for time in times)
    if not whole or len(times) != count or not all(0 <= time <= LONGEST_PAUSE for time in times):
        return None
    return times


ROUTES = [
    Route("/study/{code}", study),
    Route("/study/{code}/consent", consent, methods=["POST"]),
    Route("/study/{code}/answer", answer, methods=["POST"]),
    Route("/study/{code}/questions", questions, methods=["POST"]),
    Route("/data", data),
    Route("/data/delete", delete, methods=["POST"]),
    Route("/data/agree", agree, methods=["POST"]),
]
