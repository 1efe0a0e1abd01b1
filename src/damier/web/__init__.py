"""The web application: play any game against any player, look inside a search, follow tournaments and training.

`app` puts together the HTTP interface and the page in `page/`, ES modules without a build step. The process of the
server never compiles: it runs the rules as plain Python, which is quick enough for one position at a time, and
`engines` lets processes of their own search with compiled code (`engine` is what runs in them). `tables` are the games
being played, `shown` is what the page is told of a position, `catalogue` what there is to play, `guard` what a visitor
may ask for.
"""
