#!/usr/bin/env python3
"""What the recipes in packaging/ name exists, and they ask for what CMakeLists.txt and pyproject.toml ask for.

Environment: ANACHRON_SOURCE, the root of the source tree. The recipe for conda-forge is also in tests/python/test_install.py.
"""

import json
import re
import unittest

import recipes
from recipes import PACKAGING, ROOT

CMAKE = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
OPTIONS = set(re.findall(r"^\s*(?:set|option)\((ANACHRON_\w+)", (ROOT / "cmake/AnachronOptions.cmake").read_text(encoding="utf-8"), re.M))


def newest_needed(package):
    return re.search(rf"find_package\({package} ([\d.]+)", CMAKE)[1]


class Recipes(unittest.TestCase):
    def test_every_option_exists(self):
        for file in ("container/Dockerfile", "conda-forge/recipe.yaml", "spack/package.py"):
            named = set(re.findall(r"ANACHRON_[A-Z]+", (PACKAGING / file).read_text(encoding="utf-8")))
            self.assertTrue(named and named <= OPTIONS, f"{file}: {named - OPTIONS}")

    def test_every_file_that_comments_name_exists(self):
        for file in PACKAGING.rglob("*.*"):
            for name in re.findall(r"\b(?:packaging|tests)/[\w./-]+\w", file.read_text(encoding="utf-8")) if file.suffix != ".pyc" else ():
                self.assertTrue((ROOT / name).exists(), f"{file}: {name}")

    def test_the_container_builds_a_preset_and_copies_what_it_has_built(self):
        build, run = recipes.stages()
        steps = recipes.container_steps("/folder")
        presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]}
        self.assertIn(re.search(r"--preset (\w+)", steps)[1], presets)
        self.assertIn("/folder/bin/anachron", steps)
        self.assertIn(("COPY", "--from=build /usr/local/bin/anachron /usr/local/bin/anachron"), run)
        self.assertIn(("ENTRYPOINT", '["anachron"]'), run)
        self.assertTrue({"g++", "cmake", "ninja-build", "libfmt-dev"} <= set(recipes.packages_of(build)))

    def test_the_container_installs_what_do_installs_to_run(self):
        wanted = re.search(r"^to_run=\((.*?)\)", (ROOT / "do").read_text(encoding="utf-8"), re.M)[1].split()
        self.assertTrue(set(wanted) <= set(recipes.packages_of(recipes.stages()[0])))

    def test_the_ignore_file_leaves_out_what_is_built(self):
        ignored = (PACKAGING / "container/Dockerfile.dockerignore").read_text(encoding="utf-8").split()
        self.assertTrue({"build", ".git"} <= set(ignored))

    def test_spack_has_an_option_for_each_variant(self):
        package, _ = recipes.spack_package()
        for is_on, value in ((True, "ON"), (False, "OFF")):
            arguments = recipes.spack_arguments(is_on)
            for variant in package.variants:
                self.assertIn(f"-DANACHRON_{variant.upper()}={value}", arguments)

    def test_no_optional_part_is_left_to_chance(self):
        automatic = set(re.findall(r"^set\((ANACHRON_\w+) AUTO", (ROOT / "cmake/AnachronOptions.cmake").read_text(encoding="utf-8"), re.M))
        presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
        of_preset = next(set(preset["cacheVariables"]) for preset in presets if preset["name"] == "package")
        named = {"spack": {argument[2:].split("=")[0] for argument in recipes.spack_arguments(True)},
                 "container": of_preset | set(re.findall(r"-D(ANACHRON_\w+)=", recipes.container_steps("/folder")))}
        for recipe, options in named.items():
            self.assertEqual(automatic - options, set(), recipe)

    def test_spack_asks_for_the_versions_that_cmake_asks_for(self):
        _, declared = recipes.spack_package()
        wanted = {arguments[0].split("@")[0]: arguments[0].partition("@")[2] for arguments, _ in declared["depends_on"]}
        self.assertEqual(wanted["cmake"], re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", CMAKE)[1] + ":")
        self.assertEqual(wanted["hwloc"], newest_needed("Hwloc") + ":")
        self.assertEqual(wanted["metis"], newest_needed("Metis") + ":")
        self.assertLessEqual({"fmt", "tomlplusplus", "cli11", "nlohmann-json", "mpi"}, set(wanted))

    def test_the_recipe_for_conda_forge_builds_this_tree(self):
        try:
            steps = recipes.conda_steps("/folder")
        except ImportError:
            self.skipTest("no PyYAML")
        self.assertIn("--no-deps --no-build-isolation", steps)
        self.assertIn("anachron run phold", steps)


if __name__ == "__main__":
    unittest.main()
