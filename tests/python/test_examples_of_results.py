"""The examples of docs/results/ and docs/coming-from/ print what the pages say. A block of their output has the comment
`<!-- output: PATH -->` before it."""

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = re.compile(r"<!-- output: (\S+) -->\n```\n(.*?)```\n", re.DOTALL)
SAID = [
    pytest.param(match[1], match[2], id=f"{page.stem}:{Path(match[1]).stem}")
    for folder in ("results", "coming-from")
    for page in sorted((ROOT / "docs" / folder).glob("*.md"))
    for match in OUTPUT.finditer(page.read_text(encoding="utf-8"))
]


def test_there_are_some():
    assert len(SAID) >= 3


@pytest.mark.parametrize("path, said", SAID)
def test_the_page_has_the_output(path, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [path])
    runpy.run_path(str(ROOT / path), run_name="__main__")
    assert capsys.readouterr().out == said


@pytest.mark.parametrize("name", ["warm_up", "run_length", "designs"])
def test_the_picture_is_drawn(name, tmp_path):
    pytest.importorskip("matplotlib")
    module = __import__(name)
    file = tmp_path / "picture.svg"
    if name == "warm_up":
        module.picture(module.over_time(lines=10), file)
    elif name == "designs":
        module.picture(file)
    else:
        module.picture(file, numbers=(10, 20))
    assert "<svg" in file.read_text(encoding="utf-8")
