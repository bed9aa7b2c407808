#!/bin/sh
# Plots and logos: well-formed, with everything in them.
test_name=pictures
. "$(dirname "$0")/common.sh"

quietly distribution motifs.jaspar --svg tail.svg -o tail.tsv
head -n 1 tail.tsv | grep -q '^motif_id	score	p_low	p_high$' || fail "header"
body tail.tsv | awk -F'\t' '$3 > $4 || $4 > 1.000001 || $3 < 0 { print; exit 1 }
  $1 == last && ($2 <= score || $3 > low + 1e-12 || $4 > high + 1e-12) { print; exit 1 } { last = $1; score = $2; low = $3; high = $4 }
  END { exit NR < 40 }' || fail "distribution"
[ "$(grep -c 'class="high"' tail.svg)" = 4 ] || fail "a curve for each motif"
"$PROGRAM" logo motifs.jaspar --svg logo.svg || fail "logo"
"$PROGRAM" logo motifs.jaspar --svg corrected.svg --small-sample-correction || fail "logo"
grep -q 'no small-sample correction' logo.svg || fail "says nothing of the correction"
grep -q '>small-sample correction' corrected.svg || fail "says nothing of the correction"
for letter in A C G T; do grep -q "class=\"$letter\"" logo.svg || fail "no $letter"; done
cmp -s logo.svg corrected.svg && fail "--small-sample-correction does nothing"
# One letter alone has two bits, so it is 120 high; four alike have none.
printf '>one & <two>\n10 5\n0 5\n0 5\n0 5\n' >one.jaspar
"$PROGRAM" logo one.jaspar --svg - >one.svg || fail "logo to standard output"
[ "$(grep -c '<path' one.svg)" = 1 ] || fail "letters of no height"
grep '<path' one.svg | grep -q 'scale([0-9.]* 1.2' || fail "height"
grep -q 'one &amp; &lt;two&gt;' one.svg || fail "escaped"
if command -v python3 >/dev/null; then
  python3 - <<'END' || fail "not well-formed"
import xml.dom.minidom
for name in ("tail", "logo", "corrected", "one"):
    xml.dom.minidom.parse(name + ".svg")
END
else
  echo "$test_name: left out without python3: well-formedness"
fi
