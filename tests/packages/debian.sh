#!/bin/sh
# debian.sh SOURCE WORK [PACKAGES]: makes the packages in WORK, unless they are in PACKAGES already, and looks whether each has what
# belongs to it, needs what it should, and pleases lintian, where there is one.
set -eu
LC_ALL=C
export LC_ALL
source=$1
work=$2
packages=${3:-}
fail() { echo "packages: $*" >&2; exit 1; }
quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }; }
mkdir -p "$work"
rm -f "$work"/*.list

if [ -z "$packages" ]; then
  rm -rf "$work/build/packages"
  cd "$source"
  quiet cmake --preset packages -B "$work/build" -DGENOCL_UNITY=ON -DGENOCL_PRECOMPILE_HEADERS=ON
  quiet cmake --build "$work/build" --parallel 2
  cd "$work/build"
  quiet cpack --config CPackConfig.cmake
  packages=$work/build/packages
fi

name=$(cd "$packages" && ls libgenocl0*.deb | sed 's/_.*//')
[ -n "$name" ] || fail "no package of the library"
for deb in "$packages"/*.deb; do
  dpkg-deb -c "$deb" | awk '{ print $6 }' >"$work/$(basename "$deb" | sed 's/_.*//').list"
done
# has PACKAGE FILE...: and no other package has them.
has() {
  package=$1
  shift
  for file in "$@"; do
    owners=$(cd "$work" && grep -lE "^\./usr/$file$" ./*.list | sed 's/^..//; s/\.list$//' || true)
    [ "$owners" = "$package" ] || fail "$file is in \"$owners\" instead of $package"
  done
}
lib='lib/[^/]*-linux-gnu[^/]*'
has "$name" "$lib/libgenocl\.so\.[0-9.]*[0-9]\.[0-9]*" "$lib/libgenocl_io\.so\.[0-9]*\.[0-9]*" share/genocl/cl/stamp 'share/genocl/cl/primitives/.*'
has libgenocl-dev include/genocl/genocl\\.hpp include/genocl/io/text_file\\.hpp include/genocl/pwm/cluster\\.hpp \
  "$lib/libgenocl\.so" "$lib/pkgconfig/genocl\.pc" \
  "$lib/cmake/genocl/genoclConfig\.cmake"
has genocl bin/genocl bin/genocl-marose share/man/man1/genocl\\.1\\.gz share/man/man1/genocl-align\\.1\\.gz \
  share/bash-completion/completions/genocl share/zsh/vendor-completions/_genocl
if [ -e "$(echo "$packages"/genocl-mpi_*.deb)" ]; then
  has genocl-mpi bin/genocl-align-mpi share/man/man1/genocl-align-mpi\\.1\\.gz
  has "$(echo "$name" | sed 's/genocl/genocl-cluster/')" "$lib/libgenocl_cluster\.so\.[0-9]*\.[0-9]*"
  has libgenocl-cluster-dev include/genocl/cluster\\.hpp
fi

# needs PACKAGE OTHER...
needs() {
  depends=$(dpkg-deb -f "$packages/$1"_*.deb Depends)
  shift
  for other in "$@"; do
    echo "$depends" | tr ',' '\n' | grep -qE "^ *$other( |$)" || fail "nothing needs $other: $depends"
  done
}
needs "$name" ocl-icd-libopencl1 'libhts[0-9].*' libc6
needs genocl "$name" libc6
needs libgenocl-dev "$name" ocl-icd-opencl-dev opencl-clhpp-headers
# Programs find the library where the system has it.
for deb in "$packages"/genocl_*.deb; do
  rm -rf "$work/unpacked"
  dpkg-deb -x "$deb" "$work/unpacked"
  ! command -v readelf >/dev/null || ! readelf -d "$work/unpacked/usr/bin/genocl-pwm" | grep -E 'R(UN)?PATH' || fail "a path in genocl-pwm"
done

if command -v lintian >/dev/null; then
  lintian --allow-root "$packages"/*.deb >"$work/lintian" 2>&1 || true
  if grep '^E:' "$work/lintian" >&2; then fail "errors by lintian"; fi
else
  echo "packages: left out lintian, which is not here"
fi
