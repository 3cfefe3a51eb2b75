"""Explore: what each measure says about a word or two words, with reasons and pictures.

`suggestions` completes what is typed, `explorer` asks the measures, `layout` places words on a map,
`pictures` makes the map and the network of a path, `pages` shows everything.
"""
