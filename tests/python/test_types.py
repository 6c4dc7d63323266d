"""What the package says of its types is right, as far as mypy can tell, and good for models that say theirs."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_package_and_a_model_are_sound_and_mistakes_are_found(tmp_path):
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import anachron as an\nreport = an.run('phold')\nreport.tables.arow('x')\nan.Tally().ad(1)\n")
    files = ["anachron", ROOT / "tests" / "python" / "typed_model.py", wrong]  # at once: mypy reads much for each
    words = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path, *files]
    result = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT / "python")
    errors = [line for line in result.stdout.splitlines() if ": error:" in line]
    assert [line for line in errors if "wrong.py" not in line] == [], result.stderr
    assert len(errors) == 2 and '"arow"' in errors[0] and '"ad"' in errors[1]


def test_a_model_with_types_is_sound_by_strict_rules(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import anachron as an\n"
        "report = an.run('phold')\n"
        "digest: str = report.digest\n"
        "rate: float = report.rate\n"
        "def look(model: an.Model) -> float:\n"
        "    session: an.Session = model.session()\n"
        "    return session.now\n"
    )
    files = [ROOT / "tests" / "python" / "typed_model.py", tmp_path / "user.py"]
    words = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", tmp_path, *files]
    result = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT / "python")
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_model_with_types_runs():
    import typed_model

    assert typed_model.total() > 100
    compiled = typed_model.an.Model(typed_model.Station, params=typed_model.Params, rows=[typed_model.Done])
    expected = typed_model.model.run(lps=4, sync="sequential")
    assert compiled.run(lps=4, until=50, workers=2).digest == expected.digest
