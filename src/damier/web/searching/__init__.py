"""Searching for the web application: the processes, the queue before them, and looking inside a search."""
