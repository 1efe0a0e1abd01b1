"""The HTTP interface and the live connection, a module for each part of the page."""
