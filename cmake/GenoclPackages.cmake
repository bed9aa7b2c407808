# What `cpack` makes: Debian's packages, one for each component (cmake --preset packages), else an archive of everything.
#
# With GENOCL_DEBIAN_PACKAGES files lie as Debian has them: copyright and changelog in each package's folder, compressed manual
# pages. dpkg-shlibdeps finds which packages of the machine the programs need.
set(CPACK_PACKAGE_NAME genocl)
set(CPACK_PACKAGE_VENDOR genocl)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
# Nothing is put into the folder that cpack is called from.
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CPACK_OUTPUT_FILE_PREFIX "${PROJECT_BINARY_DIR}/packages")
if(NOT GENOCL_DEBIAN_PACKAGES)
  set(CPACK_GENERATOR TGZ)
  include(CPack)
  return()
endif()

set(GENOCL_PACKAGE_MAINTAINER "genocl maintainers <genocl@packages.debian.org>" CACHE STRING "Who answers for the packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${GENOCL_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# genocl_package(component name section depends summary description): `depends` has what dpkg-shlibdeps cannot know.
set(genocl_abi "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_COMPONENTS_ALL "")
string(TIMESTAMP genocl_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
macro(genocl_package component name section depends summary description)
  string(TOUPPER "${component}" upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME "${name}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION "${section}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}")
  install(FILES "${PROJECT_SOURCE_DIR}/cmake/packaging/debian/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}"
    COMPONENT ${component})
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package/${name}/changelog" CONTENT
    "${name} (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * What has changed is in CHANGELOG.md of the source.\n\n -- ${GENOCL_PACKAGE_MAINTAINER}  ${genocl_date}\n")
  execute_process(COMMAND gzip -9nf "${PROJECT_BINARY_DIR}/package/${name}/changelog" COMMAND_ERROR_IS_FATAL ANY)
  install(FILES "${PROJECT_BINARY_DIR}/package/${name}/changelog.gz" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}"
    COMPONENT ${component})
endmacro()

# genocl_package_library(component name library...): what dpkg is told of shared libraries.
macro(genocl_package_library component name)
  string(TOUPPER "${component}" upper)
  set(shlibs "")
  foreach(library IN ITEMS ${ARGN})
    if(TARGET ${library})
      string(APPEND shlibs "lib${library} ${genocl_abi} ${name} (>= ${PROJECT_VERSION})\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package/${name}/shlibs" CONTENT "${shlibs}" @ONLY)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package/${name}/triggers" CONTENT "activate-noawait ldconfig\n" @ONLY)
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/package/${name}/shlibs"
    "${PROJECT_BINARY_DIR}/package/${name}/triggers")
endmacro()

set(same "(= ${PROJECT_VERSION})")
genocl_package(library libgenocl${genocl_abi} libs ""
  "exact sequence analysis and a stencil on OpenCL devices - library"
  "genocl maps reads, searches sequence databases, scans texts with\nposition weight matrices, builds suffix arrays and relaxes grids, on\nCPUs and GPUs. This package has the shared libraries, with their\nkernels.")
genocl_package_library(library libgenocl${genocl_abi} genocl genocl_io)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
genocl_package(development libgenocl-dev libdevel
  "libgenocl${genocl_abi} ${same}, ocl-icd-opencl-dev, opencl-headers, opencl-clhpp-headers"
  "exact sequence analysis and a stencil on OpenCL devices - development files"
  "This package has the headers, and what CMake and pkg-config need to\nbuild with them.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
genocl_package(programs genocl science "libgenocl${genocl_abi} ${same}"
  "exact sequence analysis and a stencil on OpenCL devices - programs"
  "genocl maps reads, searches sequence databases, scans texts with\nposition weight matrices, builds suffix arrays and relaxes grids, on\nCPUs and GPUs. This package has the programs, with manual pages and\ncompletions.")
if(TARGET genocl_cluster)
  genocl_package(mpi_library libgenocl-cluster${genocl_abi} libs "libgenocl${genocl_abi} ${same}"
    "exact sequence analysis and a stencil on many machines - library"
    "This package has the shared library for jobs of many processes, with\nMPI.")
  genocl_package_library(mpi_library libgenocl-cluster${genocl_abi} genocl_cluster)
  genocl_package(mpi_development libgenocl-cluster-dev libdevel
    "libgenocl-cluster${genocl_abi} ${same}, libgenocl-dev ${same}, libopenmpi-dev"
    "exact sequence analysis and a stencil on many machines - development files"
    "This package has the headers for jobs of many processes, and what CMake\nand pkg-config need to build with them.")
  set(CPACK_DEBIAN_MPI_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
  genocl_package(mpi_programs genocl-mpi science
    "libgenocl-cluster${genocl_abi} ${same}, libgenocl${genocl_abi} ${same}, genocl ${same}, openmpi-bin | mpi-default-bin"
    "exact sequence analysis and a stencil on many machines - programs"
    "This package has the programs for jobs of many processes, which MPI\nstarts.")
endif()
include(CPack)
