"""The HTTP interface and the live connection, one module per part of the page."""
