"""One set of learned weights for several languages, compared with each language's own weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.fetch.recorded_rounds import read_recorded
from pipeline.judge.human import DECISIVE, left_out_agreement, weights
from pipeline.judge.resolver import make_resolver
from pipeline.layout import LEARNED, Layout
from pipeline.measures.opening import open_built
from pipeline.settings import Human
from pipeline.words.gold_words import gold_form
from wordkin.errors import InputError
from wordkin.judging.agreement import Agreement
from wordkin.judging.choice import Choices, Fitted, gather, join, learn
from wordkin.measures.learned import LearnedMeasure
from wordkin.vocabulary import Vocabulary


class LanguageChoices(NamedTuple):
    """A language's learned measure and the recorded choices by its terms."""

    learned: LearnedMeasure
    choices: Choices


def together(layouts: Sequence[Layout], settings: Human, lemmatize: Mapping[str, bool]) -> str:
    """Learn one set of weights for several languages and compare it, as lines of text."""
    languages = [
        _read_choices(layout, settings, lemmatize[layout.language])
        for layout in layouts
        if layout.has_measure(LEARNED) and read_recorded(layout)
    ]
    terms = {tuple(term.measure for term in language.learned.terms) for language in languages}
    if len(languages) < 2 or len(terms) > 1:
        raise InputError(
            "Learning from several languages needs two or more with rounds and the same measures: "
            "run the stage human of each first."
        )
    with threadpool_limits(1, user_api="blas"):
        own = [learn(language.choices, settings.seed) for language in languages]
        joint = learn(join([language.choices for language in languages]), settings.seed)
    lines = ["left-out boards      weights     P@n                  ln likelihood of a pick"]
    start = 0
    for (_, choices), fitted in zip(languages, own, strict=True):
        end = start + len(choices.picks.items)
        cards = choices.features.shape[1]
        shared = Fitted(joint.weights, joint.ridge, joint.left_out[start:end, :cards])
        code = choices.picks.items[0].language
        lines += [
            _line(code, "its own", left_out_agreement(choices, fitted, settings)),
            _line(code, "shared", left_out_agreement(choices, shared, settings)),
        ]
        start = end
    lines.append(f"\nshared weights, ridge {joint.ridge:g}:")
    lines += [
        f"  {term['measure']:10} {term['term']:12} {term['weight']:+.3f}"
        for term in weights(languages[0].learned.with_weights(joint.weights))
    ]
    return "\n".join(lines)


def _read_choices(layout: Layout, settings: Human, lemmatize: bool) -> LanguageChoices:
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    learned = open_built(layout, LEARNED, vocabulary)
    assert isinstance(learned, LearnedMeasure)
    form = gold_form(layout, lemmatize)
    names = [measure.name for measure in learned.measures]
    resolve = make_resolver(layout, names).try_resolve if settings.resolve else None
    items = read_recorded(layout)
    return LanguageChoices(learned, gather(learned, items, layout.language, form, resolve))


def _line(code: str, whose: str, agreement: Agreement) -> str:
    precision, likelihood = (agreement.all[statistic] for statistic in DECISIVE)
    return (
        f"{code:20} {whose:10} {precision.value:.3f} ({precision.low:.3f} to {precision.high:.3f})"
        f"  {likelihood.value:.3f} ({likelihood.low:.3f} to {likelihood.high:.3f})"
    )
