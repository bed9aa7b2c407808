#!/bin/sh
# check_format.sh CLANG_FORMAT ROOT: all C++ and the library's OpenCL C below ROOT are laid out as .clang-format says.
set -eu

clang_format=$1
cd "$2"
# shellcheck disable=SC2046
"$clang_format" --dry-run -Werror $(find include src examples tests docs -name '*.hpp' -o -name '*.cpp' -o -name '*.inl') \
  $(find cl -name '*.cl' -o -name '*.clh')
