"""Conan 2: conan create cmake/packaging/conan  (from the root of the source)"""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.system.package_manager import Apt

required_conan_version = ">=2.0"


class GenoclConan(ConanFile):
    name = "genocl"
    description = "Exact sequence analysis and a stencil on any OpenCL device"
    license = "Apache-2.0"
    topics = ("opencl", "bioinformatics", "smith-waterman", "suffix-array", "stencil")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "io": [True, False],
        "programs": [True, False],
        # What is needed comes from the system (apt) instead of from Conan's packages.
        "system_packages": [True, False],
    }
    default_options = {"shared": False, "fPIC": True, "io": True, "programs": False, "system_packages": False}

    def set_version(self):
        import re
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "..", "include", "genocl", "version.hpp"))
        self.version = ".".join(re.findall(r"^#define GENOCL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M))

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "include/*", "src/*", "cl/*",
                        "examples/*", "docs/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.system_packages:
            return
        self.requires("opencl-icd-loader/[>=2023.12.14]", transitive_headers=True, transitive_libs=True)
        self.requires("opencl-clhpp-headers/[>=2023.12.14]", transitive_headers=True)
        self.requires("xxhash/[>=0.8.1 <1]")
        if self.options.io:
            self.requires("htslib/[>=1.16 <2]")
            self.requires("zlib/[>=1.2.11 <2]")
        if self.options.programs:
            self.requires("cli11/[>=2.1 <3]")
            self.requires("libpng/[>=1.6 <2]")

    def system_requirements(self):
        if not self.options.system_packages:
            return
        packages = ["ocl-icd-opencl-dev", "opencl-headers", "opencl-clhpp-headers", "libxxhash-dev"]
        if self.options.io:
            packages += ["pkg-config", "libhts-dev", "zlib1g-dev"]
        if self.options.programs:
            packages += ["libcli11-dev", "libpng-dev"]
        Apt(self).install(packages, check=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["GENOCL_BUILD_EXAMPLES"] = bool(self.options.programs)
        toolchain.cache_variables["GENOCL_BUILD_TESTS"] = False
        toolchain.cache_variables["GENOCL_BUILD_BENCHMARKS"] = False
        toolchain.cache_variables["GENOCL_CLUSTER"] = "OFF"
        toolchain.cache_variables["GENOCL_IO"] = "ON" if self.options.io else "OFF"
        toolchain.cache_variables["GENOCL_UNITY"] = True
        toolchain.generate()
        if not self.options.system_packages:
            CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan makes its own.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "genocl")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "genocl::genocl")
        core.set_property("pkg_config_name", "genocl")
        core.libs = ["genocl"]
        if not self.options.shared:
            core.defines = ["GENOCL_STATIC"]
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["pthread", "dl"]
        if self.options.system_packages:
            core.system_libs.append("OpenCL")
        else:
            core.requires = ["opencl-icd-loader::opencl-icd-loader", "opencl-clhpp-headers::opencl-clhpp-headers",
                             "xxhash::xxhash"]
            if self.options.programs:
                core.requires += ["cli11::cli11", "libpng::libpng"]
        if self.options.io:
            io = self.cpp_info.components["io"]
            io.set_property("cmake_target_name", "genocl::io")
            io.set_property("pkg_config_name", "genocl-io")
            io.libs = ["genocl_io"]
            io.requires = ["core"]
            if self.options.system_packages:
                io.system_libs = ["hts", "z"]
            else:
                io.requires += ["htslib::htslib", "zlib::zlib"]
