#!/bin/sh
# arm64.sh CMAKE ROOT WORK: compiles the core, the topics and their tests for arm64, and runs genocl-devices and the
# "tiny: ..." cases under qemu-user on Debian's PoCL for arm64.
#
# GENOCL_ARM64_ROOT is the folder that arm64_root.sh has made. GENOCL_ARM64_TESTS names the tests to build and run
# (default: "primitives pairwise marose align jacobi pwm overlap"). Skipped (77) without the folder, aarch64-linux-gnu-g++ or
# qemu-aarch64. Needs root: the linker for arm64 is mounted over /usr/bin/ld, which PoCL calls.
set -eu

cmake=$1 root=$2 work=$3
compiler=aarch64-linux-gnu-g++
for tool in $compiler qemu-aarch64 aarch64-linux-gnu-ld unshare; do
  command -v $tool >/dev/null 2>&1 || { echo "arm64: no $tool: left out"; exit 77; }
done
system=${GENOCL_ARM64_ROOT:-/opt/genocl-arm64}
library=$system/usr/lib/aarch64-linux-gnu/libOpenCL.so.1
[ -e "$library" ] || { echo "arm64: no $library: left out; tests/platforms/arm64_root.sh makes it"; exit 77; }

. "$(dirname "$0")/cross.sh"
begin_cross "$work" "$root"
tests=${GENOCL_ARM64_TESTS:-primitives pairwise marose align jacobi pwm overlap}
targets=genocl-devices
for test in $tests; do targets="$targets test-$test"; done
configure_cross Linux aarch64 $compiler "$library" "-O1 -DNDEBUG -Wno-maybe-uninitialized"
# shellcheck disable=SC2086
build_cross $targets

# PoCL calls the linker of this system, with folders of the other one.
cat >ld <<END
#!/bin/sh
exec $(command -v aarch64-linux-gnu-ld) -L$(dirname "$($compiler -print-libgcc-file-name)") \
  -L$(dirname "$(readlink -f "$($compiler -print-file-name=libgcc_s.so.1)")") "\$@"
END
chmod +x ld

# in_arm64 COMMAND...: under qemu. The mount ends with its namespace.
in_arm64() {
  libraries=
  for folder in usr/lib/aarch64-linux-gnu lib/aarch64-linux-gnu "$(cd "$system" && echo usr/lib/llvm-*/lib)"; do
    libraries=$libraries$system/$folder:
  done
  # shellcheck disable=SC2016
  OCL_ICD_VENDORS="$work/vendors" POCL_CACHE_DIR="$work/pocl" GENOCL_DEVICE=portable unshare --mount sh -c '
    mount --bind "$1" "$(readlink -f /usr/bin/ld)"
    shift
    exec "$@"' in "$work/ld" qemu-aarch64 -L "$system" -E "LD_LIBRARY_PATH=${libraries%:}" "$@"
}
mkdir -p vendors
echo "$system/usr/lib/aarch64-linux-gnu/$(cat "$system/etc/OpenCL/vendors/pocl.icd")" >vendors/pocl.icd

in_arm64 build/bin/genocl-devices --json -o devices.json
grep -q '"type": "cpu"' devices.json || { cat devices.json >&2; echo "arm64: no device" >&2; exit 1; }
for test in $tests; do
  in_arm64 build/bin/test-$test '--test-case=tiny:*' >$test.log 2>&1 ||
    { tail -n 50 $test.log >&2; echo "arm64: test-$test failed" >&2; exit 1; }
  grep -q 'test cases: *[1-9]' $test.log || { echo "arm64: test-$test has no case" >&2; exit 1; }
  tail -n 3 $test.log
done
