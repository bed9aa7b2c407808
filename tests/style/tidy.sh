#!/bin/sh
# tidy.sh CLANG_TIDY BUILD ROOT FOLDER...: every .cpp below the folders of ROOT passes .clang-tidy. BUILD has the compile
# commands.
set -eu

clang_tidy=$1
build=$2
cd "$3"
shift 3
files=$(find "$@" -name '*.cpp' | sort)
[ -n "$files" ] || { echo "no files in $*"; exit 1; }
echo "$files" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" "$clang_tidy" -p "$build" --quiet
