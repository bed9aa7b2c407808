# Keeps a copy of cl/ inside the library: a binary copied alone still runs.
#
# As a module, genocl_embed_kernels(target) adds to `target` a source made at build time that defines embedded_kernels() of
# src/runtime/embedded_kernels.hpp. As a script (cmake -DKERNEL_DIR= -DFILES= -DOUTPUT= -P), it writes that source.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # Bytes, not string literals: those may end at 64 KiB, and a kernel's text may hold any delimiter.
  set(arrays "")
  set(table "")
  set(count 0)
  foreach(file IN LISTS FILES)
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
  list(LENGTH FILES total)
  set(body "")
  if(total EQUAL 0)
    set(result "return {};")
  else()
    set(body "${arrays}\nconstexpr EmbeddedKernel files[] = {\n${table}};\n")
    set(result "return files;")
  endif()
  file(WRITE "${OUTPUT}.new" "// Made by cmake/EmbedKernels.cmake from cl/.
#include \"runtime/embedded_kernels.hpp\"

namespace genocl::runtime {
namespace {
${body}
}  // namespace

std::span<const EmbeddedKernel> embedded_kernels() noexcept { ${result} }

}  // namespace genocl::runtime
")
  file(RENAME "${OUTPUT}.new" "${OUTPUT}")
  return()
endif()

set(GENOCL_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(genocl_embed_kernels target)
  set(output "${PROJECT_BINARY_DIR}/generated/embedded_kernels.cpp")
  set(kernels "")
  if(GENOCL_EMBED_KERNELS)
    file(GLOB_RECURSE kernels CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/cl"
      "${PROJECT_SOURCE_DIR}/cl/*.cl" "${PROJECT_SOURCE_DIR}/cl/*.clh")
    list(SORT kernels)
  endif()
  list(TRANSFORM kernels PREPEND "${PROJECT_SOURCE_DIR}/cl/" OUTPUT_VARIABLE inputs)
  # The list of files is itself an input: a file removed or added must lead to a new source, though no input is newer.
  set(list "${PROJECT_BINARY_DIR}/generated/embedded_kernels.txt")
  file(CONFIGURE OUTPUT "${list}" CONTENT "${kernels}\n" @ONLY)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DKERNEL_DIR=${PROJECT_SOURCE_DIR}/cl" "-DFILES=${kernels}" "-DOUTPUT=${output}"
      -P "${GENOCL_EMBED_SCRIPT}"
    DEPENDS ${inputs} "${list}" "${GENOCL_EMBED_SCRIPT}"
    COMMENT "Embedding the kernels" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
