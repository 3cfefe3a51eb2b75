"""Numbers on command lines: every option has a range, and refuses what is outside by its name."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pipeline.__main__
import wordkin.cli
from tests.support.parsers import all_options
from wordkin.ranges import Real, Whole

HOSTILE = ("nan", "inf", "-inf", "1e999", "-1e30", "9" * 30, "9" * 5000, "", "one", "0x10", "½")

PARSERS = {"wordkin": wordkin.cli.parser(), "pipeline": pipeline.__main__.parser()}
NUMBERS = [
    pytest.param(option, id=f"{program}-{command}-{option.dest}")
    for program, parser in PARSERS.items()
    for command, option in all_options(parser)
    if isinstance(option.type, Whole | Real)
]


@pytest.mark.parametrize("program", PARSERS)
def test_no_option_takes_any_number(program: str) -> None:
    for command, option in all_options(PARSERS[program]):
        assert option.type not in (int, float), (command, option.dest)


@pytest.mark.parametrize("option", NUMBERS)
def test_an_option_refuses_numbers_out_of_its_range_by_its_name(
    option: argparse.Action, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser(prog="program")
    names = option.option_strings
    parser.add_argument(*names, type=option.type, default=option.default)
    parser.parse_args([])
    for text in HOSTILE:
        with pytest.raises(SystemExit) as ended:
            parser.parse_args([f"{names[-1]}={text}" if names[-1][:2] == "--" else names[0] + text])
        assert ended.value.code == 2
        message = capsys.readouterr().err.splitlines()[-1]
        assert f"argument {'/'.join(names)}" in message
        assert len(message) < 200


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(-99, 99))
def test_a_whole_number_is_taken_exactly_if_it_is_in_the_range(
    least: int, most: int, value: int
) -> None:
    if least <= value <= most:
        assert Whole(least, most)(str(value)) == value
    else:
        with pytest.raises(argparse.ArgumentTypeError, match=f"from {least} to {most}"):
            Whole(least, most)(str(value))


@given(st.floats(-5, 5), st.booleans(), st.floats())
def test_a_number_is_taken_exactly_if_it_is_in_the_range(
    least: float, above: bool, value: float
) -> None:
    if least <= value <= 6 and not (above and value == least):
        assert Real(least, 6, above)(repr(value)) == value
    else:
        with pytest.raises(argparse.ArgumentTypeError, match="is not a number"):
            Real(least, 6, above)(repr(value))
