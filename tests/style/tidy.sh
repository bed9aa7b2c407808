#!/bin/sh
# tidy.sh CLANG_TIDY COMPILER ROOT FOLDER...: every .cpp below the folders of ROOT passes .clang-tidy, compiled as COMPILER's
# build has it.
set -eu

clang_tidy=$1
compiler=$2
cd "$3"
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A configuration of its own has the commands of single files, and no precompiled header, which clang could not read.
cmake -S . -B "$work/build" "-DCMAKE_CXX_COMPILER=$compiler" -DGENOCL_BUILD_TESTS=OFF -DGENOCL_BUILD_BENCHMARKS=OFF \
  >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# What clang does not know: a warning of the compiler's own.
sed 's/-Wno-restrict//' "$work/build/compile_commands.json" >"$work/compile_commands.json"
# It cannot read what another system compiles.
files=$(find "$@" -name '*.cpp' ! -name platform_windows.cpp | sort)
[ -n "$files" ] || { echo "no files in $*"; exit 1; }
echo "$files" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" "$clang_tidy" -p "$work" --quiet
