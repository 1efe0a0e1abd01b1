"""Searches for the web application: the processes, their queue, and the view into a search tree."""
