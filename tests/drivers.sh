#!/bin/sh
# drivers.sh [--short|--programs] BUILD [DRIVER...]: runs what is built in BUILD on each driver of OpenCL that is there, and
# prints a table of drivers and topics:
#
#   sh tests/drivers.sh build                      all that are there
#   sh tests/drivers.sh --short build intel        no programs, and no sorts, which take some drivers long to compile
#   sh tests/drivers.sh --programs build oclgrind  the programs alone
#
# The kernels are compiled at their first run on a driver, which takes Intel's some minutes on two busy cores. A topic is the cases
# "tiny: ..." of its module, then its program on small files, and on a few letters (drivers/small.sh), of which what it writes has
# to be the same bytes as PoCL's where the system has that. Status: 0 where all that ran is right, 1 where something is not, 77
# where none of the drivers is there.
#
#   pocl      PoCL, as the system has it
#   intel     Intel's runtime for CPUs: GENOCL_INTEL_OPENCL names a folder with vendors/*.icd, and venv/lib with the libraries
#             (a venv with the packages intel-opencl-rt and intel-cmplr-lib-rt; /opt/intelcl where it is not set)
#             The file of the folder holds one line, the path of venv/lib/libintelocl.so: that of the package names a place of
#             the machine that built it.
#   rusticl   Mesa's, with llvmpipe as its device
#   oclgrind  the simulator as a device: the programs on a few letters, and the cases except the sort and pwm, since it is a
#             thousand times slower. kernels/oclgrind-* are the tests that look at what it says
#   pocl-there, rusticl-there    those of another system, in the folder that GENOCL_OTHER_SYSTEM names: Debian 13, say, with
#             ocl-icd-libopencl1, pocl-opencl-icd, mesa-opencl-icd and libhts3t64 (README.md says how it is made). What is in
#             BUILD runs there as it is. Wants root
#
# GENOCL_DRIVERS_MODULES names the modules, all of them by default.
set -eu

short=no
programs_alone=no
case ${1:-} in
  --short) short=yes; shift ;;
  --programs) programs_alone=yes; shift ;;
esac
[ $# -gt 0 ] || { echo "usage: drivers.sh [--short|--programs] BUILD [DRIVER...]" >&2; exit 2; }
build=$(CDPATH='' cd -- "$1" && pwd)
shift
[ $# -gt 0 ] || set -- pocl intel rusticl oclgrind pocl-there rusticl-there
tests=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GENOCL_KERNEL_DIR GENOCL_VARIANT || true

modules=${GENOCL_DRIVERS_MODULES:-"primitives pairwise marose align jacobi pwm overlap"}
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

# in_other_system COMMAND...: there, with this project, the build and the work folder at their places. The mounts live in a
# namespace of their own and go with it.
in_other_system() {
  [ -d "${GENOCL_OTHER_SYSTEM:-}/usr" ] || { echo "GENOCL_OTHER_SYSTEM names no folder with a system" >&2; return 1; }
  # shellcheck disable=SC2016
  unshare --mount --propagation private sh -c '
    root=$1
    shift
    while [ "$1" != -- ]; do
      mkdir -p "$root$1"
      mount --rbind "$1" "$root$1"
      shift
    done
    shift
    HOME=/root exec chroot "$root" "$@"' in "$GENOCL_OTHER_SYSTEM" /proc /dev /sys "$(dirname "$tests")" "$build" "$work" -- "$@"
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
    pocl-there) GENOCL_DEVICE=portable in_other_system "$@" ;;
    rusticl-there) RUSTICL_ENABLE=llvmpipe GENOCL_DEVICE=rusticl in_other_system "$@" ;;
    *)
      echo "drivers: no driver \"$driver\"; expected pocl, intel, rusticl, oclgrind, pocl-there or rusticl-there" >&2
      exit 2 ;;
  esac
}

# run_module DRIVER MODULE: a word of how it went.
run_module() {
  [ $programs_alone = no ] || { echo "-"; return; }
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

# small_result DRIVER TOPIC: the file with what the program writes of a few letters.
small_result() {
  mkdir -p "$work/small/$1-$2"
  BIN="$build/bin" WORK="$work/small/$1-$2" environment "$1" sh "$tests/drivers/small.sh" "$2" \
    >"$work/$1-$2-small.log" 2>&1 || return 1
  echo "$work/small/$1-$2/result"
}

# run_small DRIVER TOPIC
run_small() {
  { [ -n "$(script_of "$2")" ] && [ -x "$build/bin/genocl-$2" ] && [ $short = no ]; } || { echo "-"; return; }
  result=$(small_result "$1" "$2") || { echo FAIL; return; }
  { [ "$1" != pocl ] && [ -e "$work/small/pocl-$2/result" ]; } || { echo "runs"; return; }
  if cmp "$work/small/pocl-$2/result" "$result" >"$work/$1-$2-small.log" 2>&1; then echo "same bytes"; else echo FAIL; fi
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
  elif grep -q 'error: double on .*, which has single precision only' "$log"; then
    echo "wants double"
  else
    echo FAIL
  fi
}

there=0
failed=0
table="driver\tdevice"
for module in $modules; do table="$table\t$module"; done
table="$table\n"
# shellcheck disable=SC2016
if [ $short = no ] && environment pocl sh -c 'exec "$1" --device "$GENOCL_DEVICE"' sh "$build/bin/genocl-devices" \
  >/dev/null 2>&1; then
  for module in $modules; do
    [ -z "$(script_of "$module")" ] || [ ! -x "$build/bin/genocl-$module" ] || small_result pocl "$module" >/dev/null || true
  done
fi
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
  for module in $modules; do
    of_module=$(run_module "$name" "$module")
    of_program=$(run_program "$name" "$module")
    of_small=$(run_small "$name" "$module")
    for part in "module:$of_module:$work/$name-$module.log" "program:$of_program:$work/$name-$module-program.log" \
      "a few letters:$of_small:$work/$name-$module-small.log"; do
      case $part in
        *:FAIL:*)
          failed=1
          echo "$name $module, ${part%%:*}:"
          tail -n 40 "${part##*:}" ;;
        *:"no case":*) failed=1 ;;
      esac
    done
    [ "$of_program" = - ] || of_module="$of_module, program $of_program"
    [ "$of_small" = - ] || of_module="$of_module, $of_small"
    row="$row\t$of_module"
    echo "$name $module: $of_module"
  done
  table="$table$row\n"
done
printf '%b' "$table"
[ $there -gt 0 ] || exit 77
exit $failed
