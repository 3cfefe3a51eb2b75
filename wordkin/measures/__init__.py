"""Relatedness measures, on disk and in memory.

measure         the contract: relatedness, row, nearest, explain, ...
files           how a measure is stored, with an example; writing
matrix          measures that are stored: pairs, vectors, or both
blend, learned  measures that are made of others
store           opening, whatever the kind
explanations    why two words are related
"""
