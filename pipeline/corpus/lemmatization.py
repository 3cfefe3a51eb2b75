"""Which lemma each type of a corpus is counted by: decided here, once per build."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.corpus.languages import language


def lemmas_of_types(types: Sequence[str], counts: NDArray[np.int64], code: str) -> list[str]:
    """The lemma of each type of a corpus, by its language and by what the corpus has.

    The types are distinct, in the order of code points, and all that the corpus has; `counts` are
    their numbers of tokens.
    """
    return language(code).lemmas(types)
