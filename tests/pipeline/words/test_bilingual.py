"""Bilingual dictionaries: what their entries say, and what is wrong with broken ones."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pipeline.words.bilingual import read_translations
from tests.support.dictionaries import write_dict
from wordkin.errors import InputError

ENTRIES = {
    "dog": "dog /dˈɒɡ/ <n>\n1. kutya\n2. eb, kutya (hím)\n",
    "icecream": "ice-cream /ˈaɪs/\nfagylalt; fagyi [gyerek]\n   Synonyms: sorbet\n",
    "x" * 70: "x" * 70 + "\nnagyon hosszú\n",
}


def test_entries_lose_numbers_notes_and_labels(tmp_path: Path) -> None:
    assert list(read_translations(write_dict(tmp_path, ENTRIES))) == [
        ("dog", "kutya"),
        ("dog", "eb"),
        ("dog", "kutya"),
        ("ice-cream", "fagylalt"),
        ("ice-cream", "fagyi"),
        ("x" * 70, "nagyon hosszú"),
    ]


def test_an_unpacked_dictionary_is_read_as_well(tmp_path: Path) -> None:
    body, index = write_dict(tmp_path, ENTRIES)
    packed = list(read_translations([body, index]))
    plain = tmp_path / "own.dict"
    plain.write_bytes(gzip.decompress(body.read_bytes()))
    assert list(read_translations([plain, index])) == packed


def test_a_table_has_one_translation_per_line(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("dog\tkutya\ndog\teb\n", encoding="utf-8")
    assert list(read_translations([path])) == [("dog", "kutya"), ("dog", "eb")]
    path.write_text("dog\tkutya\ndog\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: write a headword, a tab and a translation"):
        list(read_translations([path]))


def test_broken_dictionaries_are_refused(tmp_path: Path) -> None:
    body, index = write_dict(tmp_path, ENTRIES)
    with pytest.raises(InputError, match="no dictionary that we know"):
        list(read_translations([body]))
    with pytest.raises(InputError, match=r"an index without its own\.dict\.dz"):
        list(read_translations([index]))
    whole = body.read_bytes()
    body.write_bytes(whole[:-9])
    with pytest.raises(InputError, match="is damaged: get the dictionary again"):
        list(read_translations([body, index]))
    body.write_bytes(gzip.compress(gzip.decompress(whole)[:60]))
    with pytest.raises(InputError, match="ends before the entry 'dog'"):
        list(read_translations([body, index]))
    body.write_bytes(whole)
    index.write_text("dog\tÁ\tB\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1, is damaged"):
        list(read_translations([body, index]))
