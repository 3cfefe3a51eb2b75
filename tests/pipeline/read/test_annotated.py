"""TEI, TMX and CoNLL-U: whole, and broken in every way that is likely."""

from pathlib import Path

import pytest

from pipeline import read as readers
from tests.support.raw import read, source, texts
from wordkin.errors import InputError

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
  <teiHeader><fileDesc><titleStmt><title>A regény</title></titleStmt></fileDesc></teiHeader>
  <text><body>
    <pb n="3"/><fw>LAPSZÉL</fw>
    <div><head>I. fejezet</head>
      <p>Az <hi rend="italic">első</hi> be-<lb break="no"/>kezdés<note>Jegyzet.</note>, mely
      két<lb/>sor.</p>
      <p><choice><sic>roszsz</sic><corr>rossz</corr></choice> <del>törölt</del>idő &amp; hó.</p>
      <sp><speaker>ANNA</speaker><l>Jöjj be,</l><stage>leül</stage><l>kedves.</l></sp>
      <p><s><w>Ez</w><w>is</w><w>szöveg</w><pc>.</pc></s></p>
    </div>
  </body></text>
</TEI>
"""
TEI_LINES = (
    "I. fejezet\nAz első be-kezdés, mely két sor.\nrossz idő & hó.\nJöjj be,\nkedves.\n"
    "Ez is szöveg."
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_tei_keeps_what_the_author_wrote(tmp_path: Path) -> None:
    path = write(tmp_path / "novel.xml", TEI)
    assert readers.sniff(path) == "tei"
    (document,), tally = read(path, source("tei"))
    assert document.title == "A regény"
    assert document.text.replace("szöveg .", "szöveg.") == TEI_LINES
    assert tally.bytes == path.stat().st_size


def test_each_text_of_a_tei_corpus_is_a_document(tmp_path: Path) -> None:
    one = TEI.partition("\n")[2]
    path = write(tmp_path / "corpus.xml", f"<teiCorpus>{one}{one}</teiCorpus>")
    assert readers.sniff(path) == "tei"
    documents, _ = read(path, source("tei"))
    assert [document.id for document in documents] == ["corpus.xml:1", "corpus.xml:2"]


def test_a_named_document_type_is_no_danger_but_a_declared_one_is(tmp_path: Path) -> None:
    named = TEI.replace("<TEI", '<!DOCTYPE TEI SYSTEM "tei.dtd">\n<TEI', 1).replace(
        "hó.", "h&oacute;."
    )
    assert "idő & hó." in texts(write(tmp_path / "a.xml", named), source("tei"))[0]
    bomb = TEI.replace("<TEI", '<!DOCTYPE TEI [<!ENTITY a "aaa">]>\n<TEI', 1)
    with pytest.raises(InputError, match="declares a document type"):
        texts(write(tmp_path / "b.xml", bomb), source("tei"))


TMX = """<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en"/><body>
{units}
</body></tmx>
"""
UNIT = """<tu><tuv xml:lang="en-GB"><seg>House {n}.</seg></tuv>
<tuv xml:lang="hu"><seg>A <bpt i="1">&lt;b&gt;</bpt>ház<ept i="1">&lt;/b&gt;</ept> {n}.</seg></tuv>
</tu>"""


def memory(units: int) -> str:
    return TMX.format(units="\n".join(UNIT.format(n=n) for n in range(units)))


def test_one_language_of_a_translation_memory(tmp_path: Path) -> None:
    path = write(tmp_path / "memory.tmx", memory(150))
    assert readers.shape(path, "hu")[:3] == ("tmx", None, "hu")
    assert readers.shape(path, "en").text == "en-GB"
    documents, _ = read(path, source("tmx", text="hu"))
    assert [document.text.count("\n") + 1 for document in documents] == [100, 50]
    assert " ".join(documents[0].text.split("\n")[7].split()) == "A ház 7."
    assert texts(path, source("tmx", text="en", lines=150))[0].startswith("House 0.\nHouse 1.")


def test_a_translation_memory_without_the_language_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "memory.tmx", memory(2))
    with pytest.raises(InputError, match="has the languages en-GB, hu and not fi"):
        readers.shape(path, "fi")
    for declared in (source("tmx"), source("tmx", text="fi")):
        with pytest.raises(InputError, match="choose one of them with `text`"):
            read(path, declared)


CONLLU = """# newdoc id = a
# sent_id = 1
# text = Vámonos al mar.
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No
5.1\tnada\tnada\tNOUN\t_\t_\t_\t_\t_\t_
6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

# newdoc id = b
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\tSpaceAfter=No
3\tsí\tsí\tADV\t_\t_\t1\tobl\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_
"""


def test_conllu_gives_the_text_of_its_sentences(tmp_path: Path) -> None:
    path = write(tmp_path / "treebank.conllu", CONLLU)
    assert readers.sniff(path) == "conllu"
    documents, tally = read(path, source("conllu"))
    assert [(d.title, d.text) for d in documents] == [
        ("a", "Vámonos al mar."),
        ("b", "Vámonos sí."),
    ]
    assert tally.bytes == path.stat().st_size


def test_conllu_without_documents_is_cut_after_some_sentences(tmp_path: Path) -> None:
    sentence = "1\tMar\tmar\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    path = write(tmp_path / "treebank.conllu", sentence * 250)
    assert [d.text.count("Mar") for d in read(path, source("conllu"))[0]] == [100, 100, 50]
    assert len(read(path, source("conllu", lines=50))[0]) == 5


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"text": "Egy hosszabb mondat van itt.", "id": "x"}', None),
        ('{"id": "a1", "body": "Egy hosszabb mondat van itt, látod.", "lang": "hu"}', "body"),
        ('{"a": {"content": "Egy hosszabb mondat van itt, látod."}, "tag": "x"}', "a.content"),
        ('{"turns": ["Egy hosszabb mondat van itt.", "Egy másik mondat is van itt."]}', "turns.*"),
        ('{"q": "Egy hosszabb mondat van itt?", "a": "Egy másik mondat is van itt."}', None),
        ('{"url": "https://example.org/egy/nagyon/hosszu/cim/van/itt", "n": "rövid"}', None),
    ],
)
def test_the_field_with_running_text_is_proposed(
    line: str, field: str | None, tmp_path: Path
) -> None:
    path = write(tmp_path / "a.jsonl", f"{line}\n" * 3)
    assert readers.shape(path, "hu").text == field
