#!/bin/sh
# Installs what genocl needs and this machine lacks.
#   sh cmake/setup.sh run     to build and run the programs
#   sh cmake/setup.sh test    to build and run the tests too
#   sh cmake/setup.sh pocl    PoCL, OpenCL on the CPU, whatever other OpenCL platform there is
# With apt (Debian, Ubuntu; as root, or with a sudo that asks nothing) it installs; elsewhere it prints what is missing and
# ends with status 1. Nothing missing: it changes nothing and needs no network.
set -eu

set_name=${1:-run}
case $set_name in
  run | test | pocl) ;;
  *) echo "usage: setup.sh run|test|pocl" >&2; exit 2 ;;
esac

missing=""   # without these nothing works
wanted=""    # without these a part is left out
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Probes ask for the thing itself, not for the package: it may have come another way.
has_command() { command -v "$1" >/dev/null 2>&1; }
has_header() { has_command c++ && printf '#include <%s>\n' "$1" | c++ -std=c++20 -fsyntax-only -x c++ - >/dev/null 2>&1; }
has_library() { has_command c++ && echo 'int main() {}' | c++ -x c++ - "-l$1" -o "$work/probe" >/dev/null 2>&1; }
has_python_module() {
  for python in python3 /usr/bin/python3; do has_command $python && $python -c "import $1" 2>/dev/null && return 0; done
  return 1
}
has_mpi() { has_command mpicxx || has_command mpic++; }
has_module() { has_command pkg-config && pkg-config --exists "$1"; }
has_fuzzer() {
  has_command clang++ &&
    echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o "$work/probe" >/dev/null 2>&1
}
has_platform() {
  [ -n "${OCL_ICD_VENDORS:-}${OCL_ICD_FILENAMES:-}${OPENCL_VENDOR_PATH:-}" ] && return 0
  for icd in /etc/OpenCL/vendors/*.icd; do [ -e "$icd" ] && return 0; done
  return 1
}
has_pocl() { grep -qs pocl /etc/OpenCL/vendors/*.icd; }

# need|want PACKAGE PROBE...: the package is Debian's and Ubuntu's.
need() { package=$1; shift; "$@" || missing="$missing $package"; }
want() { package=$1; shift; "$@" || wanted="$wanted $package"; }

if [ "$set_name" = pocl ]; then
  need pocl-opencl-icd has_pocl
else
  need g++ has_command c++
  need cmake has_command cmake
  has_command ninja || need make has_command make
  need pkg-config has_command pkg-config
  need ocl-icd-opencl-dev has_library OpenCL
  need opencl-headers has_header CL/cl.h
  need opencl-clhpp-headers has_header CL/opencl.hpp
  need libxxhash-dev has_header xxhash.h
  need libcli11-dev has_header CLI/CLI.hpp
  want zlib1g-dev has_module zlib
  want libhts-dev has_module htslib
  want libpng-dev has_module libpng
fi
case $set_name in
  run)
    need pocl-opencl-icd has_platform ;;
  test)
    need pocl-opencl-icd has_pocl
    need doctest-dev has_header doctest/doctest.h
    want libopenmpi-dev has_mpi
    want openmpi-bin has_command mpirun
    want libbenchmark-dev has_header benchmark/benchmark.h
    want samtools has_command samtools
    want python3-biopython has_python_module Bio
    want oclgrind has_command oclgrind
    want ccache has_command ccache
    want clang-tidy has_command clang-tidy
    want clang has_command clang++
    want libclang-rt-dev has_fuzzer
    want clang-format has_command clang-format ;;
esac
[ -n "$missing$wanted" ] || exit 0

if ! has_command apt-get; then
  echo "genocl: missing here, by the names that Debian and Ubuntu have for it:$missing$wanted" >&2
  echo "genocl: install these with your system's package manager, then run this again" >&2
  exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif has_command sudo && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  echo "genocl: run this as root, then try again: apt-get install$missing$wanted" >&2
  # What is only wanted is left out instead.
  [ -z "$missing" ] || exit 1
  exit 0
fi
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@"; }
install() { apt install -y --no-install-recommends "$@" </dev/null >"$work/log" 2>&1; }
# Of the clang on this machine, or of the one that apt would install.
clang_version() {
  if has_command clang++; then
    clang++ -dumpversion | cut -d. -f1
  else
    apt-cache depends clang | sed -n 's/.*Depends: clang-\([0-9][0-9]*\)$/\1/p' | head -n 1
  fi
}
in_archive() { [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]; }

known=yes
for package in $missing $wanted; do in_archive "$package" || known=no; done
# An old list names versions that the archive no longer has, so what is needed is always looked up anew.
if [ -n "$missing" ] || [ $known = no ]; then
  apt update >"$work/log" 2>&1 || { echo "genocl: apt-get update failed; going on with the lists as they are:" >&2; tail -n 3 "$work/log" >&2; }
fi

if [ -n "$missing" ]; then
  echo "genocl: installing$missing"
  # shellcheck disable=SC2086
  install $missing || { cat "$work/log" >&2; echo "genocl: could not install$missing" >&2; exit 1; }
fi
# All at once, since each call of apt adds seconds. One by one if that fails, since each may be left out.
with_names=""
for package in $wanted; do
  # Where no package follows the default clang, there is one for each version.
  if [ "$package" = libclang-rt-dev ] && ! in_archive "$package"; then package=libclang-rt-$(clang_version)-dev; fi
  if in_archive "$package"; then
    with_names="$with_names $package"
  else
    echo "genocl: going on without $package, which apt does not know"
  fi
done
# shellcheck disable=SC2086
if [ -n "$with_names" ] && install $with_names; then
  echo "genocl: installed$with_names"
else
  for package in $with_names; do
    if install "$package"; then
      echo "genocl: installed $package"
    else
      echo "genocl: going on without $package, which could not be installed"
    fi
  done
fi
