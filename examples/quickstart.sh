#!/bin/sh
# Installs packages, builds the programs into build/bin/, lists the OpenCL devices, then maps reads on the default one
# (GENOCL_DEVICE chooses another): the 10,000 pairs of Debian's package bowtie2-examples to the phage lambda, or your own:
#   sh examples/quickstart.sh [REFERENCE.fa READS.fq [MATES.fq]]      FASTA and FASTQ, maybe compressed
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
case $# in
  0 | 2 | 3) ;;
  *) echo "usage: quickstart.sh [REFERENCE.fa READS.fq [MATES.fq]]" >&2; exit 1 ;;
esac

step() { echo; echo "== $*"; }

step "1/4 install packages"
sh "$root/cmake/setup.sh" run
step "2/4 build: about $((12 / jobs + 1)) minutes with $jobs cores"
sh "$root/cmake/configure.sh" "$root" -DGENOCL_BUILD_EXAMPLES=ON -DGENOCL_PRECOMPILE_HEADERS=ON -DGENOCL_UNITY=ON
cmake --build "$root/build" --parallel "$jobs" --target genocl_examples
bin=$root/build/bin

step "3/4 list OpenCL devices"
# A driver may be installed on a machine that has no device for it.
if ! "$bin/genocl-devices"; then
  echo "quickstart: no OpenCL device here yet: trying PoCL, which runs on the CPU"
  sh "$root/cmake/setup.sh" pocl
  "$bin/genocl-devices"
fi
if [ ! -x "$bin/genocl-marose" ]; then
  echo "quickstart: genocl-marose was left out: it needs htslib and zlib (libhts-dev zlib1g-dev) and CLI11 (libcli11-dev)" >&2
  exit 1
fi

step "4/4 map reads"
results=$root/build/quickstart
mkdir -p "$results"
if [ $# -eq 0 ]; then
  # Taken from the package without installing it: that needs no root, and small systems are set up to install no file of
  # /usr/share/doc, which is where these would go.
  folder=usr/share/doc/bowtie2/examples
  lambda=$folder/reference/lambda_virus.fa.gz
  if [ -e "/$lambda" ]; then
    data=/$folder
  else
    data=$results/bowtie2-examples/$folder
    if [ ! -e "$results/bowtie2-examples/$lambda" ]; then
      if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-deb >/dev/null 2>&1; then
        echo "quickstart: the example's reads are a package of Debian and Ubuntu, and this is another system." >&2
        echo "quickstart: give it yours: sh examples/quickstart.sh REFERENCE.fa READS.fq [MATES.fq]" >&2
        exit 1
      fi
      echo "quickstart: fetching bowtie2-examples"
      rm -rf "$results/bowtie2-examples"
      mkdir "$results/bowtie2-examples"
      cd "$results/bowtie2-examples"
      if ! apt-get -q download bowtie2-examples >"$results/log" 2>&1 &&
        ! { [ "$(id -u)" -eq 0 ] && apt-get -q -o DPkg::Lock::Timeout=600 update >>"$results/log" 2>&1 &&
            apt-get -q download bowtie2-examples >>"$results/log" 2>&1; }; then
        cat "$results/log" >&2
        echo "quickstart: bowtie2-examples could not be fetched; with reads of your own:" >&2
        echo "quickstart: sh examples/quickstart.sh REFERENCE.fa READS.fq [MATES.fq]" >&2
        exit 1
      fi
      dpkg-deb -x bowtie2-examples_*.deb .
      cd "$root"
    fi
  fi
  gzip -dc "$data/reference/lambda_virus.fa.gz" >"$results/reference.fa"
  cp "$data/reads/reads_1.fq.gz" "$data/reads/reads_2.fq.gz" "$results"
  set -- "$results/reference.fa" "$results/reads_1.fq.gz" "$results/reads_2.fq.gz"
fi

reference=$1
shift
"$bin/genocl" index "$reference" -o "$results/reference.mrs"
"$bin/genocl" map "$results/reference.mrs" "$@" -o "$results/reads.sam"
echo
echo "The first alignments of $results/reads.sam:"
grep -v '^@' "$results/reads.sam" | head -n 4 | cut -f1-9,12- || true
echo
echo "Next:"
echo "  export PATH=$bin:\$PATH"
echo "  genocl --help"
[ $# -ne 2 ] || echo "  genocl map $results/reference.mrs $* --sort -o $results/reads.bam"
