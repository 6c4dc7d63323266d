"""What the recipes in packaging/ do, read without the programs that they are for.

Usage: recipes.py container FOLDER   prints a shell script: the steps of the Dockerfile's first stage, in FOLDER instead of /
       recipes.py conda FOLDER       the script of the recipe for conda-forge, installing into FOLDER, and then its tests
       recipes.py spack VARIANTS     the arguments for cmake, one a line: of all variants (`on`) or of none (`off`)
"""

import os
import re
import sys
import types
from pathlib import Path

ROOT = Path(os.environ.get("ANACHRON_SOURCE") or Path(__file__).resolve().parents[2])
PACKAGING = ROOT / "packaging"


def instructions():
    """(keyword, rest) of the Dockerfile, lines that go on put together."""
    text = re.sub(r"^#.*\n", "", (PACKAGING / "container/Dockerfile").read_text(encoding="utf-8"), flags=re.M)
    return [tuple(line.split(None, 1)) for line in re.sub(r"\\\n\s*", "", text).split("\n") if line.strip()]


def stages():
    """The instructions of each stage."""
    out = []
    for keyword, rest in instructions():
        if keyword == "FROM":
            out.append([])
        out[-1].append((keyword, rest))
    return out


def packages_of(stage):
    """What a stage installs from Debian."""
    commands = " && ".join(rest for keyword, rest in stage if keyword == "RUN")
    installs = re.findall(r"apt-get install ([^&]*)", commands)
    return [word for install in installs for word in install.split() if not word.startswith("-")]


def container_steps(folder):
    """The first stage but for what it installs."""
    steps = [rest for keyword, rest in stages()[0] if keyword == "RUN" and "apt-get" not in rest]
    text = "\n".join(steps).replace("/source", str(ROOT)).replace("/build", f"{folder}/build")
    return text.replace("/usr/local/bin/", f"{folder}/bin/")


def conda_recipe():
    import yaml

    return yaml.safe_load((PACKAGING / "conda-forge/recipe.yaml").read_text(encoding="utf-8"))


def conda_steps(folder):
    recipe = conda_recipe()
    script = recipe["build"]["script"].replace("${{ PYTHON }}", sys.executable)
    steps = [f"cd {ROOT}", f"{script} --prefix {folder} -Cbuild-dir={folder}/build",
             f"export PATH={folder}/bin:$PATH PYTHONPATH=$(echo {folder}/lib/python*/site-packages)", f"cd {folder}"]
    for test in recipe["tests"]:
        steps += [f"{sys.executable} -c 'import {name}'" for name in test.get("python", {}).get("imports", [])]
        steps += [re.sub(r"^python ", f"{sys.executable} ", command) for command in test.get("script", [])]
    return "\n".join(steps)


class SpackPackage:
    """As much of a CMakePackage as package.py uses."""

    variants: dict = {}
    chosen: dict = {}

    def define(self, name, value):
        return f"-D{name}={'ON' if value else 'OFF'}"

    def define_from_variant(self, name, variant):
        if variant not in self.variants:
            raise KeyError(f"{name} is of a variant that there is not: {variant}")
        return self.define(name, self.chosen[variant])


def spack_package():
    """The class of package.py, and what it declares: {directive: [arguments]}."""
    declared = {}

    def directive(name):
        return lambda *arguments, **options: declared.setdefault(name, []).append((arguments, options))

    module = types.ModuleType("spack.package")
    module.CMakePackage = SpackPackage
    for name in ("license", "version", "variant", "depends_on", "conflicts", "generator"):
        setattr(module, name, directive(name))
    sys.modules |= {"spack": types.ModuleType("spack"), "spack.package": module}
    scope = {}
    exec((PACKAGING / "spack/package.py").read_text(encoding="utf-8"), scope)  # what it imports are the two modules above
    package = scope["Anachron"]
    package.variants = {arguments[0]: options for arguments, options in declared["variant"]}
    return package, declared


def spack_arguments(is_on):
    package, _ = spack_package()
    made = package()
    made.chosen = dict.fromkeys(package.variants, is_on)
    return made.cmake_args()


def main(what, value):
    print({"container": lambda: container_steps(value), "conda": lambda: conda_steps(value),
           "spack": lambda: "\n".join(spack_arguments(value == "on"))}[what]())


if __name__ == "__main__":
    main(*sys.argv[1:])
