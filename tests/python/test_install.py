"""What messages say to install exists."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_extra_of_a_message_exists():
    extras = set(re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.M))
    texts = [file.read_text() for file in (ROOT / "python/anachron").glob("*.py")]
    named = {extra for text in texts for extra in re.findall(r"anachron\[(\w+)\]", text)}
    assert {"models", "plot"} <= named <= extras


def test_bundled_models_run_without_numba():
    hidden = "import sys; sys.modules['numba'] = None; import anachron as an"
    run = "print(an.run('phold', lps=64, until=5).committed > 0)"
    made = subprocess.run([sys.executable, "-c", f"{hidden}; {run}"], check=True, capture_output=True, text=True)
    assert made.stdout == "True\n"
