"""The table of lemmas: what counts as right, and what a build without a dictionary shows."""

from __future__ import annotations

from pathlib import Path

from research.lemmas import is_right, share_right, stems, table


def test_a_lemma_is_right_if_it_is_one_of_the_checked_ones() -> None:
    assert is_right("megy", ["megy", "ment"], "hu")
    assert not is_right("men", ["megy", "ment"], "hu")
    assert is_right("gelmek", ["gel"], "tr") and not is_right("gelmek", ["gel"], "hu")


def test_every_other_row_is_for_development() -> None:
    checked = {"a": ["x"], "b": ["b"], "c": ["x"], "d": ["b"]}
    lemmas = {form: form for form in checked}
    assert share_right(lemmas, checked, 0, "hu") == 0.0
    assert share_right(lemmas, checked, 1, "hu") == 0.5


AFFIXES = "SET UTF-8\nSFX A Y 2\nSFX A 0 s .\nSFX A 0 es .\n"


def test_of_several_stems_the_frequent_one_is_the_lemma(tmp_path: Path) -> None:
    (tmp_path / "de_DE.aff").write_text(AFFIXES, encoding="utf-8")
    (tmp_path / "de_DE.dic").write_text("3\nTax/A\ntaxe/A\nHut\n", encoding="utf-8")
    forms = ["taxes", "hut", "unbekannt"]
    lemmas = stems(tmp_path / "de_DE.aff", forms, {"taxe": 3, "tax": 2}, "de")
    assert lemmas == {"taxes": "taxe", "hut": "hut", "unbekannt": "unbekannt"}
    lemmas = stems(tmp_path / "de_DE.aff", ["Taxes"], {"taxe": 2, "tax": 3}, "de")
    assert lemmas == {"Taxes": "tax"}
    ways = [line.split(" | ")[1] for line in table(tmp_path, ["de"], tmp_path)[2:]]
    assert ways[-1] == "Hunspell and the corpus"
