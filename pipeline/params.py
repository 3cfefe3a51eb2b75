"""Read `params.yaml` and check it as a whole, before any work starts.

What a single value may be is decided by its field in `pipeline.settings`. Here are the checks that
need several values, or the files that a value names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pipeline import locations, mistakes
from pipeline.declaration import Declaration
from pipeline.layout import FAMILIES, INFORMED, LEARNED, SINGLE, Layout, blended_names
from pipeline.mistakes import Mistakes, suggestion
from pipeline.settings import (
    Blend,
    Fetch,
    Graph,
    Human,
    LanguageSettings,
    LanguageVocabulary,
    Lemmas,
    Publish,
    Settings,
    Squared,
    language_code,
)
from pipeline.vector_settings import VectorMeasureName, Vectors
from wordkin.errors import InputError
from wordkin.words import base


def load_settings(path: Path, measures: Sequence[str] | None = None) -> Settings:
    """Read `params.yaml`; all mistakes in it are in the one error that is raised.

    `measures` are the measures that stages make, in the order of the flow. If they are given, names
    of measures in the settings are checked, too.
    """

    raw = mistakes.load(path)
    if not isinstance(raw, dict):
        raise Mistakes(path, ["the file: must be a mapping of keys to values."])
    sections, wrong = _sections(raw)
    root = path.parent
    wrong += [
        *_wrong_languages(sections, root),
        *_wrong_mirror(sections, root),
        *_wrong_dictionaries(sections),
        *_wrong_rounds(sections),
        *_wrong_stores(sections),
        *_wrong_default(sections),
        *_wrong_imports(sections, root),
        *(_wrong_measures(sections, measures) if measures is not None else ()),
    ]
    if wrong:
        raise Mistakes(path, wrong)
    return Settings(**sections)


def _sections(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The sections that are right in themselves, and all mistakes in the others."""
    kinds = get_type_hints(Settings, include_extras=True)
    required = {field.name for field in fields(Settings) if field.default is MISSING}
    wrong = [f"{key}: unknown key; {suggestion(key, kinds)}" for key in raw if key not in kinds]
    wrong += [f"{key}: missing; add it." for key in kinds if key in required - set(raw)]
    sections: dict[str, Any] = {}
    for key in kinds:
        if key in raw:
            section, faults = mistakes.checked(kinds[key], raw[key], key)
            wrong += faults
            if not faults:
                sections[key] = section
    if "languages" not in sections and isinstance(raw.get("languages"), dict):
        # Those that are right are still looked at.
        languages = {
            str(code): mistakes.checked(LanguageSettings, language)[0]
            for code, language in raw["languages"].items()
        }
        sections["languages"] = languages
    return sections, wrong


def _wrong_languages(sections: Mapping[str, Any], root: Path) -> Iterator[str]:
    languages: Mapping[str, LanguageSettings | None] = sections.get("languages") or {}
    for code, language in languages.items():
        if fault := language_code(code):
            yield f"languages.{code}: {fault}."
        if language is not None:
            yield from _wrong_sources(language.sources, f"languages.{code}.sources", root)
            watched = Layout(root, code).raw
            yield from _wrong_word_lists(language.vocabulary, f"languages.{code}", root, watched)


def _wrong_imports(sections: Mapping[str, Any], root: Path) -> Iterator[str]:
    vectors: Vectors | None = sections.get("vectors")
    made = {*get_args(VectorMeasureName), *FAMILIES, *SINGLE, "blend", INFORMED, LEARNED}
    for code, imported in (vectors.imported if vectors else {}).items():
        key = f"vectors.imported.{code}"
        yield from _wrong_sources(imported, key, root)
        yield from _taken_names([entry.name for entry in imported], made, key)
    for code, dictionaries in (vectors.dictionaries if vectors else {}).items():
        yield from _wrong_sources(dictionaries, f"vectors.dictionaries.{code}", root)
    for code, encoders in (vectors.encoders if vectors else {}).items():
        key = f"vectors.encoders.{code}"
        for encoder in encoders:
            yield from _wrong_sources(encoder.parts(), key, root)
        brought = [entry.name for entry in vectors.imported.get(code, [])] if vectors else []
        yield from _taken_names([encoder.name for encoder in encoders], {*made, *brought}, key)


def _taken_names(names: Sequence[str], made: Collection[str], key: str) -> Iterator[str]:
    for at, name in enumerate(names):
        if name in made or name in names[:at]:
            yield f"{key}[{name}].name: another measure is called '{name}'; choose another name."


def _wrong_sources(sources: Sequence[Declaration], key: str, root: Path) -> Iterator[str]:
    names: set[str] = set()
    for at, source in enumerate(sources):
        if source.name in names:
            yield f"{key}[{at}].name: '{source.name}' is used twice; choose another."
        names.add(source.name)
        if not source.location:
            if not source.mirror:
                yield f"{key}[{source.name}]: give a location (or a mirror path)."
            continue
        try:
            if isinstance(locations.parse(source.location), locations.LocalPath):
                locations.local_files(source.location, root)
        except InputError as error:
            yield f"{key}[{source.name}].location: {error}"


