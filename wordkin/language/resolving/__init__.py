"""Every other word: from any string to known words with weights, and how.

resolution      what a word stands for, as data
lexicon         the known words, indexed
variants inflection spelling parts subwords
                the rungs: each answers or passes the word on
ladder          the rungs in their order
relatedness     measures of resolved words
explanation     why resolved words are related
"""

from wordkin.language.resolving.explanation import Resolved
from wordkin.language.resolving.ladder import Resolver
from wordkin.language.resolving.lexicon import Lexicon
from wordkin.language.resolving.relatedness import (
    resolved_columns,
    resolved_nearest,
    resolved_pairs,
    resolved_rows,
)
from wordkin.language.resolving.resolution import Resolution, Step, WeightedWord
from wordkin.language.resolving.subwords import Subwords, open_subwords, write_subwords

__all__ = [
    "Lexicon",
    "Resolution",
    "Resolved",
    "Resolver",
    "Step",
    "Subwords",
    "WeightedWord",
    "open_subwords",
    "resolved_columns",
    "resolved_nearest",
    "resolved_pairs",
    "resolved_rows",
    "write_subwords",
]
