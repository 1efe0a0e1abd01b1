"""Hiding passwords in texts that people see, such as the URL of a database."""

import re

_HIDDEN = "***"
# name:password@ after ://, or :/ if it is mistyped, up to the last @ there is, since a password may hold one itself; a
# file has / there
_OF_USER = re.compile(r"(:/+[^:/@]*:).*@", re.DOTALL)
_AS_OPTION = re.compile(r"([?&;](?:\w*password|passwd|pwd|odbc_connect)=)[^\s&]*", re.IGNORECASE)


def without_passwords(text: str) -> str:
    """The text with *** for every password in a URL."""
    return _AS_OPTION.sub(rf"\1{_HIDDEN}", _OF_USER.sub(rf"\1{_HIDDEN}@", text))
