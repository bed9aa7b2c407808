#!/bin/sh
# check.sh FOLDER: on a bare Debian or Ubuntu, as root, installs the packages of FOLDER with apt, does quickstart's work with what is
# installed, builds a program with the development files by pkg-config and by CMake, and takes everything away again. The
# packages for MPI are looked at by `genocl-pwm-mpi --version` alone, where the system has the MPI that they were built with.
set -eu
LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
export LC_ALL DEBIAN_FRONTEND
packages=$(CDPATH='' cd -- "$1" && pwd)
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "packages: $*" >&2; exit 1; }
quiet() { "$@" >"$work/log" 2>&1 </dev/null || { tail -n 30 "$work/log" >&2; fail "failed: $*"; }; }

quiet apt-get -q update
quiet apt-get -qy --no-install-recommends install "$packages"/libgenocl0*.deb "$packages"/genocl_*.deb pocl-opencl-icd
cd "$work"
genocl --version
genocl devices
# The phage and the reads of quickstart.
quiet apt-get -q download bowtie2-examples
quiet dpkg-deb -x bowtie2-examples_*.deb .
data=usr/share/doc/bowtie2/examples
genocl index $data/reference/lambda_virus.fa.gz -o lambda.mrs
genocl map lambda.mrs $data/reads/reads_1.fq.gz $data/reads/reads_2.fq.gz -e 5% -o reads.sam
[ "$(grep -vc '^@' reads.sam)" -ge 20000 ] || fail "the mapping of quickstart's reads"
[ -e /usr/share/man/man1/genocl-marose.1.gz ] || [ -e /etc/dpkg/dpkg.cfg.d/docker ] || fail "no manual page"
[ -e /usr/share/bash-completion/completions/genocl ] || fail "no completions"

quiet apt-get -qy --no-install-recommends install "$packages"/libgenocl-dev*.deb g++ cmake make pkg-config
quiet g++ "$(pkg-config --variable=cxxflags genocl)" "$root/examples/cookbook/read_fasta.cpp" -o read_fasta $(pkg-config --cflags --libs genocl genocl-io)
quiet ./read_fasta
mkdir project
cp "$root/examples/cookbook/sort_pairs.cpp" project/
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES CXX)
find_package(genocl 0.2 REQUIRED COMPONENTS io)
add_executable(user sort_pairs.cpp)
target_link_libraries(user PRIVATE genocl::genocl genocl::io)
END
quiet cmake -S project -B project/build
quiet cmake --build project/build
quiet project/build/user

if [ -e "$(echo "$packages"/genocl-mpi*.deb)" ]; then
  # Debian 13 has another MPI than the systems whose packages the others are.
  if apt-get -qs --no-install-recommends install "$packages"/*.deb >"$work/log" 2>&1; then
    quiet apt-get -qy --no-install-recommends install "$packages"/*.deb
    genocl-pwm-mpi --version
  else
    grep -q 'libgenocl-cluster.* Depends: .*mpi' "$work/log" || { cat "$work/log" >&2; fail "the packages for MPI"; }
    echo "packages: those for MPI want one that this system does not have, and are to be built here"
  fi
fi
quiet apt-get -qy purge genocl 'libgenocl*'
left=$(find /usr -name '*genocl*' -not -path "$root/*" | head -n 3)
[ -z "$left" ] || fail "left behind: $left"
echo "packages: installed, used and taken away"
