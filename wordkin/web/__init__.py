"""The web game: play with people and agents in the browser (extra `web`).

Read the modules in this order: `settings`, `site` and `app` (how everything is put together),
`database` (what is stored), `visitors`, `security`, `limits`, `faults` and `logs` (what every
request passes through), `pages`, `rooms`, `explore` and `study` (what people see), `people`,
`rounds` and `keeping` (whose choices are stored, in which form, and for how long). All texts are in
`texts`.
"""
