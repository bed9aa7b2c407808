#!/bin/sh
# The commands that the help ends with.
test_name=examples
. "$(dirname "$0")/common.sh"

gzip -c ref.fa >genome.fa.gz
gzip -c pairs_1.fq >reads_1.fq.gz
gzip -c pairs_2.fq >reads_2.fq.gz
mv single_40.fq reads.fq
run_examples
