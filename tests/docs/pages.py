"""Pages as check_docs.py sees them: blocks, what is said about each of them, and prose; and what is wrong with them."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(os.environ.get("ANACHRON_SOURCE") or Path(__file__).resolve().parents[2])
BIN = Path(os.environ.get("ANACHRON_BIN") or ROOT / "build/release/bin").resolve()

errors = []


def error(where, what):
    errors.append(f"{where}: {what}")


@dataclass
class Command:
    text: str
    expected: list = field(default_factory=list)
    output: list = field(default_factory=list)
    status: int = 0


@dataclass
class Block:
    language: str
    directives: dict
    first: int  # index of the line after the opening fence
    lines: list

    def commands(self):
        out = []
        for line in self.lines:
            if line.startswith("$ "):
                out.append(Command(line[2:]))
            elif line.startswith("> ") and out and not out[-1].expected:
                out[-1].text += "\n" + line[2:]
            elif out:
                out[-1].expected.append(line)
        return out


class Page:
    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.lines = path.read_text(encoding="utf-8").split("\n")
        self.blocks, self.prose = [], []
        directives, at = {}, 0
        while at < len(self.lines):
            line = self.lines[at]
            if fence := re.fullmatch(r"```(\w*)", line):
                end = at + 1
                while end < len(self.lines) and self.lines[end] != "```":
                    end += 1
                if end == len(self.lines):
                    error(f"{self.name}:{at + 1}", "the block does not end")
                self.blocks.append(Block(fence[1], directives, at + 1, self.lines[at + 1 : end]))
                directives, at = {}, end + 1
                continue
            if comment := re.fullmatch(r"<!-- (\w+): (.*) -->", line):
                directives[comment[1]] = comment[2]
            else:
                directives = {}
                self.prose.append((at + 1, line))
            at += 1

    def where(self, block, line=0):
        return f"{self.name}:{block.first + line + 1}"
