"""How a command line runs and ends: whatever happens, one sentence and an exit code.

    0    done; also when the reader of our output, such as `head`, has seen enough
    1    the machine failed: a full disk, missing permissions, too little memory
    2    a mistake in what was given
    130  interrupted by Ctrl-C

A traceback is left for mistakes of ours. `WORDKIN_TRACEBACK=1` shows it for all failures.
"""

from __future__ import annotations

import errno
import os
import re
import select
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TextIO

import click
from click.exceptions import Exit

from wordkin.errors import InputError

DONE, FAILED, MISTAKE, INTERRUPTED = 0, 1, 2, 130

_ADVICE = {
    errno.ENOSPC: "make room on that disk",
    errno.EDQUOT: "make room on that disk",
    errno.EFBIG: "raise the limit on file sizes (ulimit -f)",
    errno.EACCES: "change its permissions, or choose another folder",
    errno.EPERM: "change its permissions, or choose another folder",
    errno.EROFS: "choose a folder on a disk that can be written",
    errno.EIO: "check that disk",
    errno.EMFILE: "raise the limit on open files (ulimit -n)",
    errno.ENFILE: "close other programs",
    errno.ENOENT: "check the name",
    errno.ENOTDIR: "check the name",
    errno.EISDIR: "check the name",
}
"""What a person can do about an error of the system."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def run(command: Callable[[], int | None], after_interrupt: str = "") -> int:
    """Run a command line and return its exit code.

    Parameters
    ----------
    command : function
        Reads the arguments, for example with click, and does the work; returns the exit code, None
        for 0.
    after_interrupt : str, optional
        What to print after Ctrl-C.
    """
    with _safe_streams(), _noted_interrupts() as interrupts:
        try:
            try:
                status = command()
            except Exit as end:  # the help was shown
                status = end.exit_code
            except SystemExit:
                sys.stdout.flush()
                raise
            sys.stdout.flush()
            return status or DONE
        except click.ClickException as error:
            return _fail(_sentence(error), status=MISTAKE)
        except InputError as error:
            return _fail(*error.sentences, status=MISTAKE)
        except KeyboardInterrupt:
            if after_interrupt:
                say(after_interrupt)
            return INTERRUPTED
        except MemoryError as error:
            reason = f" ({error})" if str(error) else ""
            return _fail(f"Not enough memory{reason}: close other programs, or ask for less.")
        except OSError as error:
            if isinstance(error, BrokenPipeError) and _reader_left():
                return DONE
            return _fail(system_sentence(error))
        except Exception:
            # A library that is interrupted while it loads may report something else instead.
            if interrupts:
                return INTERRUPTED
            raise


def system_sentence(error: OSError) -> str:
    """What the system refused, where, and what to do, in one sentence.

    An error of another kind of place, such as a database, has its own attribute `advice`.
    """
    reason = error.strerror or str(error) or type(error).__name__
    what = f"Cannot use {error.filename}" if error.filename is not None else "Cannot go on"
    advice = getattr(error, "advice", None) or _ADVICE.get(error.errno or 0, "find out why")
    return f"{what} ({reason}): {advice}, and run the same command again."


def say(line: str) -> None:
    """Print a line on standard error; nobody's work stops because nobody reads it."""
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def one_line(text: str) -> str:
    """The text with control characters escaped: names in data must not steer a terminal."""
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


def _sentence(error: click.ClickException) -> str:
    """What is wrong with a command line, and where to read about it, in one line."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    return f"{message} See '{context.command_path} --help'." if context else message


def _fail(*sentences: str, status: int = FAILED) -> int:
    if os.environ.get("WORDKIN_TRACEBACK"):
        with suppress(OSError):
            traceback.print_exc()
    for sentence in sentences:
        say(one_line(sentence))
    return status


@contextmanager
def _safe_streams() -> Iterator[None]:
    """Standard streams that are open and can show any character, one way or another.

    What an ASCII terminal lacks is shown as an escape such as `\\xe1`. A stream that was closed
    before we started is replaced by an empty one, which also takes its place in the system: else
    the next file that we open does.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            stream = open(os.devnull, "r+", encoding="utf-8")  # noqa: SIM115, PTH123
            setattr(sys, name, stream)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if name == "stdin" else "backslashreplace")
    try:
        yield
    finally:
        if _reader_left():
            # Python flushes once more at exit, and that must not fail either.
            with suppress(OSError, ValueError):
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, sys.stdout.fileno())
                os.close(null)


@contextmanager
def _noted_interrupts() -> Iterator[list[int]]:
    """The interrupts so far; each raises KeyboardInterrupt as usual."""
    interrupts: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        signal.default_int_handler(number, frame)

    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _reader_left() -> bool:
    """Whether standard output is a pipe that nobody reads any more."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    except (AttributeError, OSError, ValueError):  # no handle, or a system without poll
        return False
