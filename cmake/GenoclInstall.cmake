# What `cmake --install` puts where. Everything finds everything else by relative paths: an installation may be moved.
#
# Components, which `cmake --install --component` and packages take apart: library (with its kernels), development, programs,
# and mpi_library, mpi_development, mpi_programs for jobs of many processes.
include(CMakePackageConfigHelpers)

set(genocl_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/genocl")

install(TARGETS genocl EXPORT genoclTargets
  RUNTIME COMPONENT library LIBRARY COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
install(EXPORT genoclTargets NAMESPACE genocl:: DESTINATION "${genocl_package_dir}" COMPONENT development)
install(DIRECTORY include/genocl DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development FILES_MATCHING PATTERN "*.hpp"
  REGEX "/include/genocl/(io|cluster|cluster\\.hpp)$" EXCLUDE)
install(DIRECTORY cl/ DESTINATION "${CMAKE_INSTALL_DATADIR}/genocl/cl" COMPONENT library
  FILES_MATCHING PATTERN "*.cl" PATTERN "*.clh")
install(FILES "${GENOCL_STAMP_FILE}" DESTINATION "${CMAKE_INSTALL_DATADIR}/genocl/cl" COMPONENT library)
# Debian's packages have its own form of both.
if(NOT GENOCL_DEBIAN_PACKAGES)
  install(FILES LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT library)
endif()

configure_package_config_file(cmake/packaging/genoclConfig.cmake.in "${PROJECT_BINARY_DIR}/package/genoclConfig.cmake"
  INSTALL_DESTINATION "${genocl_package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/genoclConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/genoclOpenCL.cmake "${PROJECT_BINARY_DIR}/package/genoclConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/genoclConfigVersion.cmake" DESTINATION "${genocl_package_dir}" COMPONENT development)

# pkg-config: the prefix is found from the file's own place, unless a folder was given as an absolute path.
function(genocl_pc_path variable folder)
  if(IS_ABSOLUTE "${folder}")
    set(${variable} "${folder}" PARENT_SCOPE)
  else()
    set(${variable} "\${prefix}/${folder}" PARENT_SCOPE)
  endif()
endfunction()
genocl_pc_path(GENOCL_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
genocl_pc_path(GENOCL_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
genocl_pc_path(GENOCL_PC_KERNELDIR "${CMAKE_INSTALL_DATADIR}/genocl/cl")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(GENOCL_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(GENOCL_PC_PREFIX "\${pcfiledir}/${up}")
endif()

# Folders that the compiler and the linker search anyway are not named.
set(GENOCL_PC_CFLAGS "")
get_target_property(opencl_include OpenCL::OpenCL INTERFACE_INCLUDE_DIRECTORIES)
foreach(folder IN LISTS GENOCL_CLHPP_INCLUDE_DIR opencl_include)
  if(folder AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    string(APPEND GENOCL_PC_CFLAGS " -I\"${folder}\"")
  endif()
endforeach()
if(APPLE)
  set(GENOCL_PC_LIBS " -framework OpenCL")
else()
  set(GENOCL_PC_LIBS " -lOpenCL")
endif()
if(OpenCL_LIBRARY AND NOT APPLE)
  get_filename_component(folder "${OpenCL_LIBRARY}" DIRECTORY)
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    string(PREPEND GENOCL_PC_LIBS " -L\"${folder}\"")
  endif()
endif()
if(NOT GENOCL_SHARED)
  string(APPEND GENOCL_PC_CFLAGS " -DGENOCL_STATIC")
endif()
configure_file(cmake/packaging/genocl.pc.in "${PROJECT_BINARY_DIR}/package/genocl.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/genocl.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)

if(TARGET genocl_io)
  install(TARGETS genocl_io EXPORT genoclIoTargets
    RUNTIME COMPONENT library LIBRARY COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
  install(EXPORT genoclIoTargets NAMESPACE genocl:: DESTINATION "${genocl_package_dir}" COMPONENT development)
  install(DIRECTORY include/genocl/io DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/genocl" COMPONENT development FILES_MATCHING PATTERN "*.hpp")
  # A shared library has what it needs already, and pkg-config asks even then whether the files of those are there.
  set(GENOCL_PC_IO_REQUIRES "")
  if(NOT GENOCL_SHARED)
    set(GENOCL_PC_IO_REQUIRES "Requires.private: htslib zlib\n")
  endif()
  configure_file(cmake/packaging/genocl-io.pc.in "${PROJECT_BINARY_DIR}/package/genocl-io.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/genocl-io.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT development)
endif()

if(TARGET genocl_cluster)
  install(TARGETS genocl_cluster EXPORT genoclClusterTargets
    RUNTIME COMPONENT mpi_library LIBRARY COMPONENT mpi_library NAMELINK_COMPONENT mpi_development
    ARCHIVE COMPONENT mpi_development)
  install(EXPORT genoclClusterTargets NAMESPACE genocl:: DESTINATION "${genocl_package_dir}" COMPONENT mpi_development)
  install(DIRECTORY include/genocl/cluster DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/genocl" COMPONENT mpi_development
    FILES_MATCHING PATTERN "*.hpp")
  install(FILES include/genocl/cluster.hpp DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/genocl" COMPONENT mpi_development)
  configure_file(cmake/packaging/genocl-cluster.pc.in "${PROJECT_BINARY_DIR}/package/genocl-cluster.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/genocl-cluster.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT mpi_development)
endif()
