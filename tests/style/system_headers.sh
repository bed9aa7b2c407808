#!/bin/sh
# system_headers.sh ROOT: the core and the topics call the operating system in src/runtime/platform_*.cpp only, so that
# another system needs one more file. genocl::io and genocl::cluster have calls of their own.
set -eu
LC_ALL=C
export LC_ALL
cd "$1"

# Every header of the system that a compiler finds, by its folder or its name.
headers='sys/[a-z_]*|linux/[a-z_]*|mach[-a-z/]*|unistd|fcntl|dlfcn|link|poll|pthread|sched|pwd|dirent|malloc|spawn|signal|io|process|windows|share'
found=$(find include src -name '*.hpp' -o -name '*.cpp' | sort | grep -v '^src/io/\|^src/cluster/\|^src/runtime/platform_' |
  xargs grep -nE "^ *# *include *<($headers)\.h>" || true)
[ -z "$found" ] || { echo "$found" >&2; echo "system_headers: belongs in src/runtime/platform_*.cpp" >&2; exit 1; }
# The pattern finds what it is for.
for header in unistd sys/mman; do
  grep -qE "^ *# *include *<($headers)\.h>" src/runtime/platform_posix.cpp && grep -q "<$header\.h>" src/runtime/platform_posix.cpp ||
    { echo "system_headers: does not find <$header.h>" >&2; exit 1; }
done
