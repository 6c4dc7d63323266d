"""The page of an animation, which loads nothing: _animation.html with its data."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

#: Colours of the lowest to the highest value. The highest differs most from the background.
LIGHT = ("#d5dbe3", "#7fb2d9", "#3f78b5", "#7a3f9d", "#7a0033")
DARK = ("#3a4250", "#3b6fa0", "#35a7a0", "#b8d94a", "#fff3a0")


def page(data: dict[str, Any], title: str, label: str, low: str, high: str) -> str:
    """`data`: what the script reads; `low` and `high`: texts of the least and the greatest value."""
    texts = {
        "TITLE": escape(title),
        "LABEL": escape(label),
        "LOW": escape(low),
        "HIGH": escape(high),
        "LAST": str(len(data["frames"]) - 1),
        "LIGHT": ", ".join(LIGHT),
        "DARK": ", ".join(DARK),
        "DATA": json.dumps({**data, "light": LIGHT, "dark": DARK}, separators=(",", ":")).replace("<", "\\u003c"),
    }
    form = Path(__file__).with_name("_animation.html").read_text(encoding="utf-8")
    return re.sub("@([A-Z]+)@", lambda found: texts[found[1]], form)
