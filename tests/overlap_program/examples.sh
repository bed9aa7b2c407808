#!/bin/sh
# The commands that the help ends with.
test_name=examples
. "$(dirname "$0")/common.sh"

mv a.fa human.fa
mv b.fa orang.fa
gzip -c text.fa >genome.fa.gz
gzip -c human.fa >reference.fa.gz
cp reference.fa.gz strain.fa.gz
cp orang.fa queries.fa
awk '/^>/ { name = $1; next } length($0) >= 60 { print name "\n" substr($0, 11, 30) }' text.fa >probes.fa
printf '0 20\n3 100\n7 7\n' >queries.txt
printf 'banana' >banana.txt
yes 'a line that stands here again and again, for it is said more than once' | head -n 5 >corpus.txt
run_examples
same banana.again banana.txt
