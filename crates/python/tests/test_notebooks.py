"""The notebooks run, and say what they said when they were written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

BOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def texts(cell: Any) -> list[str]:
    # Printed text may come in pieces.
    shown: str = "".join(it.get("text") or it.get("data", {}).get("text/plain", "") for it in cell.get("outputs", []))
    return [*shown.split()]


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_notebook(path: Path) -> None:
    read: Any = nbformat.reads
    written, again = (read(path.read_text(), as_version=4) for _ in range(2))
    run = NotebookClient(again, timeout=300).execute()
    compared = 0
    for before, after in zip(written.cells, run.cells):
        if before.cell_type == "code" and "varies" not in before.metadata.get("tags", []):
            assert texts(after) == texts(before), before.source
            compared += 1
    assert compared > 4


def test_there_are_notebooks() -> None:
    assert [book.stem for book in BOOKS] == ["module_lwe", "transform"]
