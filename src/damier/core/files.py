"""Files that are written for people: whole or not at all, and pages that need nothing but themselves."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from damier.core.errors import DamierError


def check_path(path: Path) -> None:
    """Refuse a path where nothing can be written."""
    if not path.parent.is_dir():
        raise DamierError(f"can't write '{path}': there is no folder '{path.parent}'")
    if path.is_dir():
        raise DamierError(f"can't write '{path}': expected the name of a file, got a folder")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


def write_whole(path: Path, text: str) -> None:
    """Write a file, or leave what was there before."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> DamierError:
    return DamierError(f"can't write '{path}': {error.strerror}")


def embedded_json(document: Any) -> str:
    """JSON that can stand within a script element: no text in it can end the element or begin a comment."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
