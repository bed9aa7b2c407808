#!/bin/sh
# left_out.sh CMAKE SOURCE FOLDER: without htslib, zlib and MPI genocl is configured all the same, says what it leaves out, and has no
# target that needs them. (FindMPI makes its target where it finds no MPI.)
set -eu
cmake=$1 source=$2 folder=$3
fail() { echo "left out: $*" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
# Neither pkg-config nor a compiler that knows of MPI finds anything, and nothing is guessed.
PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR="$folder" "$cmake" -S "$source" -B "$folder/build" -G 'Unix Makefiles' -DGENOCL_BUILD_TESTS=OFF \
  -DMPI_SKIP_COMPILER_WRAPPER=ON -DMPI_SKIP_GUESSING=ON >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "not configured"; }
for part in 'htslib or zlib not found: leaving out genocl::io' 'MPI not found: leaving out genocl::cluster' 'leaving out genocl-pwm'; do
  grep -qF -- "-- genocl: $part" "$folder/log" || { grep -- '-- genocl' "$folder/log" >&2; fail "nothing was said of: $part"; }
done
if "$cmake" --build "$folder/build" --target help | grep -E 'genocl_(io|cluster)|mpi'; then fail "these need what is not there"; fi
