# spack repo add cmake/packaging/spack && spack dev-build genocl@0.2.0   (in the root of the source)
from spack.package import *


class Genocl(CMakePackage):
    """Exact sequence analysis and a stencil on any OpenCL device."""

    license("Apache-2.0")

    # Built from a folder (spack dev-build); a release adds its url and sha256.
    version("0.2.0")

    variant("shared", default=True, description="Build shared libraries")
    variant("io", default=True, description="Readers and writers of sequence files")
    variant("programs", default=True, when="+io", description="The programs")
    variant("mpi", default=False, description="Jobs of many processes")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("opencl@1.2:")
    depends_on("opencl-clhpp")
    depends_on("xxhash")
    depends_on("htslib", when="+io")
    depends_on("zlib-api", when="+io")
    depends_on("cli11", when="+programs")
    depends_on("libpng", when="+programs")
    depends_on("mpi", when="+mpi")

    conflicts("%gcc@:11", msg="genocl is C++20")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("GENOCL_IO", "ON" if self.spec.satisfies("+io") else "OFF"),
            self.define("GENOCL_CLUSTER", "ON" if self.spec.satisfies("+mpi") else "OFF"),
            self.define("GENOCL_BUILD_EXAMPLES", self.spec.satisfies("+programs")),
            self.define("GENOCL_BUILD_TESTS", False),
            self.define("GENOCL_BUILD_BENCHMARKS", False),
            self.define("GENOCL_UNITY", True),
        ]
