"""Measures that the core does without: word nets and language graphs.

A kind of measure is a module of this package with a function `open_measure`; nothing else has to
know it (`wordkin.measures.store`).
"""
