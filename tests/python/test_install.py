"""What messages say to install exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_another_byte_order_is_told():
    from anachron import _native

    _native.check_byte_order(sys.byteorder)
    with pytest.raises(ImportError, match="for little-endian machines; this one is big-endian"):
        _native.check_byte_order("big")


def test_the_recipe_for_conda_names_what_the_package_needs():
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load((ROOT / "packaging/conda-forge/recipe.yaml").read_text())
    project = (ROOT / "pyproject.toml").read_text()
    version = re.search(r'kVersion[^"]*"([^"]+)"', (ROOT / "include/anachron/base/version.hpp").read_text())
    assert version and recipe["context"]["version"] == version[1]
    needs = recipe["requirements"]
    listed = {key: re.findall(r'"([^"]+)"', re.search(rf"^{key} = \[(.*?)\]", project, re.M)[1])
              for key in ("requires", "dependencies", "models")}  # fmt: skip
    spaced = {key: [re.sub(r"(>=)", r" \1", need) for need in all_of] for key, all_of in listed.items()}
    assert [need for need in needs["run"] if need != "python"] == spaced["dependencies"]
    assert needs["run_constraints"] == spaced["models"]
    assert set(spaced["requires"]) <= set(needs["host"])
    assert {"fmt", "tomlplusplus", "cli11", "nlohmann_json"} < set(needs["host"])
    option = re.search(r"-Ccmake\.define\.(\w+)=", recipe["build"]["script"])
    assert option and f"\n{option[1]} = " in project
    assert recipe["tests"] and recipe["about"]["license"] == "Apache-2.0"
    assert (ROOT / "packaging/conda-forge" / recipe["source"]["path"] / "pyproject.toml").resolve() == ROOT / "pyproject.toml"
