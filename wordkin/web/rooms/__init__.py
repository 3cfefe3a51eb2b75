"""Rooms: people and agents at one board.

`options` is what is settled before a game, `table` a room in memory and all rooms in use, `agents`
play for empty seats, `screen` is what each person may see, `routes` and `daily` are the addresses.
The rows are in `wordkin.web.database.rooms`.
"""
