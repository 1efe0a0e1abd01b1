"""Files of compiled code are believed only if every byte is as it was written."""

import random
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from damier.core.cache_files import KernelFiles

CODE = {"a": b"code for a" * 20, "b": ["code", "for b"]}


@pytest.fixture
def files(tmp_path: Path) -> KernelFiles:
    files = KernelFiles(tmp_path, "kernel[1]", "stamp")
    for key, code in CODE.items():
        files.save(key, code)
    return files


def test_what_was_saved_is_loaded_by_another_process_too(files: KernelFiles, tmp_path: Path) -> None:
    other = KernelFiles(tmp_path, "kernel[1]", "stamp")
    assert {key: other.load(key) for key in CODE} == CODE
    assert other.load("c") is None
    assert KernelFiles(tmp_path, "another", "stamp").load("a") is None


def test_no_damage_is_believed(files: KernelFiles, tmp_path: Path) -> None:
    chance = random.Random(1)
    whole = {path: path.read_bytes() for path in tmp_path.glob("*.nb?")}
    assert len(whole) == 3
    for _ in range(300):
        for path, data in whole.items():
            path.write_bytes(data)
        path = chance.choice(list(whole))
        data = whole[path]
        place = chance.randrange(len(data))
        flipped = data[:place] + bytes([data[place] ^ chance.randrange(1, 256)]) + data[place + 1 :]
        path.write_bytes(chance.choice([flipped, data[:place], data + b"more", b"", bytes(len(data))]))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            loaded = {key: files.load(key) for key in CODE}
        assert all(loaded[key] in (None, CODE[key]) for key in CODE)
        assert None in loaded.values()
        assert not path.exists()
        assert "is damaged; it is removed and compiled again" in str(told[0].message)


def test_code_made_from_something_else_is_not_found_and_gives_way(files: KernelFiles, tmp_path: Path) -> None:
    edited = KernelFiles(tmp_path, "kernel[1]", "another stamp")
    assert edited.load("a") is None
    edited.save("a", "new code")
    assert edited.load("a") == "new code"
    assert files.load("a") is None
    assert len(list(tmp_path.glob("*.nbc"))) == 1


def test_a_flush_forgets_everything(files: KernelFiles, tmp_path: Path) -> None:
    KernelFiles(tmp_path, "kernel[11]", "stamp").save("a", "kept")
    files.flush()
    assert files.load("a") is None
    assert len(list(tmp_path.glob("*.nb?"))) == 2


def test_several_write_at_once_and_nothing_is_lost_or_mixed_up(tmp_path: Path) -> None:
    """Threads stand in for processes: the lock is between open files, whoever opened them."""

    def write(child: int) -> None:
        mine = KernelFiles(tmp_path, "kernel", "stamp")
        for number in range(15):
            mine.save((child, number), f"code {child} {number}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    files = KernelFiles(tmp_path, "kernel", "stamp")
    for child in range(4):
        assert [files.load((child, number)) for number in range(15)] == [f"code {child} {n}" for n in range(15)]
