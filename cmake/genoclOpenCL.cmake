# genocl::opencl: the OpenCL loader and CLHPP's header CL/opencl.hpp. Used by genocl's own build and, installed, by
# genoclConfig.cmake, so that both look for them in the same way. When they are not there, the target is not either, and
# GENOCL_OPENCL_MISSING says what to do.
#
# CLHPP is looked for by its header: its CMake package (OpenCLHeadersCpp) fails on Debian 12 unless OpenCLHeaders was found
# before, is missing where only the headers were copied, and says no more than the header's place anyway.
set(GENOCL_OPENCL_MISSING "")
if(TARGET genocl::opencl)
  return()
endif()

if(NOT TARGET OpenCL::OpenCL)
  find_package(OpenCL QUIET)
  if(TARGET OpenCL::OpenCL)
    # Seen by a project that has genocl in a folder of its own, too.
    set_target_properties(OpenCL::OpenCL PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
endif()
if(NOT TARGET OpenCL::OpenCL)
  set(GENOCL_OPENCL_MISSING "no OpenCL loader found; on Debian and Ubuntu: apt-get install ocl-icd-opencl-dev")
  return()
endif()

get_target_property(genocl_opencl_include OpenCL::OpenCL INTERFACE_INCLUDE_DIRECTORIES)
find_path(GENOCL_CLHPP_INCLUDE_DIR CL/opencl.hpp HINTS ${genocl_opencl_include})
mark_as_advanced(GENOCL_CLHPP_INCLUDE_DIR)
if(NOT GENOCL_CLHPP_INCLUDE_DIR)
  set(GENOCL_OPENCL_MISSING
    "CL/opencl.hpp (CLHPP) not found; on Debian and Ubuntu: apt-get install opencl-clhpp-headers")
  return()
endif()

add_library(genocl::opencl INTERFACE IMPORTED GLOBAL)
set_target_properties(genocl::opencl PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${GENOCL_CLHPP_INCLUDE_DIR}"
  INTERFACE_LINK_LIBRARIES OpenCL::OpenCL)
