# Sourced by the tests of genocl-marose: a folder with simulated reads.
. "$SOURCE/../program_common.sh"
awk -f "$SOURCE/simulate.awk" -v seed=7 -v out=.

marose() { "$PROGRAM" "$@"; }
# well_made FILE READS... [OPTION...]: check_sam finds no fault in FILE. `reference` is the FASTA [ref.fa], `required_tags` the tags
# that every mapped record has [NM,MD].
well_made() {
  "$CHECK_SAM" --require "${required_tags:-NM,MD,MC,MQ,ms}" "${reference:-ref.fa}" "$@" >checked || { cat checked >&2; fail "check_sam: $*"; }
}
# warned COUNT TEXT: that many lines of warning begin so.
warned() { [ "$(grep -cF -- "genocl-marose: warning: $2" said)" = "$1" ] || { cat said; fail "not $1 warnings: $2"; }; }
quickcheck() { if command -v samtools >/dev/null; then samtools quickcheck "$1" || fail "quickcheck of $1"; fi; }
