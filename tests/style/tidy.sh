#!/bin/sh
# tidy.sh CLANG_TIDY BUILD ROOT FOLDER...: every .cpp below the folders of ROOT passes .clang-tidy. BUILD has the compile
# commands.
set -eu

clang_tidy=$1
build=$2
cd "$3"
shift 3
# What the compiler of the build was told and clang does not know: a header that it precompiled, a warning of its own. What
# ThreadSanitizer's build compiles once more is looked at once.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^[][]/ { print; next } /^{/ { block = ""; skip = 0 } /-fsanitize=thread/ { skip = 1 }
  /^}/ { if (!skip) { print separator block "}"; separator = "," } next } { block = block $0 "\n" }' \
  "$build/compile_commands.json" |
  sed 's/-Winvalid-pch//; s/-include [^ ]*cmake_pch\.hxx//; s/-Wno-restrict//; s/-Wno-stringop[a-z-]*//g' >"$work/compile_commands.json"
files=$(find "$@" -name '*.cpp' | sort)
[ -n "$files" ] || { echo "no files in $*"; exit 1; }
echo "$files" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" "$clang_tidy" -p "$work" --quiet
