"""What a command of a page may need beside the built programs: `<!-- needs: python, mpi -->` before its block. Where that is
missing the block is skipped."""

import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from pages import BIN, ROOT

LIBRARY = Path(os.environ.get("ANACHRON_LIBRARY") or BIN.parent / "lib/_anachron.so")
PACKAGES = "import numba, numpy, pandas"
_compiled = tempfile.TemporaryDirectory()  # compiled models: for all pages of a run, and no longer


@functools.cache
def interpreter():
    """A Python that has what the package needs; none where there is none."""
    for python in (ROOT / "build/python-tests/bin/python", shutil.which("python3")):
        if python and subprocess.run([python, "-c", PACKAGES], capture_output=True, check=False).returncode == 0:
            return str(python)
    return None


@functools.cache
def missing(need):
    if need == "python":
        return not (LIBRARY.exists() and interpreter())
    if need == "mpi":
        built = subprocess.run([BIN / "anachron", "run", "phold", "--lps", "2", "--until", "1", "--quiet", "--report", "-"],
                               capture_output=True, text=True, check=False)
        return not (shutil.which("mpirun") and '"MPI"' in built.stdout)
    raise ValueError(f"a page needs '{need}'; known are python and mpi")


def missing_for(block):
    """Whether the commands of a block cannot run here."""
    return any(missing(need.strip()) for need in block.directives.get("needs", "").split(",") if need.strip())


def environment(tools):
    """Adds `python` with the package of this source tree to the folder `tools`. Returns variables of the environment."""
    variables = {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "python"), "ANACHRON_LIBRARY": str(LIBRARY),
                 "ANACHRON_CACHE": _compiled.name, "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg",
                 "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1"}  # ranks write to a terminal of mpirun
    # As root and with more ranks than cores, as ./do run-cluster sets it.
    variables |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                  "OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                  "PRTE_MCA_hwloc_default_binding_policy": "none"}
    tools.mkdir()
    if interpreter():
        (tools / "python").write_text(f'#!/bin/sh\nexec "{interpreter()}" "$@"\n')
        (tools / "python").chmod(0o755)
    return variables
