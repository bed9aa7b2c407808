#!/bin/sh
# check.sh COMPILER INCLUDE CLHPP_INCLUDE [MPI_INCLUDE...]: every .hpp below INCLUDE compiles alone and twice in a row, without
# warnings (those of genocl::cluster only where MPI is given); and all of them together with a caller's own settings of CLHPP.
set -eu

compiler=$1
include=$2
clhpp=$3
shift 3
mpi=""
for folder in "$@"; do mpi="$mpi -isystem $folder"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() {
  # shellcheck disable=SC2086
  "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "-I$include" "-I$clhpp" \
    $mpi -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX "$@"
}

checked=0
failed=0
for header in $(cd "$include" && find genocl -name '*.hpp' | sort); do
  case $header in genocl/cluster*) [ -n "$mpi" ] || continue ;; esac
  printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$work/alone.cpp"
  printf '#include "%s"\n' "$header" >>"$work/all.cpp"
  compile -MD -MF "$work/alone.d" "$work/alone.cpp" || { echo "$header does not compile alone"; failed=1; }
  # CLHPP is most of what compiling a small program costs: only who asks for it has it.
  if [ "$header" != genocl/opencl.hpp ] && grep -q 'CL/opencl\.hpp\|CL/cl\.h' "$work/alone.d"; then
    echo "$header includes OpenCL's headers"; failed=1
  fi
  checked=$((checked + 1))
done
compile -DCL_HPP_ENABLE_EXCEPTIONS -DCL_HPP_TARGET_OPENCL_VERSION=300 -DCL_HPP_MINIMUM_OPENCL_VERSION=200 \
  "$work/all.cpp" || { echo "the headers do not compile with a caller's settings of CLHPP"; failed=1; }
# What is wrong in a caller's code is said in words.
for array in Array HostArray; do
  printf '#include "genocl/array.hpp"\n#include <string>\nstd::size_t x = sizeof(genocl::%s<std::string>);\n' "$array" \
    >"$work/wrong.cpp"
  if compile "$work/wrong.cpp" 2>"$work/log"; then
    echo "$array<std::string> compiles"; failed=1
  elif ! grep -q 'holds elements of a trivially copyable type' "$work/log"; then
    echo "$array<std::string> fails without a word why:"; cat "$work/log"; failed=1
  fi
done
echo "$checked headers"
[ "$checked" -gt 0 ] && [ "$failed" -eq 0 ]
