"""The pages of a study, and the page on which people delete their data."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wordkin.texts import texts
from wordkin.web.answers import Refused, page
from wordkin.web.database.models import Round
from wordkin.web.keeping import delete_person
from wordkin.web.people import digest
from wordkin.web.rounds import GAMES
from wordkin.web.study import store
from wordkin.web.study.design import COLOURS, Design, StudyBoard, Task
from wordkin.web.visitors import visitor_of

if TYPE_CHECKING:
    from wordkin.web.site import Site

ROOM = re.compile(r"/room/[\w-]+")
LONGEST_PAUSE = 24 * 3600 * 1000
"""Milliseconds that a pick can take; a browser that says more is wrong."""


async def study(request: Request) -> Response:
    """Where a person is in a study: consent, the next clue, the questions or thanks."""
    code, design, person_id = await _open(request)
    site, person = _site(request), digest(person_id)
    progress = await site.database.read(
        partial(store.progress, code=code, name=design.name, person=person)
    )
    show = partial(_page, request, design, code=code, person_id=person_id, progress=progress)
    if progress is None:
        return show("study/consent.html")
    task = progress.task(design)
    if task is None:
        if design.questions and not progress.finished:
            return show("study/questions.html", answers={}, wrong=())
        if not progress.finished:
            await site.database.run(partial(store.finish, code=code, person=person, answers={}))
        return show("study/thanks.html", last=_last(design, progress))
    board = design.board_of(task)
    picks = _picked(request.query_params.getlist("pick"), board, task)
    if not picks:
        await site.database.run(partial(store.note_shown, code=code, person=person))
    last = _last(design, progress) if not picks else ()
    return show("study/board.html", task=task, board=board, picks=picks, last=last)


async def consent(request: Request) -> Response:
    """Take part: only after the box was ticked."""
    code, design, person_id = await _open(request)
    form = await _form(request)
    if form.get("agree") != "yes":
        raise Refused(400, "no_consent")
    join = partial(store.join, code=code, design=design, person=digest(person_id))
    # A form that was sent twice at the same time.
    with suppress(IntegrityError):
        await _site(request).database.run(join)
    return RedirectResponse(f"/study/{code}", 303)


async def answer(request: Request) -> Response:
    """Store the picks for a clue."""
    code, design, person_id = await _open(request)
    site, person, form = _site(request), digest(person_id), await _form(request)
    place = str(form.get("place", ""))
    if not (place.isascii() and place.isdecimal() and len(place) < 6):
        raise Refused(400, "bad_form")
    progress = await site.database.read(
        partial(store.progress, code=code, name=design.name, person=person)
    )
    task = progress.task(design) if progress else None
    if progress is None or task is None or progress.done != int(place):
        # A form that was sent twice, or an old page: go on where the person is.
        return RedirectResponse(f"/study/{code}", 303)
    picks = [pick for pick in form.getlist("pick") if isinstance(pick, str)]
    if not _complete(picks, design.board_of(task), task):
        raise Refused(400, "bad_picks", count=task.number)
    add = partial(
        store.add_answer,
        code=code,
        design=design,
        person=person,
        place=int(place),
        picks=picks,
        times=_times(form.get("times"), len(picks)),
    )
    with suppress(IntegrityError):
        await site.database.run(add)
    return RedirectResponse(f"/study/{code}", 303)


async def questions(request: Request) -> Response:
    """Store the answers to the questions, once all clues are answered."""
    code, design, person_id = await _open(request)
    site, person, form = _site(request), digest(person_id), await _form(request)
    progress = await site.database.read(
        partial(store.progress, code=code, name=design.name, person=person)
    )
    if progress is None or progress.task(design) is not None or progress.finished:
        return RedirectResponse(f"/study/{code}", 303)
    given = {question.name: str(form.get(question.name, "")) for question in design.questions}
    answers, wrong = dict[str, Any](), list[str]()
    for question in design.questions:
        try:
            answers[question.name] = question.read(given[question.name])
        except ValueError:
            wrong.append(question.name)
    if wrong:
        return _page(
            request,
            design,
            "study/questions.html",
            400,
            code=code,
            person_id=person_id,
            progress=progress,
            answers=given,
            wrong=wrong,
        )
    await site.database.run(partial(store.finish, code=code, person=person, answers=answers))
    return RedirectResponse(f"/study/{code}", 303)


async def data(request: Request) -> Response:
    """What is stored about people, and the form that deletes it."""
    return await _data_page(request)


async def delete(request: Request) -> Response:
    """Delete everything that is stored under an id."""
    site, visitor = _site(request), visitor_of(request)
    if not site.rates.moves.allows(visitor.id):
        raise Refused(429, "too_often")
    form = await _form(request)
    typed = str(form.get("id", ""))[:100]
    if not digest(typed) or not typed.strip():
        raise Refused(400, "bad_form")
    deleted = await site.database.run(partial(delete_person, person=digest(typed)))
    return await _data_page(request, deleted=deleted)


async def agree(request: Request) -> Response:
    """Let guesses in games be kept from now on, or no more; the cookie remembers it."""
    form = await _form(request)
    if form.get("keep") not in ("yes", "no"):
        raise Refused(400, "bad_form")
    request.state.visitor = replace(visitor_of(request), agreed=form["keep"] == "yes")
    back = str(form.get("back", ""))
    return RedirectResponse(back if ROOM.fullmatch(back) else "/data", 303)


async def _data_page(request: Request, **context: Any) -> Response:
    site = _site(request)
    game_id = site.people.id_of(visitor_of(request), GAMES)

    def count(session: Session) -> int:
        mine = (Round.source == GAMES, Round.person == digest(game_id))
        return session.scalar(select(func.count()).select_from(Round).where(*mine)) or 0

    context.setdefault("deleted", None)
    context |= {
        "game_id": game_id,
        "kept": await site.database.read(count),
        "days": site.settings.keep_days,
        "agreed": visitor_of(request).agreed,
    }
    return page(request, "study/data.html", **context)


def _site(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


async def _open(request: Request) -> tuple[str, Design, str]:
    """The study of an address, and the id of the person in it."""
    site, visitor = _site(request), visitor_of(request)
    if request.method == "POST" and not site.rates.moves.allows(visitor.id):
        raise Refused(429, "too_often")
    code = request.path_params["code"]
    design = await site.database.read(partial(store.load_design, code=code))
    if design is None:
        raise Refused(404, "no_study")
    return code, design, site.people.id_of(visitor, code)


async def _form(request: Request) -> FormData:
    return await request.form(max_files=0, max_fields=300)


def _page(
    request: Request, design: Design, template: str, status: int = 200, **context: Any
) -> Response:
    """Render a page in the language of the study, whatever the visitor's is."""
    site = _site(request)
    html = site.render(
        template,
        texts(design.language),
        path=request.url.path,
        design=design,
        paragraphs=_paragraphs,
        **context,
    )
    return Response(html, status, media_type="text/html")


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


def _complete(picks: Sequence[str], board: StudyBoard, task: Task) -> bool:
    """Whether these are as many different cards of the board as were asked for."""
    return len(picks) == len(set(picks)) == task.number and set(picks) <= set(board.words)


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


def _last(design: Design, progress: store.Progress) -> Sequence[tuple[str, bool]]:
    """The last picks with whether they were good, where the study shows this."""
    if design.feedback != COLOURS or progress.last is None:
        return ()
    return [(pick, pick in progress.last.blue) for pick in progress.last.picks]


ROUTES = [
    Route("/study/{code}", study),
    Route("/study/{code}/consent", consent, methods=["POST"]),
    Route("/study/{code}/answer", answer, methods=["POST"]),
    Route("/study/{code}/questions", questions, methods=["POST"]),
    Route("/data", data),
    Route("/data/delete", delete, methods=["POST"]),
    Route("/data/agree", agree, methods=["POST"]),
]
