"""Fuzzers: hostile input from a seeded generator. Each one says in a line what went wrong, or nothing."""
