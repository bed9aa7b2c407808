#!/bin/sh
# windows.sh CMAKE ROOT WORK: compiles the core and the topics for Windows with MinGW, and links a program of each topic
# with them. No program runs. Skipped (77) without x86_64-w64-mingw32-g++-posix (Debian: g++-mingw-w64-x86-64-posix).
set -eu

cmake=$1 root=$2 work=$3
compiler=x86_64-w64-mingw32-g++-posix
dlltool=x86_64-w64-mingw32-dlltool
for tool in $compiler $dlltool; do
  command -v $tool >/dev/null 2>&1 || { echo "windows: no $tool: left out"; exit 77; }
done
loader=$(c++ -print-file-name=libOpenCL.so)
[ -e "$loader" ] || { echo "windows: no libOpenCL.so, whose functions the import library lists: left out"; exit 77; }

. "$(dirname "$0")/cross.sh"
begin_cross "$work" "$root"

# The DLL of the loader has the functions that the loader of this system has.
{
  echo "LIBRARY OpenCL.dll"
  echo EXPORTS
  nm -D --defined-only "$loader" | sed -n 's/^[0-9a-f]* T \(cl[A-Z][A-Za-z]*\)\(@.*\)\{0,1\}$/  \1/p' | sort -u
} >OpenCL.def
functions=$(wc -l <OpenCL.def)
[ "$functions" -gt 90 ] || { echo "windows: the loader has $functions functions: too few" >&2; exit 1; }
$dlltool -d OpenCL.def -l libOpenCL.dll.a

# Optimised, since binutils 2.40 takes time in the square of an object file's sections; static for the same reason.
# With -O1 g++ 12 takes an empty std::optional for one that was never set.
configure_cross Windows x86_64 $compiler "$work/libOpenCL.dll.a" "-O1 -DNDEBUG -Wno-maybe-uninitialized" \
  -DBUILD_SHARED_LIBS=OFF -DGENOCL_BUILD_TESTS=OFF -DGENOCL_BUILD_EXAMPLES=OFF
build_cross genocl

# One program for each topic.
for program in sort_pairs suffix_array align_pair search_database map_reads motif_hits heat; do
  $compiler -std=c++20 -O1 -DGENOCL_STATIC -Iinclude "-I$root/include" "$root/examples/cookbook/$program.cpp" \
    -o $program.exe build/lib/libgenocl.a libOpenCL.dll.a
  x86_64-w64-mingw32-objdump -p $program.exe | grep -q 'DLL Name: OpenCL\.dll' ||
    { echo "windows: $program.exe does not load OpenCL.dll" >&2; exit 1; }
done
