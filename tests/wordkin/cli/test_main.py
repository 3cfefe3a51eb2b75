"""The command line as a program: its commands, its help and what it loads."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.support.parsers import all_parameters
from wordkin.cli import COMMANDS, COMPLETION, GROUPS, main, program
from wordkin.lookup import STARTERS

NEEDS_MORE = {"serve", "play", "study", "completion"}
"""Commands that wait for people, write to a home folder, or write to a shell's folder."""

FEWER = {
    "tournament": ["--processes", "1", "--boards", "1"],
    "export": ["--words", "cards.txt"],
}
"""Options with which an example takes less time."""


def test_help_lists_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, entry in COMMANDS.items():
        assert f"    {name}" in shown
        assert entry.summary in shown
        assert f"$ wordkin {entry.example}\n" in shown
    for title in GROUPS:
        assert f"\n{title}:\n" in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_a_call_of_its_command(name: str) -> None:
    first, *arguments = shlex.split(COMMANDS[name].example.partition(" > ")[0])
    assert first == name
    command = program.get_command(click.Context(program), name)
    assert command is not None
    assert command.make_context(name, arguments).invoked_subcommand in (None, "status")


@pytest.mark.slow
@pytest.mark.skipif(not any(STARTERS.glob("*")), reason="there are no starter bundles here")
def test_every_example_works_as_soon_as_wordkin_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORDKIN_BUNDLES", raising=False)
    Path("cards.txt").write_text("piano\nmouse\nbread\n")
    for name in COMMANDS.keys() - NEEDS_MORE:
        example = [*shlex.split(COMMANDS[name].example), *FEWER.get(name, [])]
        assert main(example) == 0, capsys.readouterr().err


def test_every_command_and_option_has_a_help_text(capsys: pytest.CaptureFixture[str]) -> None:
    for name in {name for name, _ in all_parameters(program)}:
        assert main([*name.split(), "--help"]) == 0
        assert f"Usage: wordkin {name}" in capsys.readouterr().out
    options = [option for _, option in all_parameters(program) if isinstance(option, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("arguments", [[], ["sing"], ["clue", "--scoring", "harmonik"], ["guess"]])
def test_a_wrong_call_is_one_sentence_and_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.err.endswith(" --help'.\n")
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_completes_for_each_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert f"{COMPLETION}={shell}_complete" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "fitting"),
    [("wordkin tour", {"tournament"}), ("wordkin clue --scoring harmonic-", {"harmonic-divide"})],
)
def test_commands_options_and_choices_are_completed(
    typed: str, fitting: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv(COMPLETION, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    assert main([]) == 0
    assert {line.partition(",")[2] for line in capsys.readouterr().out.splitlines()} == fitting


def test_the_help_loads_no_command() -> None:
    code = (
        "import sys; from wordkin.cli import main; main(['--help'])\n"
        "print(*[name for name in sys.modules if name.startswith(('wordkin.game', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
