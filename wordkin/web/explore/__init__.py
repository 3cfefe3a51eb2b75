"""Explore: what each measure says about a word or two words, with reasons and pictures.

`explorer` asks the measures, `pictures` has the map and the network of a path, `routes` shows
everything.
"""
