"""The web application: play any game against any player, analyse positions, follow tournaments and training.

`app` combines the HTTP interface and the page in `page/` (ES modules without a build step). The server process never
compiles: it runs the rules as plain Python, which is fast enough for one position at a time. Compiled searches run in
separate processes, see `searching`. A `room` is a game in progress, the `lobby` has all rooms, `views` describes a
position to the page, `catalogue` lists the games and players, and `permissions` checks the requests of visitors.
"""
