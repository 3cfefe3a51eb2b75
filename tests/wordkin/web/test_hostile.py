"""What strangers may send: nothing but sentences comes back, and the site goes on."""

from __future__ import annotations

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.examples import at_most
from tests.support.rooms import Player
from tests.support.web import Running

TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["", "\x00", "\u202e", "../../etc/passwd", "' OR 1=1 --", "{{7*7}}", "%s%n", "💥" * 30,
         "<script>alert(1)</script>", "1e309", "-1", "NaN", "９", "a\r\nSet-Cookie: x=y"]
    ),
)  # fmt: skip
ACTIONS = (
    "sit", "leave", "release", "name", "options", "start", "clue", "card", "stop", "give-up",
    "nothing",
)  # fmt: skip
FIELDS = (
    "seat", "name", "clue", "number", "card", "seen", "first", "second", "neutral", "assassins",
    "words", "measure", "risk", "opponents", "mode", "words_language",
)  # fmt: skip

FILE = b'--x\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\nfile\r\n--x--'


@pytest.fixture(scope="module")
def player(running: Running) -> Player:
    player = Player(running.url)
    player.open("spymaster", opponents="none")
    return player


@pytest.mark.slow
@settings(max_examples=at_most(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    action=st.sampled_from(ACTIONS),
    path=st.sampled_from(("/play", "/daily", "/game/x/play")),
    form=st.dictionaries(st.sampled_from(FIELDS), TEXTS, max_size=6),
)
def test_any_form_gets_an_answer_that_is_no_fault(
    player: Player, action: str, path: str, form: dict[str, str]
) -> None:
    answer = player.client.post(path, data=form)
    assert answer.status_code < 500, (path, form, answer.text)
    answer = player.client.get(f"{player.room}/check", params={"clue": form.get("clue", "")})
    assert set(answer.json()) == {"legal", "sentence"}
    answer = player.post(action, **form)
    assert answer.status_code < 500, (action, form, answer.text)
    content = answer.json()
    assert "error" in content or "parts" in content
    assert "Traceback" not in answer.text
    assert "set-cookie" not in answer.headers or "x=y" not in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "body",
    [
        (b"\xff\xfe\x00=1", "application/x-www-form-urlencoded"),
        (b"%", "application/x-www-form-urlencoded"),
        (b"&" * 5000, "application/x-www-form-urlencoded"),
        (b"a=1&" * 500, "application/x-www-form-urlencoded"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"no boundary", "multipart/form-data"),
        (FILE, "multipart/form-data; boundary=x"),
        (b'{"card": 1}', "application/json"),
        (b"", "text/plain"),
    ],
)
def test_broken_bodies_are_refused(player: Player, body: tuple[bytes, str]) -> None:
    content, kind = body
    answer = player.client.post(
        f"{player.room}/card", content=content, headers={"Content-Type": kind}
    )
    assert 400 <= answer.status_code < 500, answer.text


@pytest.mark.parametrize("path", ["/room/%00", "/room/" + "x" * 3000, "/room/..%2f..", "/game/%ff",
                                  "/static/../app.py", "/static/%2e%2e/app.py",
                                  "/daily/2026-01-01%00/en"])  # fmt: skip
def test_odd_addresses_lead_nowhere(player: Player, path: str) -> None:
    assert player.client.get(path).status_code in (400, 404)


def test_links_of_a_page_stay_on_the_site(player: Player) -> None:
    url = httpx.URL(player.url).copy_with(raw_path=b"//evil.example")
    answer = player.client.get(url)
    assert answer.status_code == 404
    assert 'href="/evil.example?lang=hu"' in answer.text
    assert '"//' not in answer.text
