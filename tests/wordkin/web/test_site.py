"""What every request passes through: cookies, headers, origins, limits, logs, health, metrics."""

from __future__ import annotations

import base64
import json
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.support.web import Running, made_up_settings, running_site
from wordkin.errors import InputError
from wordkin.web import monitoring
from wordkin.web.app import create_app
from wordkin.web.guard import POLICY, Rate
from wordkin.web.settings import Limits, Settings, database_url
from wordkin.web.visitors import preferred


def test_the_start_page_is_in_the_language_of_the_browser(running: Running) -> None:
    english, hungarian = running.client("en").get("/"), running.client("hu-HU,en;q=0.5").get("/")
    assert '<html lang="en">' in english.text
    assert '<html lang="hu">' in hungarian.text
    assert english.headers["content-type"] == "text/html; charset=utf-8"


def test_a_language_that_was_chosen_stays(running: Running) -> None:
    client = running.client("en")
    assert '<html lang="hu">' in client.get("/?lang=hu").text
    assert '<html lang="hu">' in client.get("/").text
    assert '<html lang="hu">' in client.get("/?lang=klingon").text


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-DE,hu;q=0.8,en;q=0.5", "hu"),
        ("en;q=0.3,hu;q=0.9", "hu"),
        ("fr", "en"),
        ("hu;q=0", "en"),
        ("hu;q=much,en;q=0.1", "en"),
        ("," * 10_000, "en"),
    ],
)
def test_the_preferred_language(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_every_answer_has_the_headers_that_protect(running: Running) -> None:
    client = running.client()
    for path in ("/", "/health", "/static/style.css", "/missing"):
        answer = client.get(path)
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers
    assert "unsafe" not in POLICY


def test_cookies_are_signed_and_closed_to_scripts(running: Running) -> None:
    answer = running.client().get("/")
    cookie = answer.headers["set-cookie"]
    assert "httponly" in cookie and "samesite=lax" in cookie and "secure" not in cookie
    # Uvicorn believes proxies on loopback by default.
    answer = running.client().get("/", headers={"X-Forwarded-Proto": "https"})
    assert "; secure" in answer.headers["set-cookie"]


def test_a_forged_cookie_makes_a_new_visitor(running: Running) -> None:
    own = running.client("hu").get("/").cookies["wordkin"]
    content = base64.b64encode(json.dumps({"id": "guessed", "language": "hu"}).encode()).decode()
    signature = own.partition(".")[2]
    for forged in (f"{content}.{signature}", own[:-2] + "xx", "", "x.y.z"):
        client = running.client("en")
        client.cookies.set("wordkin", forged)
        answer = client.get("/")
        assert '<html lang="en">' in answer.text
        assert answer.cookies["wordkin"] != forged


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_forms_of_other_sites_are_refused(running: Running, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{running.url}/", headers=headers, data={"role": "guesser"})
    assert answer.status_code == 403
    assert "came from another site" in answer.text


def test_a_further_origin_can_be_allowed(bundles: tuple[str, ...], tmp_path: Path) -> None:
    settings = made_up_settings(tmp_path, bundles)
    with running_site(replace(settings, origins=("https://play.example.org/",))) as running:
        answer = httpx.post(f"{running.url}/", headers={"Origin": "https://play.example.org"})
        assert answer.status_code == 405


def test_too_many_requests_are_refused_with_a_time_to_wait(
    bundles: tuple[str, ...], tmp_path: Path
) -> None:
    settings = made_up_settings(tmp_path, bundles)
    with running_site(replace(settings, limits=Limits(pages=5))) as running:
        client = running.client(accept="application/json")
        answers = [client.get("/health") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert "too fast" in answers[-1].json()["error"]
        assert answers[-1].headers["retry-after"] == "5"


def test_long_bodies_are_refused(running: Running) -> None:
    client = running.client()
    assert client.post("/", content=b"x" * 100_000).status_code == 413
    assert client.post("/", content=iter([b"x" * 1000])).status_code == 405


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("/play", "/"),
        ("/room/abc/clue", "/room/abc"),
        ("/data/delete", "/data"),
    ],
)
def test_the_address_of_a_form_leads_to_its_page_in_the_chosen_language(
    running: Running, form: str, shown: str
) -> None:
    client = running.client()
    answer = client.get(f"{form}?lang=hu", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, shown)
    assert 'lang="hu"' in client.get("/").text


def test_a_rate_comes_back_when_its_period_is_over() -> None:
    clock = [0.0]
    rate = Rate(2, 60, lambda: clock[0])
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    clock[0] = 31
    assert rate.allows("b")
    assert not rate.allows("a")
    clock[0] = 61
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    assert rate.allows("b") and not rate.allows("b")


def test_missing_pages_are_a_sentence(running: Running) -> None:
    answer = running.client("hu").get("/nincs")
    assert answer.status_code == 404
    assert "Nincs ilyen oldal" in answer.text
    answer = running.client(accept="application/json").get("/missing")
    assert answer.json() == {"error": "There is no such page. Check the address."}


def test_nobody_sees_a_traceback(
    running: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*arguments: object, **context: object) -> str:
        if arguments[0] == "home.html":
            raise RuntimeError("secret detail")
        return render(*arguments, **context)  # type: ignore[arg-type]

    render = running.site.render
    monkeypatch.setattr(running.site, "render", fail)
    answer = running.client().get("/")
    assert answer.status_code == 500
    assert "went wrong on our side" in answer.text
    assert "secret detail" not in answer.text
    assert answer.headers["content-security-policy"] == POLICY
    # The server logs it when the answer is on the way.
    wait_until(lambda: any(record.exc_info for record in caplog.records))


def test_health_and_metrics(running: Running) -> None:
    client = running.client()
    client.get("/")
    assert client.get("/health").json() == {"database": "ok"}
    lines = client.get("/metrics").text.splitlines()
    assert any(line.startswith('wordkin_requests_total{method="GET",route="/"') for line in lines)
    assert any(line.startswith("wordkin_request_seconds_bucket") for line in lines)


def test_logs_are_json_without_personal_data(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    monitoring.logger.addHandler(caplog.handler)  # a site that serves keeps its logs from the root
    try:
        with caplog.at_level(logging.INFO, "wordkin.web"):
            running.client().get("/secret-address?name=Anna")
            wait_until(lambda: bool(caplog.records))
    finally:
        monitoring.logger.removeHandler(caplog.handler)
    lines = [monitoring.JsonFormatter().format(record) for record in caplog.records]
    assert lines
    for line in lines:
        entry = json.loads(line)
        assert entry["event"] == "request"
        assert entry["route"] == "other"
        assert not any(word in line for word in ("Anna", "secret", "127.0.0.1"))


def wait_until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_addresses_of_databases() -> None:
    assert database_url("/a/b.sqlite") == "sqlite:////a/b.sqlite"
    assert database_url("postgres://me@host/x") == "postgresql+psycopg://me@host/x"
    with pytest.raises(InputError, match="kind 'mysql'"):
        database_url("mysql://host/x")


def test_a_site_needs_bundles(tmp_path: Path, bundles: tuple[str, ...]) -> None:
    database = database_url(str(tmp_path / "web.sqlite"))
    with pytest.raises(InputError, match="at least one bundle"):
        create_app(Settings(database, ()))
    with pytest.raises(InputError, match="Two bundles are for the language 'en'"):
        create_app(Settings(database, (bundles[0], bundles[0])))
