#!/bin/sh
# check.sh COMPILER INCLUDE CLHPP_INCLUDE: every .hpp below INCLUDE compiles alone and twice in a row, without warnings, with
# genocl's defaults and with a caller's own settings of CLHPP.
set -eu

compiler=$1
include=$2
clhpp=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

checked=0
failed=0
for header in $(cd "$include" && find . -name '*.hpp' | sort); do
  printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$work/alone.cpp"
  for settings in "" "-DCL_HPP_ENABLE_EXCEPTIONS -DCL_HPP_TARGET_OPENCL_VERSION=300 -DCL_HPP_MINIMUM_OPENCL_VERSION=200"; do
    # shellcheck disable=SC2086
    "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror $settings \
      "-I$include" "-I$clhpp" "$work/alone.cpp" || { echo "$header does not compile alone: $compiler $settings"; failed=1; }
  done
  checked=$((checked + 1))
done
echo "$checked headers"
[ "$checked" -gt 0 ] && [ "$failed" -eq 0 ]
