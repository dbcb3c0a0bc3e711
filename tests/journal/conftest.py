from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import Journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as opened:
        yield opened
