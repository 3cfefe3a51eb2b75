"""Wordkin: word-relatedness matrices for agents that play with words."""

from wordkin.bundle import Bundle, load
from wordkin.errors import InputError
from wordkin.measures import Measure
from wordkin.vocabulary import Vocabulary

__all__ = ["Bundle", "InputError", "Measure", "Vocabulary", "load"]
