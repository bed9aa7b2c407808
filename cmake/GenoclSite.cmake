# The target `reference`: HTML of the headers' comments, by Doxygen. The target `site`: docs/ with that reference, by MkDocs. A
# warning of either is an error.
find_program(GENOCL_DOXYGEN NAMES doxygen)
find_program(GENOCL_MKDOCS NAMES mkdocs)
find_program(GENOCL_PYTHON NAMES python3)
mark_as_advanced(GENOCL_DOXYGEN GENOCL_MKDOCS GENOCL_PYTHON)
if(GENOCL_DOXYGEN AND EXISTS "${PROJECT_SOURCE_DIR}/docs/site/Doxyfile.in")
  configure_file("${PROJECT_SOURCE_DIR}/docs/site/Doxyfile.in" "${PROJECT_BINARY_DIR}/package/Doxyfile" @ONLY)
  add_custom_target(reference COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/reference"
    COMMAND "${GENOCL_DOXYGEN}" "${PROJECT_BINARY_DIR}/package/Doxyfile" COMMENT "Making build/reference/html/index.html" VERBATIM)
  if(GENOCL_MKDOCS AND GENOCL_PYTHON)
    add_custom_target(site COMMAND "${GENOCL_PYTHON}" "${PROJECT_SOURCE_DIR}/docs/site/make_site.py" "${PROJECT_SOURCE_DIR}"
      "${PROJECT_BINARY_DIR}" COMMENT "Making build/site/index.html" VERBATIM)
    add_dependencies(site reference)
  endif()
endif()