def _wrong_word_lists(
    vocabulary: LanguageVocabulary, key: str, root: Path, watched: Path
) -> Iterator[str]:
    """Lists of words have to be below the folder that DVC watches."""
    for name, keywords in (("words", ("auto",)), ("stop_words", ("auto", "none"))):
        value = getattr(vocabulary, name)
        path = root / value
        if value not in keywords and not (path.is_file() and watched in path.parents):
            yield (
                f"{key}.vocabulary.{name}: there is no file '{value}' below "
                f"{watched.relative_to(root)}; write {', '.join(keywords)}, or the path of a file "
                "there."
            )


def _wrong_mirror(sections: Mapping[str, Any], root: Path) -> Iterator[str]:
    fetch: Fetch | None = sections.get("fetch")
    mirror = fetch.mirror_folder(root) if fetch else None
    if mirror is not None and not mirror.is_dir():
        yield f"fetch.mirror: there is no folder '{mirror}'; correct it or write null."


def _wrong_dictionaries(sections: Mapping[str, Any]) -> Iterator[str]:
    lemmas: Lemmas | None = sections.get("lemmas")
    for code, dictionary in (lemmas.dictionaries if lemmas else {}).items():
        key = f"lemmas.dictionaries.{code}"
        if base(code) != "hu":
            yield f"{key}: only the analyses of the Hungarian dictionary are understood; remove it."
        elif not dictionary.location and not dictionary.mirror:
            yield f"{key}: give a location (or a mirror path)."


def _wrong_rounds(sections: Mapping[str, Any]) -> Iterator[str]:
    human: Human | None = sections.get("human")
    for code, rounds in (human.rounds if human else {}).items():
        if not rounds.location and not rounds.mirror:
            yield f"human.rounds.{code}: give a location (or a mirror path)."


def _wrong_stores(sections: Mapping[str, Any]) -> Iterator[str]:
    for name in ("squared", "graph"):
        matrix: Squared | Graph | None = sections.get(name)
        if matrix and matrix.store != "sparse" and matrix.top != "all":
            fault = f"{matrix.store} is for all pairs"
            yield f"{name}.store: {fault}; write top: all, or store: sparse."


def _wrong_default(sections: Mapping[str, Any]) -> Iterator[str]:
    publish: Publish | None = sections.get("publish")
    if publish and publish.default not in publish.measures:
        yield f"publish.default: '{publish.default}' is not among publish.measures; add it there."


def _wrong_measures(sections: Mapping[str, Any], measures: Sequence[str]) -> Iterator[str]:
    """Names of measures that no stage makes; a blend is made of measures that come before it.

    Whether a language has the data for a measure of a family is seen only when it is built.
    """
    before_blend = [*measures[: measures.index("blend")], *_family_measures(sections)]
    every = [*before_blend, *measures[measures.index("blend") :], INFORMED]
    blend: Blend | None = sections.get("blend")
    for key in ("weights", INFORMED) if blend else ():
        for name in getattr(blend, key):
            if name not in before_blend:
                known = suggestion(name, before_blend)
                yield f"blend.{key}.{name}: not a measure to blend; {known}"
    vectors: Vectors | None = sections.get("vectors")
    for name in vectors.concat if vectors and "concat" in vectors.measures else ():
        if name not in before_blend or name == "concat":
            yield f"vectors.concat: '{name}' has no vectors; {suggestion(name, before_blend)}"
    publish: Publish | None = sections.get("publish")
    for spelled in publish.measures if publish else ():
        for name in blended_names(spelled):  # npmi, or a blend such as npmi+svd or npmi:2+svd
            if name not in every:
                yield f"publish.measures: '{name}' is not a measure; {suggestion(name, every)}"
    yield from _missing_parts(publish, blend)


def _missing_parts(publish: Publish | None, blend: Blend | None) -> Iterator[str]:
    """Parts of published blends that are not published: a bundle needs them too."""
    if publish and blend:
        for name, parts in (("blend", blend.weights), (INFORMED, blend.informed)):
            missing = [part for part in parts if part not in publish.measures]
            if name in publish.measures and missing:
                parts_named = ", ".join(missing)
                yield f"publish.measures: '{name}' needs its parts {parts_named}; add them there."


def _family_measures(sections: Mapping[str, Any]) -> list[str]:
    """The measures that stages of families are asked to make."""
    families = (sections.get(family) for family in FAMILIES)
    names = [name for family in families if family for name in family.measures]
    vectors: Vectors | None = sections.get("vectors")
    return [*names, *(vectors.imported_names() if vectors else ())]
