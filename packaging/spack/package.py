# Copyright the Anachron authors. Apache 2.0, like the project.
# A Spack package, for Spack 0.23 and newer, which know the languages and tomlplusplus. It was tried with a development version of
# 0.23, with all that it depends on from Debian 12 as externals, up to cmake's end. Spack 1 was not tried. `./do test-long` configures
# the build with its options (tests/packaging/long_recipes.sh). In the root of the sources:
#   spack repo create ~/anachron-repo anachron
#   mkdir -p ~/anachron-repo/packages/anachron && cp packaging/spack/package.py ~/anachron-repo/packages/anachron/
#   spack repo add ~/anachron-repo
#   spack dev-build anachron@main +mpi
from spack.package import *

try:  # where it is since Spack 1.0
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:  # before, it came with the rest
    pass


class Anachron(CMakePackage):
    """Parallel discrete event simulation: optimistic, conservative and sequential, on threads and MPI ranks, with
    bit-identical results."""

    license("Apache-2.0")

    version("main", branch="main")  # fetched from `git`, if you set it; dev-build takes what is there

    variant("mpi", default=True, description="Runs on several machines")
    variant("hwloc", default=True, description="Workers stay on cores of their own")
    variant("metis", default=True, description="Partitions with few links between them")
    variant("zstd", default=True, description="Checkpoints are compressed")
    variant("live", default=True, description="Runs can be watched in a browser")

    depends_on("cxx", type="build")
    depends_on("c", type="build", when="+mpi")  # FindMPI
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("fmt@9")
    depends_on("tomlplusplus@3.3:")
    depends_on("cli11@2:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("protozero", type="build")
    depends_on("mpi@3:", when="+mpi")  # 3.1; but of two ranges that Open MPI provides one ends at 3.0
    depends_on("hwloc@2.5:", when="+hwloc")
    depends_on("metis@5:", when="+metis")
    depends_on("zstd@1.4:", when="+zstd")
    depends_on("cpp-httplib@0.18:", type="build", when="+live")

    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it is needed")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("ANACHRON_MPI", "mpi"),
            self.define_from_variant("ANACHRON_HWLOC", "hwloc"),
            self.define_from_variant("ANACHRON_METIS", "metis"),
            self.define_from_variant("ANACHRON_ZSTD", "zstd"),
            self.define_from_variant("ANACHRON_LIVE", "live"),
            self.define("ANACHRON_NATIVE", False),
            self.define("ANACHRON_WERROR", False),
            self.define("ANACHRON_TESTS", False),
            self.define("ANACHRON_BENCH", False),
            self.define("ANACHRON_PYTHON", False),  # nothing of it is installed
            self.define("ANACHRON_JEMALLOC", False),  # they would be taken from wherever they are found
            self.define("ANACHRON_MIMALLOC", False),
        ]
