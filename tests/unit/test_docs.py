"""The documentation cannot lie: its examples run, its tables are those of the registry, its links lead somewhere."""

import ast
import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.command import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
SOURCES = sorted((ROOT / "src" / "damier").rglob("*.py"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_print_what_they_say(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_the_readme_has_an_example_that_runs() -> None:
    assert len(doctest.DocTestParser().get_examples((ROOT / "README.md").read_text())) >= 5


def test_the_generated_tables_and_maps_are_up_to_date() -> None:
    subprocess.run([sys.executable, ROOT / "docs" / "make_tables.py", "--check"], check=True)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").is_file()


def test_the_example_game_is_explained_line_by_line() -> None:
    """Every line of examples/breakthrough.py stands in the page that explains it, and it has at most 60."""
    lines = (ROOT / "examples" / "breakthrough.py").read_text().splitlines()
    assert len(lines) <= 60
    page = (ROOT / "docs" / "write-your-own-game.md").read_text()
    quoted = {
        line.strip() for block in re.findall(r"```python.*?\n(.*?)```", page, re.DOTALL) for line in block.splitlines()
    }
    missing = [line for line in lines if line.strip() and line.strip() not in quoted]
    assert missing == []


def test_the_parts_of_bring_your_own_are_example_files_with_classes_of_under_30_lines() -> None:
    """Each block of the page that isn't typed at a prompt is a whole file of examples/, line by line."""
    page = (ROOT / "docs" / "bring-your-own.md").read_text()
    blocks = [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if not block.startswith(">>>")]
    files = {path.read_text().partition("\n")[0]: path for path in (ROOT / "examples").glob("*.py")}
    assert len(blocks) >= 4
    for block in blocks:
        quoted = files[block.partition("\n")[0]]
        assert block.splitlines() == quoted.read_text().splitlines()
    for path in [ROOT / name for name in set(re.findall(r"examples/\w+\.py", page))]:
        for each in ast.parse(path.read_text()).body:
            if isinstance(each, ast.ClassDef):
                assert _num_lines_of_code(each, path.read_text().splitlines()) < 30, f"{each.name} in {path}"


def _num_lines_of_code(cls: ast.ClassDef, lines: list[str]) -> int:
    """The lines of a class without blank lines, comments and docstrings."""
    told: set[int] = set()
    for node in ast.walk(cls):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            told.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    numbers = range(cls.lineno, (cls.end_lineno or 0) + 1)
    return sum(bool(lines[i - 1].split("#")[0].strip()) for i in numbers if i not in told)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_a_page_exists(page: Path) -> None:
    from damier.cli import app

    known = {command.name for command in app.registered_commands} | {group.name for group in app.registered_groups}
    used = set(re.findall(r"^\$ (?:\S+/)?damier ([a-z]+)", page.read_text(), re.MULTILINE))
    assert used <= known


def test_the_errors_of_the_command_line_page_are_those_of_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from damier.cli import main

    page = (ROOT / "docs" / "command-line.md").read_text()
    quoted = re.findall(r"^\$ (damier .*)\n(damier: .*\n)", page, re.MULTILINE)
    assert len(quoted) >= 5
    monkeypatch.chdir(ROOT)
    for command, told in quoted:
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit):
            main()
        assert capsys.readouterr().err.replace(f"{ROOT}/", "") == told
