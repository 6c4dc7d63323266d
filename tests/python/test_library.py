"""Which of a wheel's libraries is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

import anachron as an
from anachron._native import V3, is_v3, library_file

OLD = "processor\t: 0\nflags\t\t: fpu sse sse2 ssse3 sse4_1 sse4_2 popcnt cx16 lahf_lm\n\nprocessor\t: 1\n"
NEW = OLD.replace("lahf_lm", "lahf_lm avx avx2 bmi1 bmi2 f16c fma abm movbe xsave")


def test_a_processor_is_known_by_its_flags(tmp_path):
    file = tmp_path / "cpuinfo"
    file.write_text(NEW)
    assert is_v3(file)
    for flag in V3:  # each of them is needed
        file.write_text(NEW.replace(f" {flag} ", " ") + f"bugs\t\t: {' '.join(V3)}\n")
        assert not is_v3(file)
    file.write_text(OLD)
    assert not is_v3(file) and not is_v3(tmp_path / "none")


def test_both_libraries_of_a_wheel_run():
    folder = Path(library_file).parent
    files = [folder / "_anachron.so", folder / "_anachron_v3.so"]
    if not all(file.exists() for file in files):
        pytest.skip("this is no wheel")
    assert library_file == (files[1] if is_v3() else files[0])
    expected = an.run("phold", lps=64, until=10, sync="sequential").digest
    code = "import sys; import anachron as an; sys.stdout.write(an.run('phold', lps=64, until=10).digest)"
    for file in files if is_v3() else files[:1]:
        env = {"ANACHRON_LIBRARY": str(file), "PYTHONPATH": str(Path(an.__file__).parents[1])}
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        assert ran.stdout == expected
