"""`damier bench`."""

from damier.cli.output import Json


def command(json: Json = False) -> None:
    """Measure."""
