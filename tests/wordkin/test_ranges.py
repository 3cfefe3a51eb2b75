"""Numbers on command lines: every option has a range, and refuses what is outside by its name."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.parsers import all_parameters
from wordkin.cli import main, program
from wordkin.ranges import Real, Whole

HOSTILE = ("nan", "inf", "-inf", "1e999", "-1e30", "9" * 30, "", "one", "0x10", "½")


def numbers() -> Iterator[tuple[str, str]]:
    """Each option that takes a number, with its command."""
    for command, parameter in all_parameters(program):
        if isinstance(parameter.type, Whole | Real):
            yield command, parameter.opts[-1]


def test_no_option_takes_any_number() -> None:
    types = {parameter.type for _, parameter in all_parameters(program)}
    assert not types & {click.INT, click.FLOAT}


@pytest.mark.parametrize(("command", "name"), list(numbers()))
def test_an_option_refuses_numbers_out_of_its_range_by_its_name(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in HOSTILE:
        assert main([*command.split(), f"{name}={text}" if name[:2] == "--" else name + text]) == 2
        message = capsys.readouterr().err
        assert name in message
        assert len(message) < 200
        assert message.count("\n") == 1


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(-99, 99))
def test_a_whole_number_is_taken_exactly_if_it_is_in_the_range(
    least: int, most: int, value: int
) -> None:
    if least <= value <= most:
        assert Whole(least, most)(str(value)) == value
    else:
        with pytest.raises(click.BadParameter, match=f"not in the range {least}<=x<={most}"):
            Whole(least, most)(str(value))


@given(st.floats(-5, 5), st.booleans(), st.floats())
def test_a_number_is_taken_exactly_if_it_is_in_the_range(
    least: float, above: bool, value: float
) -> None:
    if least <= value <= 6 and not (above and value == least):
        assert Real(least, 6, above)(repr(value)) == value
    else:
        with pytest.raises(click.BadParameter, match=r"is not (a number|in the range)"):
            Real(least, 6, above)(repr(value))
