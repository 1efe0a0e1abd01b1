"""The web application: play any game against any player, look inside a search, follow tournaments and training.

`app` puts together the HTTP interface and the page in `page/`, ES modules without a build step. The process of the
server never compiles: it runs the rules as plain Python, which is quick enough for one position at a time. Searches
with compiled code happen in processes of their own, see `searching`. A `room` is a game being played, the `lobby` has
all rooms, `views` is what the page is told of a position, `catalogue` what there is to play, and `permissions` what a
visitor may ask for.
"""
