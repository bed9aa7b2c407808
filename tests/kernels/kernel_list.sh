#!/bin/sh
# kernel_list.sh CL: prints a line `file kernel` for each kernel in the folder CL, sorted. A kernel is declared by __kernel or by
# a macro whose name ends in KERNEL.
set -eu

cd "$1"
find . -name '*.cl' | sed 's|^\./||' | sort | while read -r file; do
  # Without comments and macros, on one line.
  sed -e 's|//.*||' "$file" | awk '/^ *#/ { skip = 1 } !skip { print } { if ($0 !~ /\\$/) skip = 0 }' | tr '\n' ' ' |
    grep -oE '(__kernel|[A-Z_]*KERNEL)[^;{}]* void +[A-Za-z_0-9]+ *\(' | sed 's/.* void  *\([A-Za-z_0-9]*\) *($/\1/' |
    while read -r kernel; do echo "$file $kernel"; done
done | sort -u
