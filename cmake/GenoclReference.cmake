# The target `reference`: HTML of the headers' comments and of docs/, by Doxygen; a warning is an error.
find_program(GENOCL_DOXYGEN NAMES doxygen)
mark_as_advanced(GENOCL_DOXYGEN)
if(GENOCL_DOXYGEN AND EXISTS "${PROJECT_SOURCE_DIR}/docs/reference/Doxyfile.in")
  configure_file("${PROJECT_SOURCE_DIR}/docs/reference/Doxyfile.in" "${PROJECT_BINARY_DIR}/package/Doxyfile" @ONLY)
  add_custom_target(reference COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/reference"
    COMMAND "${GENOCL_DOXYGEN}" "${PROJECT_BINARY_DIR}/package/Doxyfile" COMMENT "Making build/reference/html/index.html" VERBATIM)
endif()
