"""The web game: play with people and agents in the browser (extra `web`).

Read the modules in this order: `settings` and `app` (how everything is put together), `visitors`,
`guard`, `answers` and `monitoring` (what every request passes through), `rooms`, `explore` and
`study` (what people see), `database` (what is stored), `server` (how it runs). All texts are in
`wordkin.texts`.
"""
