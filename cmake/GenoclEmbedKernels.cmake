# Keeps a copy of cl/ inside the library (a binary copied alone still runs) and the stamp of cl/, by which the library knows
# kernels that lie elsewhere.
#
# As a module, genocl_embed_kernels(target) adds to `target` a source made at build time that defines the functions of
# src/runtime/kernel_source.hpp, and leaves the stamp in the file GENOCL_STAMP_FILE. As a script
# (cmake -DKERNEL_DIR= -DFILES= -DEMBED= -DBUILD_TREE= -DOUTPUT= -DSTAMP= -P), it writes that source and that file.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # Bytes, not string literals: those may end at 64 KiB, and a kernel's text may hold any delimiter.
  set(arrays "")
  set(table "")
  set(manifest "")
  set(count 0)
  foreach(file IN LISTS FILES)
    # As kernel_stamp() of src/runtime/kernel_source.hpp has it.
    file(SHA256 "${KERNEL_DIR}/${file}" hash)
    string(APPEND manifest "${hash}  ${file}\n")
    if(NOT EMBED)
      continue()
    endif()
    file(READ "${KERNEL_DIR}/${file}" hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR bytes "${digits} / 2")
    if(bytes EQUAL 0)
      string(APPEND table "    EmbeddedKernel{\"${file}\", {}},\n")
      continue()
    endif()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," values "${hex}")
    string(APPEND arrays "constexpr char file_${count}[] = {${values}};\n")
    string(APPEND table "    EmbeddedKernel{\"${file}\", {file_${count}, ${bytes}}},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  string(SHA256 stamp "${manifest}")
  set(body "")
  if(table STREQUAL "")
    set(result "return {};")
  else()
    set(body "${arrays}\nconstexpr EmbeddedKernel files[] = {\n${table}};\n")
    set(result "return files;")
  endif()
  file(WRITE "${OUTPUT}.new" "// Made by cmake/GenoclEmbedKernels.cmake from cl/.
#include \"runtime/kernel_source.hpp\"

namespace genocl::runtime {
namespace {
${body}
}  // namespace

std::span<const EmbeddedKernel> embedded_kernels() noexcept { ${result} }
std::string_view built_stamp() noexcept { return \"${stamp}\"; }
std::string_view build_tree_name() noexcept { return \"${BUILD_TREE}\"; }

}  // namespace genocl::runtime
")
  file(RENAME "${OUTPUT}.new" "${OUTPUT}")
  file(WRITE "${STAMP}.new" "${stamp}\n")
  file(RENAME "${STAMP}.new" "${STAMP}")
  return()
endif()

set(GENOCL_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
set(GENOCL_STAMP_FILE "${PROJECT_BINARY_DIR}/generated/stamp")

function(genocl_embed_kernels target)
  set(output "${PROJECT_BINARY_DIR}/generated/embedded_kernels.cpp")
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/cl"
    "${PROJECT_SOURCE_DIR}/cl/*.cl" "${PROJECT_SOURCE_DIR}/cl/*.clh")
  list(SORT kernels)
  list(TRANSFORM kernels PREPEND "${PROJECT_SOURCE_DIR}/cl/" OUTPUT_VARIABLE inputs)
  # The list of files is itself an input: a file removed or added must lead to a new source, though no input is newer.
  set(list "${PROJECT_BINARY_DIR}/generated/embedded_kernels.txt")
  file(CONFIGURE OUTPUT "${list}" CONTENT "${GENOCL_EMBED_KERNELS} ${kernels}\n" @ONLY)

  # The build tree is laid out like an installation, with a link in the place of the kernels: an edited one takes effect at
  # the next start. The library knows its own build tree by a name that is a hash, since no path of this machine may stay in
  # what is installed.
  string(SHA256 build_tree "${PROJECT_SOURCE_DIR}\n${PROJECT_BINARY_DIR}")
  string(SUBSTRING "${build_tree}" 0 16 build_tree)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/genocl")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/cl" "${PROJECT_BINARY_DIR}/share/genocl/cl" SYMBOLIC)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/share/genocl/build-tree" CONTENT "${build_tree}\n" @ONLY)

  add_custom_command(OUTPUT "${output}" "${GENOCL_STAMP_FILE}"
    COMMAND "${CMAKE_COMMAND}" "-DKERNEL_DIR=${PROJECT_SOURCE_DIR}/cl" "-DFILES=${kernels}" "-DEMBED=${GENOCL_EMBED_KERNELS}"
      "-DBUILD_TREE=${build_tree}" "-DOUTPUT=${output}" "-DSTAMP=${GENOCL_STAMP_FILE}" -P "${GENOCL_EMBED_SCRIPT}"
    DEPENDS ${inputs} "${list}" "${GENOCL_EMBED_SCRIPT}"
    COMMENT "Stamping the kernels" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
