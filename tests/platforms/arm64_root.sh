#!/bin/sh
# arm64_root.sh FOLDER: unpacks Debian's PoCL, OpenCL loader and C++ runtime for arm64, with all their dependencies,
# into FOLDER (480 MB). This system stays as it is. Needs apt and an archive with packages for arm64.
set -eu

[ $# = 1 ] || { echo "usage: arm64_root.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
root=$(CDPATH='' cd -- "$1" && pwd)
apt=$root/.apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
: >"$apt/status"
set -- -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State::Lists=$apt/lists" \
  -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" -o "Dir::Cache::Archives=$apt/archives" \
  -o APT::Sandbox::User=root -o APT::Install-Recommends=false
apt-get "$@" update
apt-get "$@" install --yes --download-only ocl-icd-libopencl1 pocl-opencl-icd libstdc++6
for package in "$apt"/archives/*.deb; do dpkg-deb --extract "$package" "$root"; done
rm -rf "$apt"
