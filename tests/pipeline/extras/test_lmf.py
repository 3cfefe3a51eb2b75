"""Word nets in LMF: one with relations of its own, and one that borrows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.extras.graph_files import LanguageGraph, add_word_net
from pipeline.extras.lmf import read_lmf
from wordkin.errors import InputError

ENGLISH = """<?xml version="1.0" encoding="UTF-8"?>
<LexicalResource><Lexicon id="omw-en" language="en" label="English">
<LexicalEntry id="e1"><Lemma writtenForm="animal" partOfSpeech="n"/>
  <Sense id="s1" synset="en-1-n"/></LexicalEntry>
<LexicalEntry id="e2"><Lemma writtenForm="dog" partOfSpeech="n"/><Form writtenForm="dogs"/>
  <Sense id="s2" synset="en-2-n"><Count>7</Count></Sense></LexicalEntry>
<LexicalEntry id="e3"><Lemma writtenForm="guide dog" partOfSpeech="n"/>
  <Sense id="s3" synset="en-2-n"/></LexicalEntry>
<LexicalEntry id="e4"><Lemma writtenForm="tail" partOfSpeech="n"/>
  <Sense id="s4" synset="en-3-n"/></LexicalEntry>
<LexicalEntry id="e5"><Lemma writtenForm="hot" partOfSpeech="a"/>
  <Sense id="s5" synset="en-4-a"><SenseRelation relType="antonym" target="s6"/></Sense>
</LexicalEntry>
<LexicalEntry id="e6"><Lemma writtenForm="cold" partOfSpeech="s"/>
  <Sense id="s6" synset="en-5-s"><SenseRelation relType="derivation" target="s4"/></Sense>
</LexicalEntry>
<Synset id="en-1-n" ili="i1" partOfSpeech="n"><Definition>a being</Definition>
  <SynsetRelation relType="hyponym" target="en-2-n"/></Synset>
<Synset id="en-2-n" ili="i2" partOfSpeech="n"><SynsetRelation relType="hypernym" target="en-1-n"/>
  <SynsetRelation relType="mero_part" target="en-3-n"/></Synset>
<Synset id="en-3-n" ili="i3" partOfSpeech="n"><SynsetRelation relType="holo_part" target="en-2-n"/>
  <SynsetRelation relType="instance_hypernym" target="en-1-n"/></Synset>
<Synset id="en-4-a" ili="in" partOfSpeech="a"/><Synset id="en-5-s" ili="" partOfSpeech="s"/>
</Lexicon></LexicalResource>"""

HUNGARIAN = """<LexicalResource><Lexicon id="omw-hu" language="hu" label="Hungarian">
<LexicalEntry id="h1"><Lemma writtenForm="Állat" partOfSpeech="n"/>
  <Sense id="t1" synset="hu-1-n"/></LexicalEntry>
<LexicalEntry id="h2"><Lemma writtenForm="kutya" partOfSpeech="n"/>
  <Sense id="t2" synset="hu-2-n"/></LexicalEntry>
<Synset id="hu-1-n" ili="i1" partOfSpeech="n"/><Synset id="hu-2-n" ili="i2" partOfSpeech="n"/>
</Lexicon></LexicalResource>"""


def written(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / f"{name}.xml").write_text(text, "utf-8")
    return [folder / f"{name}.xml" for name in texts]


def test_a_lexicon_is_read(tmp_path: Path) -> None:
    net = read_lmf(written(tmp_path, en=ENGLISH), "en")
    assert net.senses["dog"] == [("ni2", 7)] and net.senses["guide_dog"] == [("ni2", 0)]
    assert net.concepts["ni2"].above == ["ni1"] and net.concepts["ni2"].parts == ["ni3"]
    assert net.concepts["ni3"].above == net.concepts["ni3"].instance_of == ["ni1"]
    assert net.concepts["ni1"].gloss == "a being" and net.concepts["ni2"].name == "dog"
    assert net.opposites == {("hot", "aen-4-a", "cold", "aen-5-s")}
    assert net.concepts["aen-5-s"].related == [("derived form", "ni3")]
    assert net.lemmas_of("dogs") == ["dog"]


@pytest.mark.parametrize("order", [("hu", "en"), ("en", "hu")])
def test_a_lexicon_borrows_relations_but_no_words(tmp_path: Path, order: tuple[str, str]) -> None:
    texts = {"hu": HUNGARIAN, "en": ENGLISH}
    net = read_lmf(written(tmp_path, **{name: texts[name] for name in order}), "hu")
    assert sorted(net.senses) == ["kutya", "állat"]
    assert net.concepts["ni2"].name == "kutya" and net.concepts["ni2"].above == ["ni1"]
    assert net.concepts["ni3"].name == "tail" and not net.opposites
    graph = LanguageGraph()
    add_word_net(graph, net)
    assert ["kutya"] in graph.labels and ["állat"] in graph.labels
    assert ["[tail]"] in graph.labels  # to be shown, not a word


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ENGLISH[:900], "no word net in LMF"),
        ("not XML", "no word net in LMF"),
        (ENGLISH.replace('language="en"', ""), "no word net in LMF"),
        (ENGLISH.replace(">7<", ">many<"), "no word net in LMF"),
        (ENGLISH.replace('<Lemma writtenForm="dog" partOfSpeech="n"/>', ""), "without Lemma"),
        ("<LexicalResource/>", "no lexicon of the language 'en'"),
        (HUNGARIAN, r"no lexicon of the language 'en' \(but of: hu\)"),
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as refusal:
        read_lmf(written(tmp_path, en=text), "en")
    assert "\n" not in str(refusal.value) and str(tmp_path) in str(refusal.value)
