"""Families of words: which words give each other away.

kinship       the relatives of a word: lemma, family, stem, spelling, compound
rules         what a language's rules are: endings, changes of the stem, prefixes
languages     the rules of English, Hungarian and others
data          word families and exceptions, in `en.txt` and `hu.txt`
learned       rules for other languages, from the lemmas of their bundle
compounds     the parts of a compound
"""

from wordkin.language.kinship.kinship import Kinship, Relative, Relatives

__all__ = ["Kinship", "Relative", "Relatives"]
