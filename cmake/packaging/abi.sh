#!/bin/sh
# The binary interface of the shared libraries, by libabigail's abidw and abidiff (Debian, Ubuntu: abigail-tools).
#   sh cmake/packaging/abi.sh compare FOLDER    builds the libraries in FOLDER, with debugging information, and compares them with
#                                               the newest of cmake/packaging/abi whose shared library has the same name
#   sh cmake/packaging/abi.sh record FOLDER     does the same, and writes cmake/packaging/abi/VERSION/*.abi.xz: for each release, once
# Status 1: what was built with the older one does not run with this one.
set -eu

case $# in
  2) ;;
  *) echo "usage: abi.sh compare|record FOLDER" >&2; exit 2 ;;
esac
action=$1
build=$2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
kept=$root/cmake/packaging/abi
mkdir -p "$build"
log=$build/log
quiet() { "$@" >"$log" 2>&1 || { cat "$log" >&2; echo "abi: failed: $*" >&2; exit 1; }; }

# The types and names do not depend on optimisation.
quiet cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-g -O0" -DBUILD_SHARED_LIBS=ON -DGENOCL_BUILD_TESTS=OFF \
  -DGENOCL_BUILD_EXAMPLES=OFF -DGENOCL_BUILD_BENCHMARKS=OFF -DGENOCL_UNITY=ON -DGENOCL_PRECOMPILE_HEADERS=ON
quiet cmake --build "$build" --parallel 2
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=${version%.*}

for library in "$build"/lib/libgenocl*.so; do
  file=$(basename "$library" .so).abi
  quiet abidw --headers-dir "$root/include" --drop-private-types --no-show-locs --no-corpus-path --out-file "$build/$file" "$library"
  grep -q "soname='$(basename "$library").$name'" "$build/$file" || { echo "abi: $library is not named after version $name" >&2; exit 1; }
  # The comparison sees what is missing.
  grep -v "elf-symbol name='_ZN6genocl.*func-type" "$build/$file" >"$build/less.abi"
  if abidiff "$build/$file" "$build/less.abi" >/dev/null 2>&1; then
    echo "abi: abidiff does not see that functions are missing" >&2
    exit 1
  fi
  quiet abidiff "$build/$file" "$build/$file"
  before=$(ls -d "$kept/$name".*/"$file.xz" 2>/dev/null | sort -V | tail -n 1)
  if [ -z "$before" ]; then
    echo "abi: $file: no release $name.* to compare with"
  else
    # 4: something has changed; 8: what was built before does not run with it.
    status=0
    xz -dc "$before" >"$build/before.abi"
    abidiff --no-show-locs "$build/before.abi" "$build/$file" >"$build/changes" 2>&1 || status=$?
    if [ $((status & 11)) -ne 0 ]; then
      cat "$build/changes" >&2
      echo "abi: $file differs from that of $(basename "$(dirname "$before")"): raise the version's second number" >&2
      exit 1
    fi
    echo "abi: $file: as $(basename "$(dirname "$before")"), or with additions alone"
  fi
  if [ "$action" = record ]; then
    mkdir -p "$kept/$version"
    # Text of megabytes, a twentieth as much in the end.
    xz -6 -c "$build/$file" >"$kept/$version/$file.xz"
    echo "abi: written: cmake/packaging/abi/$version/$file.xz"
  fi
done
