"""The version of damier."""

__version__ = "0.1.0"
