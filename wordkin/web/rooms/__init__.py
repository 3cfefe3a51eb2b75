"""Rooms: people and agents at one board.

`table` is a room in memory, `store` its rows in the database, `hub` all rooms that are in use,
`driver` and `agents` play for empty seats, `views` and `shown` are what each person may see,
`pages`, `history` and `daily` are the addresses.
"""
