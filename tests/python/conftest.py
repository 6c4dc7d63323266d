"""Compiled models are kept for one session of tests only, so that the compiler is tested as well."""

import os
import sys
import tempfile
from pathlib import Path

_folder = tempfile.TemporaryDirectory()
os.environ["ANACHRON_CACHE"] = _folder.name
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "python"))
