"""Study: boards, clues and people who pick cards, from a file of the researcher to recorded rounds.

`design` says what a study is, reads its file, and decides who gets which clues; `routes` is what
people see. The rows are in `wordkin.web.database.studies`, and the picks become rounds like those
of games.
"""
