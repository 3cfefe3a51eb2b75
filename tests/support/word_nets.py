"""Small word nets: a random one, and one in the form of database files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from pipeline.extras.word_net import Concept, Sense, WordNet

Entry = tuple[list[str], list[str], list[str], list[tuple[int, str, int]]]
"""Words, concepts above, parts, and opposites as (own word, other concept, its word)."""

NOUNS: dict[str, Entry] = {
    "n00000001": (["entity"], [], [], []),
    "n00000002": (["animal", "beast"], ["n00000001"], [], []),
    "n00000003": (["dog"], ["n00000002"], ["n00000005"], []),
    "n00000004": (["cat"], ["n00000002"], ["n00000005"], []),
    "n00000005": (["tail"], ["n00000001"], [], []),
    "n00000006": (["cat", "guy"], ["n00000001"], [], []),
    "n00000007": (["king"], ["n00000001"], [], []),
}
VERBS: dict[str, Entry] = {
    "v00000011": (["move"], [], [], []),
    "v00000012": (["run", "race"], ["v00000011"], [], []),
    "v00000013": (["think"], [], [], []),
}
ADJECTIVES: dict[str, Entry] = {
    "a00000021": (["hot"], [], [], [(1, "a00000022", 1)]),
    "a00000022": (["cold"], [], [], [(1, "a00000021", 1)]),
}
FREQUENCIES = {("cat", "n00000004"): 3, ("cat", "n00000006"): 1}


def write_database(folder: Path) -> list[Path]:
    """Write the small word net in the form of WordNet's database files."""
    folder.mkdir(parents=True)
    senses = []
    for part, name, number, concepts in (
        ("n", "noun", 1, NOUNS), ("v", "verb", 2, VERBS), ("a", "adj", 3, ADJECTIVES),
        ("r", "adv", 4, {}),
    ):  # fmt: skip
        lines = ["  1 This software and database is being provided to you ..."]
        for key, (words, above, parts, opposites) in concepts.items():
            pointers = [f"@ {other[1:]} {part} 0000" for other in above]
            pointers += [f"%p {other[1:]} {part} 0000" for other in parts]
            pointers += [f"! {other[1:]} {part} {a:02x}{b:02x}" for a, other, b in opposites]
            spelled = " ".join(f"{word} 0" for word in words)
            head = f"{key[1:]} 03 {part} {len(words):02x} {spelled} {len(pointers):03d}"
            lines.append(" ".join([head, *pointers, "| what it means; more"]))
            for at, word in enumerate(words):
                frequency = FREQUENCIES.get((word, key), 0)
                senses.append(f"{word}%{number}:03:0{at}:: {key[1:]} 1 {frequency}")
        (folder / f"data.{name}").write_text("".join(f"{line}\n" for line in lines))
        (folder / f"{name}.exc").write_text("ran run\n" if part == "v" else "")
    (folder / "index.sense").write_text("".join(f"{line}\n" for line in sorted(senses)))
    return sorted(folder.iterdir())


def random_net(words: Sequence[str], seed: int, concepts: int = 20) -> WordNet:
    """A random hierarchy of nouns with several ways up, and random senses."""
    rng = random.Random(seed)
    keys = [f"n{number:08d}" for number in range(1, concepts + 1)]
    made = {
        key: Concept(f"concept {at}", "n", rng.sample(keys[:at], min(at, rng.choice([1, 1, 1, 2]))))
        for at, key in enumerate(keys)
    }
    senses = {
        word: [Sense(key, rng.choice([0, 1, 5])) for key in rng.sample(keys, rng.choice([1, 2, 3]))]
        for word in words
    }
    for key in keys:
        made[key].parts = rng.sample(keys, 1)
    opposites = set()
    for _ in range(3):
        a, b = rng.sample(sorted(words), 2)
        first, second = senses[a][0].concept, senses[b][0].concept
        opposites |= {(a, first, b, second), (b, second, a, first)}
    return WordNet(made, senses, opposites)
