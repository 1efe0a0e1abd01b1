"""The frame of a web page that is one file and loads nothing, such as a report or a lesson."""

from html import escape
from importlib.resources import files
from string import Template

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_FRAME = Template(f"""<!DOCTYPE html>
<html lang="$lang"><head><meta charset="utf-8"><title>$title</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<style>
$style</style>
</head>
<body>
$body</body>
</html>
""")


def single_file(body: str, title: str, style: str, lang: str = "en") -> str:
    """A page with this body, title and style sheet."""
    return _FRAME.substitute(body=body, title=escape(title), style=style, lang=lang)


def read(package: str, name: str) -> str:
    """The text of a file that belongs to a package."""
    return (files(package) / name).read_text(encoding="utf-8")
