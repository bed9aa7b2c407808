# genocl::opencl: the OpenCL loader and CLHPP's header CL/opencl.hpp. Used by genocl's own build and, installed, by
# genoclConfig.cmake, so that both look for them in the same way.
#
# CLHPP is looked for by its header: its CMake package (OpenCLHeadersCpp) fails on Debian 12 unless OpenCLHeaders was found
# before, is missing where only the headers were copied, and says no more than the header's place anyway.
if(NOT TARGET OpenCL::OpenCL)
  find_package(OpenCL REQUIRED)
endif()

find_path(GENOCL_CLHPP_INCLUDE_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS} PATH_SUFFIXES OpenCL/common/inc include)
mark_as_advanced(GENOCL_CLHPP_INCLUDE_DIR)
if(NOT GENOCL_CLHPP_INCLUDE_DIR)
  message(FATAL_ERROR "genocl: CL/opencl.hpp (CLHPP) not found; on Debian and Ubuntu: apt-get install opencl-clhpp-headers")
endif()

if(NOT TARGET genocl::opencl)
  add_library(genocl::opencl INTERFACE IMPORTED)
  set_target_properties(genocl::opencl PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${GENOCL_CLHPP_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES OpenCL::OpenCL)
endif()
