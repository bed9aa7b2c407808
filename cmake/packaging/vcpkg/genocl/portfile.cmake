# An overlay port of this source: vcpkg install genocl[io] --overlay-ports=cmake/packaging/vcpkg
# A port of a release takes vcpkg_from_git or vcpkg_from_github instead of the folder above.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES tools GENOCL_BUILD_EXAMPLES)
set(io OFF)
if("io" IN_LIST FEATURES)
  set(io ON)
endif()
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${FEATURE_OPTIONS} "-DGENOCL_IO=${io}" -DGENOCL_CLUSTER=OFF -DGENOCL_BUILD_TESTS=OFF -DGENOCL_BUILD_BENCHMARKS=OFF
    -DGENOCL_UNITY=ON "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_copy_pdbs()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/genocl)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES genocl genocl-align genocl-devices genocl-jacobi genocl-marose genocl-overlap genocl-pwm AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
