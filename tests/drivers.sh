#!/bin/sh
# drivers.sh [--short] BUILD [DRIVER...]: runs what is built in BUILD on each driver of OpenCL that is there, and prints a table
# of drivers and topics:
#
#   sh tests/drivers.sh build                      all that are there
#   sh tests/drivers.sh --short build intel        no programs, and no sorts, which take some drivers long to compile
#
# The kernels are compiled at their first run on a driver, which takes Intel's some minutes on two busy cores. A topic is the cases
# "tiny: ..." of its room, and then its program on small files. Status: 0 where all that ran is right, 1 where something is
# not, 77 where none of the drivers is there.
#
#   pocl      PoCL, as the system has it
#   intel     Intel's runtime for CPUs: GENOCL_INTEL_OPENCL names a folder with vendors/*.icd, and venv/lib with the libraries
#             (a venv with the packages intel-opencl-rt and intel-cmplr-lib-rt; /opt/intelcl where it is not set)
#   rusticl   Mesa's, with llvmpipe as its device
#   oclgrind  the simulator as a device, with the sort and pwm left out: it is a thousand times slower. kernels/oclgrind-* are
#             the tests that look at what it says
set -eu

short=no
[ "${1:-}" != --short ] || { short=yes; shift; }
[ $# -gt 0 ] || { echo "usage: drivers.sh [--short] BUILD [DRIVER...]" >&2; exit 2; }
build=$(CDPATH='' cd -- "$1" && pwd)
shift
[ $# -gt 0 ] || set -- pocl intel rusticl oclgrind
tests=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GENOCL_KERNEL_DIR GENOCL_VARIANT || true

rooms="primitives marose align jacobi pwm overlap"
# The program's test that launches kernels of its topic on small files.
script_of() {
  case $1 in
    marose) echo files ;;
    align) echo pairs ;;
    jacobi) echo results ;;
    pwm) echo thresholds ;;
    overlap) echo queries ;;
  esac
}

# environment DRIVER COMMAND...: COMMAND with that driver's devices, and GENOCL_DEVICE the one to take.
environment() {
  driver=$1
  shift
  case $driver in
    pocl) GENOCL_DEVICE=portable "$@" ;;
    intel)
      folder=${GENOCL_INTEL_OPENCL:-/opt/intelcl}
      [ -d "$folder/vendors" ] || { echo "no folder $folder/vendors" >&2; return 1; }
      OCL_ICD_VENDORS="$folder/vendors" LD_LIBRARY_PATH="$folder/venv/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        GENOCL_DEVICE=intel "$@" ;;
    rusticl) RUSTICL_ENABLE=llvmpipe GENOCL_DEVICE=rusticl "$@" ;;
    oclgrind)
      library=/usr/lib/oclgrind/liboclgrind-rt-icd.so
      [ -e "$library" ] || { echo "no file $library" >&2; return 1; }
      mkdir -p "$work/oclgrind"
      echo "$library" >"$work/oclgrind/oclgrind.icd"
      OCL_ICD_VENDORS="$work/oclgrind" OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_LOCAL_MEM_SIZE=65536 GENOCL_CACHE=off \
        GENOCL_DEVICE=oclgrind "$@" ;;
    *) echo "drivers: no driver \"$driver\"; expected pocl, intel, rusticl or oclgrind" >&2; exit 2 ;;
  esac
}

# run_room DRIVER ROOM: a word of how it went.
run_room() {
  [ -x "$build/bin/test-$2" ] || { echo "not built"; return; }
  excluded=
  case $1-$2 in
    oclgrind-pwm) echo "left out"; return ;;
    oclgrind-primitives) excluded='--test-case-exclude=*sort*' ;;
    *-primitives) [ $short = no ] || excluded='--test-case-exclude=*sort*' ;;
  esac
  log=$work/$1-$2.log
  if ! environment "$1" "$build/bin/test-$2" '--test-case=tiny:*' ${excluded:+"$excluded"} >"$log" 2>&1; then
    echo FAIL
  elif ! grep -q 'test cases: *[1-9]' "$log"; then  # a filter that matches nothing passes
    echo "no case"
  else
    echo pass
  fi
}

# run_program DRIVER TOPIC
run_program() {
  script=$(script_of "$2")
  { [ -n "$script" ] && [ -x "$build/bin/genocl-$2" ] && [ $short = no ] && [ "$1" != oclgrind ]; } || { echo "-"; return; }
  log=$work/$1-$2-program.log
  mkdir -p "$work/$1-$2"
  if PROGRAM="$build/bin/genocl-$2" SOURCE="$tests/$2_program" WORK="$work/$1-$2" COUNT_DEVICES=false DATA='' \
    environment "$1" sh "$tests/$2_program/$script.sh" >"$log" 2>&1; then
    echo pass
  else
    echo FAIL
  fi
}

there=0
failed=0
table="driver\tdevice"
for room in $rooms; do table="$table\t$room"; done
table="$table\n"
for name in "$@"; do
  # The names of its devices say that it is there.
  if ! environment "$name" sh -c 'exec "$1" --device "$GENOCL_DEVICE"' sh "$build/bin/genocl-devices" >"$work/devices" \
    2>"$work/said"; then
    echo "$name: not there: $(tail -n 1 "$work/said" | cut -c 1-200)"
    table="$table$name\tnot there\n"
    continue
  fi
  there=$((there + 1))
  row="$name\t$(sed -n 2p "$work/devices" | cut -f 4,5 | tr '\t' ',')"
  for room in $rooms; do
    of_room=$(run_room "$name" "$room")
    of_program=$(run_program "$name" "$room")
    for part in "room:$of_room:$work/$name-$room.log" "program:$of_program:$work/$name-$room-program.log"; do
      case $part in
        *:FAIL:*)
          failed=1
          echo "$name $room, ${part%%:*}:"
          tail -n 40 "${part##*:}" ;;
        *:"no case":*) failed=1 ;;
      esac
    done
    [ "$of_program" = - ] || of_room="$of_room, program $of_program"
    row="$row\t$of_room"
    echo "$name $room: $of_room"
  done
  table="$table$row\n"
done
printf '%b' "$table"
[ $there -gt 0 ] || exit 77
exit $failed
