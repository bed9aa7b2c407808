#!/bin/sh
# Too little memory, of the process (as by ulimit -v) and of the device (GENOCL_DEVICE_MEMORY): an error in one line and no file, or
# the output that is right all the same. Where PoCL itself ends the process or waits for ever (3.1 keeps a lock when it gets no
# memory for a program), that is counted: sizes from 350000 KiB on reach its compiler. HARD_SIZES: how many sizes of each kind
# are tried (1; up to 10).
test_name=memory
. "$(dirname "$0")/common.sh"

process_sizes="90000 250000 125000 45000 180000 350000 500000 700000 1000000 1500000"
device_sizes="1M 100K 4M 16M 30K 400K 2M 8M 10K 64M"
first() { echo "$1" | tr ' ' '\n' | head -n "${HARD_SIZES:-1}"; }
of_driver=0 of_compiler=350000

# With little device memory an index of marose has more segments. It is another file then, which maps to the same places, and
# qualities of some pairs may differ, since the search depth beyond the best hit depends on the segment (SearchDepth in marose/kmers.hpp).
same() {
  ! cmp -s "right/$name" try/out || return 0
  case $name in
    marose-index | marose-canonical)
      for index in "right/$name" try/out; do
        "$BIN/genocl-marose" map "$index" marose/single_40.fq -e 3 --format sam --quiet 2>/dev/null | but_qualities
      done >mapped
      [ -s mapped ] && [ "$(head -n $(($(wc -l <mapped) / 2)) mapped)" = "$(tail -n $(($(wc -l <mapped) / 2)) mapped)" ]
      ;;
    marose-map | marose-sort)
      but_qualities <"right/$name" >mapped
      but_qualities <try/out | cmp -s - mapped
      ;;
    *) return 1 ;;
  esac
}
but_qualities() { grep -v '^@' | cut -f 1-4,6-; }

chosen_runs 'pwm-scan|pwm-compare|overlap-sa|overlap-mem|align-makedb|align-search|marose-index|marose-map|marose-sort|jacobi' '.*' >list
while read -r line <&3; do
  make_right "$line"
  for size in $(first "$device_sizes"); do
    # shellcheck disable=SC2086
    WITH="GENOCL_DEVICE_MEMORY=$size" try $line
    # A device with other limits is another line of the table.
    if [ "$name" = devices ] && [ $got = 0 ]; then continue; fi
    judge "$name: $size of device memory"
  done
  for size in $(first "$process_sizes"); do
    # shellcheck disable=SC2086
    WITH="prlimit --as=$((size * 1024))" SECONDS_MOST=20 try $line
    # Of LLVM in PoCL, and of PoCL's own.
    if { [ "$got" -gt 127 ] && grep -qE 'LLVM ERROR|PTHREAD ERROR|POCL|pocl|bad_alloc' said; } || { [ "$got" = 124 ] && [ "$size" -ge $of_compiler ]; }; then
      of_driver=$((of_driver + 1))
      [ -z "$(left_behind)" ] || fault "$name: $size KiB: files left behind by the driver"
    elif [ "$got" = 127 ]; then
      continue # the loader has no memory for the program's libraries
    elif [ "$name" != devices ] || [ "$got" != 0 ]; then
      judge "$name: $size KiB"
    fi
  done
done 3<list
echo "$test_name: $of_driver times PoCL ended the process"
finish
