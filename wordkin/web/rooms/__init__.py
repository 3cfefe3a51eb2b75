"""Rooms: people and agents at one board.

`table` is a room in memory, `store` its rows in the database, `hub` all rooms that are in use,
`agents` the players for empty seats, `views` what each person may see, `pages` the addresses.
"""
