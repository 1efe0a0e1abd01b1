"""Searches, one module an algorithm: classical, Monte-Carlo, guided by a network, nested, paths, and exact solving."""
