"""How programs end: streams of every kind, signals, and failures of the system."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pipeline.__main__ import main as pipeline_main
from tests.support.bundles import make_bundle
from tests.support.root import ROOT
from wordkin.cli import main
from wordkin.errors import InputError
from wordkin.program import run


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_bundle(tmp_path_factory.mktemp("program"), "hu"))


def program(shell: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash with `$wordkin` and `$pipeline` as the two programs."""
    programs = {name: f"{sys.executable} -m {name}" for name in ("wordkin", "pipeline")}
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **programs, **environment}
    return subprocess.run(
        ["bash", "-c", shell], capture_output=True, env=variables, cwd=ROOT, timeout=60
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    ["$wordkin info --json --bundle $BUNDLE", "$wordkin --help", "$pipeline --help"],
)
def test_a_closed_pipe_is_not_an_error(call: str, bundle: str) -> None:
    done = program(f"{call} | head -c 2; exit ${{PIPESTATUS[0]}}", BUNDLE=bundle)
    assert (done.returncode, len(done.stdout), done.stderr) == (0, 2, b"")


def test_a_full_disk_behind_standard_output_is_one_sentence(bundle: str) -> None:
    done = program("$wordkin info --bundle $BUNDLE > /dev/full", BUNDLE=bundle)
    assert done.returncode == 1
    assert b"No space left on device" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_trouble(closed: str, bundle: str) -> None:
    done = program(f"$wordkin related zongora dal --bundle $BUNDLE {closed}", BUNDLE=bundle)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"graph" in done.stdout) == (">&-" not in closed.split())


def test_a_game_without_standard_input_ends(bundle: str) -> None:
    board = "--words <(printf '%s\\n' $WORDS)"
    words = "zongora hegedű fuvola dallam dal énekes dob gitár egér kábel program gomb bölény ló"
    words += " macska kutya oroszlán tehén birka király herceg korona trón palota lovag"
    call = f"$wordkin play --bundle $BUNDLE --lang hu {board} <&-"
    done = program(call, BUNDLE=bundle, WORDS=words)
    assert (done.returncode, done.stderr) == (0, b"")


ENCODINGS = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
    {"LC_ALL": "xx_YY.klingon"},
]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: " ".join(encoding.values()))
def test_any_encoding_shows_any_word(encoding: dict[str, str], bundle: str) -> None:
    call = f"$wordkin nearest zongora --bundle {bundle} --lang hu"
    table = program(call, **encoding)
    assert table.returncode == 0
    assert b"Traceback" not in table.stderr
    assert len(table.stdout.splitlines()) == 11
    answer = program(f"{call} --json", **encoding)
    words = {entry["word"] for entry in json.loads(answer.stdout)}
    assert words & {"hegedű", "énekes", "billentyűzet"}


def test_a_name_that_is_not_text_is_printed(tmp_path: Path) -> None:
    done = program("$wordkin info --bundle $'no\\xffwhere'")
    assert done.returncode == 2
    assert done.stderr.startswith(b"There is no bundle at no")
    assert done.stderr.count(b"\n") == 1


def test_names_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--bundle", "a\x1b[2Jb\nc"]) == 2
    assert capsys.readouterr().err == "There is no bundle at a\\x1b[2Jb\\nc.\n"


def test_no_home_and_a_narrow_terminal(bundle: str) -> None:
    for call in (f"$wordkin related zongora dal --bundle {bundle}", "$pipeline add --help"):
        done = program(f"unset HOME; COLUMNS=1 {call}")
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("loaded", [True, False])
def test_an_interrupt_ends_without_a_traceback(loaded: bool, bundle: str, tmp_path: Path) -> None:
    call = f"-m wordkin play --lang hu --bundle {bundle} --board {tmp_path}/board.txt"
    (tmp_path / "board.txt").write_text("ours: zongora\ntheirs: egér\n", encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, *call.split()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path,
        # Tests that run in the background of a shell pass on that interrupts are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert process.stdout is not None
    if loaded:
        process.stdout.readline()  # the game has begun
    else:
        wait_for_library(process.pid, "numpy")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    # At a prompt Ctrl-C leaves the game as `quit` does; the game may have got that far.
    assert process.returncode in ({0, 130} if loaded else {130})
    assert err == b""


def test_what_an_interrupted_library_reports_is_an_interrupt() -> None:
    # A library that an earlier test of this process used may have a handler of its own.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        check_interrupted_library()
    finally:
        signal.signal(signal.SIGINT, before)


def check_interrupted_library() -> None:
    def interrupted() -> int:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise ImportError("a module of the library failed to load")

    assert run(interrupted) == 130
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def broken() -> int:
        raise ImportError("no interrupt, but a mistake of ours")

    with pytest.raises(ImportError):
        run(broken)


def wait_for_library(process: int, name: str) -> None:
    """Wait until a process has mapped a compiled module of a library into its memory."""
    end = time.monotonic() + 30
    while name not in Path(f"/proc/{process}/maps").read_text():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(error: BaseException) -> Callable[[], int]:
        def command() -> int:
            raise error

        return command

    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "x.npy")
    cases: list[tuple[BaseException, int, str]] = [
        (InputError("Wrong."), 2, "Wrong.\n"),
        (full, 1, "Cannot use x.npy (No space left on device): make room on that disk, and run "
         "the same command again.\n"),
        (OSError("odd"), 1, "Cannot go on (odd): find out why, and run the same command again.\n"),
        (MemoryError("2 TiB"), 1, "Not enough memory (2 TiB): close other programs, or ask for "
         "less.\n"),
        (KeyboardInterrupt(), 130, "Go on.\n"),
    ]  # fmt: skip
    for error, status, sentence in cases:
        assert run(fail(error), after_interrupt="Go on.") == status
        assert capsys.readouterr().err == sentence
    assert run(lambda: None) == 0
    assert run(lambda: 2) == 2
    with pytest.raises(ZeroDivisionError):  # a mistake of ours is not hidden
        run(fail(ZeroDivisionError()))
    broken = BrokenPipeError(errno.EPIPE, "Broken pipe")
    assert run(fail(broken)) == 1, "a broken pipe to somebody else, such as Spark"


def test_a_traceback_is_shown_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORDKIN_TRACEBACK", "1")
    assert main(["info", "--bundle", "no/where"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("Traceback") and err.endswith("\nThere is no bundle at no/where.\n")


def test_the_pipeline_ends_in_the_same_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pipeline_main(["--root", str(tmp_path), "check"]) == 2
    assert capsys.readouterr().err.count("\n") == 1

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipeline.__main__.load_checked", interrupted)
    assert pipeline_main(["--root", str(tmp_path), "check"]) == 130
    assert capsys.readouterr().err == "interrupted; run dvc repro to go on\n"
