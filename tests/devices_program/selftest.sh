#!/bin/sh
# --selftest passes on this device with both families and writes a report; a kernel that is wrong or does not compile fails
# its checks alone, and the status tells.
test_name=selftest
. "$(dirname "$0")/common.sh"

unset GENOCL_VARIANT || true
one=${GENOCL_DEVICE:-cpu}
tab=$(printf '\t')
expect 1 "--selftest with --tune, --measure or --warm-up" --selftest --measure

# selftest STATUS NAME: the table is NAME.tsv, the report NAME.json.
selftest() {
  got=0
  "$PROGRAM" --device "$one" --selftest --json "$2.json" -o "$2.tsv" 2>said || got=$?
  [ "$got" = "$1" ] || { cat "$2.tsv" said >&2; fail "status $got instead of $1"; }
  [ "$(head -n 1 "$2.tsv")" = "device${tab}check${tab}family${tab}result${tab}seconds${tab}error" ] || fail "no header"
}
# result NAME CHECK FAMILY: of the table.
result() { awk -F '\t' -v check="$2" -v family="$3" '$2 == check && $3 == family { print $4 }' "$1.tsv"; }

selftest 0 whole
[ "$(awk -F '\t' 'NR > 1 && $4 != "passed"' whole.tsv | wc -l)" = 0 ] || { cat whole.tsv >&2; fail "checks failed"; }
for topic in primitives pairwise align overlap marose pwm jacobi; do
  for family in cpu gpu; do
    awk -F '\t' -v topic="$topic " -v family=$family 'index($2, topic) == 1 && $3 == family { found = 1 } END { exit !found }' \
      whole.tsv || { cat whole.tsv >&2; fail "no check of $topic, $family"; }
  done
done

# A wrong number in the mean of floats, and a kernel that does not compile.
cp -R "$SOURCE/../../cl" cl
sed 's/ : 0\.2f)/ : 0.21f)/' cl/jacobi/cells.clh >changed
cmp -s changed cl/jacobi/cells.clh && fail "no kernel was changed"
mv changed cl/jacobi/cells.clh
echo '#error broken on purpose' >>cl/pairwise/edit_gpu.cl
GENOCL_KERNEL_DIR=$PWD/cl
export GENOCL_KERNEL_DIR
selftest 2 broken
unset GENOCL_KERNEL_DIR
grep -qF "3 of $(($(wc -l <broken.tsv) - 1)) checks failed" said || { cat said >&2; fail "the error does not count the failures"; }
for family in cpu gpu; do
  [ "$(result broken 'jacobi float' $family)" = FAILED ] || { cat broken.tsv >&2; fail "a wrong kernel passed, $family"; }
done
[ "$(result broken 'pairwise edit_distances' gpu)" = FAILED ] || { cat broken.tsv >&2; fail "a broken kernel passed"; }
[ "$(result broken 'pairwise edit_distances' cpu)" = passed ] || { cat broken.tsv >&2; fail "one family fails for the other"; }
grep -q "broken on purpose" broken.json || fail "the report lacks the compiler's message"
grep -q '"GENOCL_KERNEL_DIR": ' broken.json || fail "the report lacks the environment"

command -v python3 >/dev/null 2>&1 || { echo "$test_name: without python3 the reports are not read"; exit 0; }
python3 - whole broken <<'END' || fail "a report that other programs cannot read"
import json, sys
for name, failures in zip(sys.argv[1:], [0, 3]):
    report = json.load(open(name + ".json"))
    [device] = report["devices"]
    rows = [line.split("\t") for line in open(name + ".tsv")][1:]
    assert report["genocl"] and device["driver"] and device["local_memory_bytes"] > 0, report
    assert device["failures"] == failures, device["failures"]
    assert len(rows) == len(device["checks"])
    for row, check in zip(rows, device["checks"]):
        assert row[1:4] == [check["name"], check["family"], {"passed": "passed", "failed": "FAILED"}[check["result"]]]
        assert (check["error"] == "") == (check["result"] == "passed")
END
