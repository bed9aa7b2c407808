#!/bin/sh
# The commands that the help ends with.
test_name=examples
. "$(dirname "$0")/common.sh"

gzip -c proteins.fa >proteins.fa.gz
mv dna.fa genes.fa
cp queries.fa first.fa
# As many of the subjects, each like a query.
awk '/^>/ { take = /like/ && ++n <= 4 } take' proteins.fa >second.fa
[ "$(grep -c '^>' second.fa)" = "$(grep -c '^>' first.fa)" ] || fail "pairs"
printf '>a\nMKTAYIAKQR-QISFVKSHFSRQLEERLGLIEVQ\n>b\nMKSAYIARQRNQISFVKAHFSRQLDERLGLIEVQ\n>c\nMRTAYLAKQR-QVSFIKSHYARQLEDRLGMIDVQ\n' >family.a2m
run_examples
