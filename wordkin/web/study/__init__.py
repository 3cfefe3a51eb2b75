"""Study: boards, clues and people who pick cards, from a file of the researcher to recorded rounds.

`design` says what a study is, `file` reads and checks the researcher's file, `assignment` decides
who gets which clues, `store` has the transactions, `pages` is what people see. The picks become
rounds (`wordkin.web.rounds`) like those of games.
"""
