"""Relatedness measures, on disk and in memory.

measure         the contract: relatedness, row, nearest, explain, ...
sparse dense vectors compact blend learned taxonomy language_graph
                the kinds: each module has the class, the file format and the registration
registry        the one list of kinds
store           writing and opening
explanations    why two words are related
"""

from wordkin.arrays import Floats, Ids
from wordkin.extras.language_graph import LanguageGraphMeasure
from wordkin.extras.taxonomy import TaxonomyMeasure
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.compact import CompactMeasure
from wordkin.measures.dense import DenseMeasure
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.learned import LearnedMeasure
from wordkin.measures.measure import Among, Measure, Spread, spread
from wordkin.measures.npmi import log_probabilities
from wordkin.measures.parts import Term
from wordkin.measures.registry import KINDS
from wordkin.measures.sparse import LowRank, SparseMeasure
from wordkin.measures.store import describe, open_measure, write_measure
from wordkin.measures.vectors import VectorMeasure

__all__ = [
    "KINDS",
    "Among",
    "BlendMeasure",
    "CompactMeasure",
    "DenseMeasure",
    "Explanation",
    "Floats",
    "Ids",
    "LanguageGraphMeasure",
    "LearnedMeasure",
    "LowRank",
    "Measure",
    "SparseMeasure",
    "Spread",
    "TaxonomyMeasure",
    "Term",
    "VectorMeasure",
    "describe",
    "log_probabilities",
    "open_measure",
    "spread",
    "write_measure",
]
