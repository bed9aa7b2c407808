# What every target of genocl shares, and the shape of its libraries.

# Another project chooses its launcher itself. ccache does not keep what was compiled with a precompiled header.
if(GENOCL_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT GENOCL_PRECOMPILE_HEADERS)
  find_program(GENOCL_CCACHE ccache)
  mark_as_advanced(GENOCL_CCACHE)
  if(GENOCL_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${GENOCL_CCACHE}")
  endif()
endif()

# For the folders below this one, and for no other.
if(GENOCL_SANITIZE)
  add_compile_options(-fsanitize=${GENOCL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<NOT:$<CONFIG:Debug,RelWithDebInfo>>:-g>)
  add_link_options(-fsanitize=${GENOCL_SANITIZE})
endif()

# genocl_find_global(package target [REQUIRED]): find_package whose target is seen by a project that has genocl in a folder of
# its own, too, and links genocl's static libraries with it. Sets genocl_has_<package>: FindMPI leaves a target where it found none.
macro(genocl_find_global package target)
  if(TARGET ${target})
    set(genocl_has_${package} TRUE)
  else()
    find_package(${package} ${ARGN})
    set(genocl_has_${package} ${${package}_FOUND})
    if(genocl_has_${package})
      set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
    endif()
  endif()
endmacro()

# The language, the warnings. A parent's CMAKE_UNITY_BUILD would put files together whose own names clash.
function(genocl_defaults target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_STANDARD_REQUIRED ON UNITY_BUILD OFF)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
      -Woverloaded-virtual -Wcast-qual -Wundef -Wno-missing-field-initializers
      $<$<BOOL:${GENOCL_WERROR}>:-Werror>)
    if(WIN32)
      # A file of several sources has more sections than the usual object format can number.
      target_compile_options(${target} PRIVATE -Wa,-mbig-obj)
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # Part of -Wconversion in clang only.
      target_compile_options(${target} PRIVATE -Wno-sign-conversion)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # Wrong about std::string's operator+ (GCC bug 105651).
      target_compile_options(${target} PRIVATE -Wno-restrict)
      # And forgets that headers are the system's when it takes them from a precompiled one.
      if(GENOCL_PRECOMPILE_HEADERS)
        target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
      endif()
    endif()
  endif()
endfunction()

# genocl_unity(target): with GENOCL_UNITY, the sources of the target in one folder are compiled as one file: their
# file-local names differ. To be called when the target has its sources.
function(genocl_unity target)
  if(NOT GENOCL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A name may be another file's own, too; and g++ takes a file that is included for a header, and warns of types that only
  # one file knows.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-shadow;-Wshadow=local;-Wno-subobject-linkage>" "$<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-shadow>")
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "^[^$].*\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
    get_filename_component(group "${source}" DIRECTORY)
    file(RELATIVE_PATH group "${PROJECT_SOURCE_DIR}" "${group}")
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# genocl_library(name export_name): <name>_objects takes the sources (target_sources in each module's CMakeLists.txt); <name> is
# the library that is installed; <name>_testable is the same objects in a static library, for tests and benchmarks that reach
# what the shared library does not export.
function(genocl_library name export_name)
  add_library(${name}_objects OBJECT)
  genocl_defaults(${name}_objects)
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name}_objects PRIVATE "${PROJECT_SOURCE_DIR}/src")
  if(GENOCL_PRECOMPILE_HEADERS)
    if(name STREQUAL "genocl")
      target_precompile_headers(${name}_objects PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp")
    else()
      target_precompile_headers(${name}_objects REUSE_FROM genocl_objects)
    endif()
  endif()
  if(NOT GENOCL_SHARED)
    target_compile_definitions(${name}_objects PRIVATE GENOCL_STATIC)
  endif()

  add_library(${name} $<TARGET_OBJECTS:${name}_objects>)
  add_library(genocl::${export_name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${export_name} LINKER_LANGUAGE CXX
    INSTALL_RPATH "$<IF:$<PLATFORM_ID:Darwin>,@loader_path,$ORIGIN>"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib" ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(NOT GENOCL_SHARED)
    target_compile_definitions(${name} INTERFACE GENOCL_STATIC)
  elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT GENOCL_SANITIZE)
    target_link_options(${name} PRIVATE "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/exported.map")
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exported.map")
  endif()

  add_library(${name}_testable STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_testable PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${name}_testable INTERFACE "${PROJECT_SOURCE_DIR}/src")

  foreach(target IN ITEMS ${name}_objects ${name} ${name}_testable)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
    if(GENOCL_INSTALL)
      target_include_directories(${target} PUBLIC "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    endif()
  endforeach()
endfunction()
