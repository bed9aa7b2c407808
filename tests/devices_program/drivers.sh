#!/bin/sh
# Where no device is found, what loader and drivers say is told.
test_name=drivers
. "$(dirname "$0")/common.sh"

mkdir none broken
expect_without() {
  folder=$1 text=$2
  got=0
  OCL_ICD_VENDORS="$work/$folder" "$PROGRAM" >out 2>said || got=$?
  [ "$got" = 2 ] || { cat said >&2; fail "status $got instead of 2 with $folder"; }
  [ "$(wc -l <said)" = 1 ] || { cat said >&2; fail "more than one line with $folder"; }
  grep -qF -- "$text" said || { cat said >&2; fail "does not say \"$text\" with $folder"; }
}
expect_without none "no OpenCL driver is registered in $work/none; for the CPU install PoCL"
echo libgenocl-none.so >broken/x.icd
expect_without broken "x.icd: libgenocl-none.so: cannot open shared object file"
printf 'no library' >broken/text.so
echo "$work/broken/text.so" >broken/x.icd
expect_without broken "x.icd: $work/broken/text.so: "
: >broken/x.icd
expect_without broken "x.icd: names no library"
grep -q 'install PoCL' said && fail "PoCL is to be installed where a driver is registered"

# Beside one that works it is told of where a device is not found.
vendors=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
if [ -d "$vendors" ]; then
  mkdir both
  cp "$vendors"/*.icd both/
  echo libgenocl-none.so >both/x.icd
  got=0
  OCL_ICD_VENDORS="$work/both" "$PROGRAM" --device no-such-device >out 2>said || got=$?
  [ "$got" = 1 ] && grep -qF "registered and not usable: x.icd: libgenocl-none.so" said || { cat said >&2; fail "a driver that cannot be loaded"; }
fi
