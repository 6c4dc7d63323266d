"""examples/python/timeline.py reads what `--timeline` writes."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_each_worker_and_each_pe_has_its_time(tmp_path):
    pytest.importorskip("perfetto")
    pytest.importorskip("matplotlib")
    run, picture = tmp_path / "run.pftrace", tmp_path / "run.png"
    options = "--lps 64 --until 50 --sync optimistic --workers 2 --mapping fixed --quiet --timeline"
    subprocess.run([sys.executable, "-m", "anachron", "run", "phold", *options.split(), str(run)], check=True)
    example = [sys.executable, str(ROOT / "examples/python/timeline.py"), str(run), str(picture)]
    said = subprocess.run(example, check=True, capture_output=True, text=True).stdout
    lines = {line.split("  ")[0]: line for line in said.splitlines()}
    for track in "GVT", "PE 0", "PE 1", "worker 0", "worker 1":
        assert track in lines
    assert "batch" in lines["worker 1"] and "GVT round" in lines["GVT"]
    assert picture.stat().st_size > 1000
