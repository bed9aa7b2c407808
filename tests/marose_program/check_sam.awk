# awk -f check_sam.awk [-v paired=1] FILE.sam: what the SAM specification asks of records and mates, as far as text shows it.
function wrong(what) { print FILENAME ":" FNR ": " what ": " $1 " " $2; ++mistakes }
function bit(flag, value) { return int(flag / value) % 2 }
function tag(name,   i) { for (i = 12; i <= NF; ++i) if (substr($i, 1, 5) == name) return substr($i, 6); return "" }
BEGIN { FS = "\t"; records = 0 }
/^@/ { if (records) wrong("a header line below records"); next }
{
  ++records
  flag = $2; mapped = !bit(flag, 4); end = bit(flag, 64) ? 1 : 2
  read = bases = 0
  rest = $6
  while (match(rest, /^[0-9]+[MIDSX=]/)) {
    n = substr(rest, 1, RLENGTH - 1) + 0; operation = substr(rest, RLENGTH, 1); rest = substr(rest, RLENGTH + 1)
    if (operation != "D") read += n
    if (operation != "I" && operation != "S") bases += n
  }
  if ($6 ~ /^([0-9]+S)?[0-9]+[ID]/ || $6 ~ /[ID]([0-9]+S)?$/) wrong("a gap at an end")
  if (mapped ? rest != "" : $6 != "*") wrong("CIGAR")
  if (mapped && $10 != "*" && length($10) != read) wrong("CIGAR of another length")
  if (length($10) != length($11) && $11 != "*") wrong("length of qualities")
  if (mapped && ($3 == "*" || $4 < 1)) wrong("mapped to nowhere")
  if (!mapped && $5 != 0) wrong("MAPQ of an unmapped read")
  if (mapped && (tag("NM:i:") == "" || tag("MD:Z:") == "")) wrong("no NM or MD")
  hits = tag("NH:i:")
  key = $1 "\t" end
  if (mapped) {
    if (tag("HI:i:") != ++seen[key]) wrong("HI")
    if (bit(flag, 256) != (seen[key] > 1)) wrong("which one is secondary")
    wanted[key] = hits
  }
  if ($1 != last_name) {
    if ($1 in names) wrong("records of a template apart")
    names[$1] = 1
    last_name = $1
  }
  if (!paired) { if (flag % 4 || bit(flag, 8) || bit(flag, 64) || $7 != "*" || $8 != 0 || $9 != 0) wrong("of a mate"); next }
  if (!bit(flag, 1) || bit(flag, 64) + bit(flag, 128) != 1) wrong("which mate it is")
  if (bit(flag, 256)) next
  if (key in line) wrong("two primary records")
  line[key] = 1
  f[key] = flag; contig[key] = $3; position[key] = $4; mate_contig[key] = $7 == "=" ? $3 : $7; mate_position[key] = $8
  length_of[key] = $9; last_base[key] = $4 + bases - 1
  if (end == 1) ++pairs
}
END {
  for (key in wanted) if (wanted[key] != seen[key]) { print key ": NH " wanted[key] ", " seen[key] " records"; ++mistakes }
  for (key in line) {
    split(key, part, "\t")
    mate = part[1] "\t" (3 - part[2])
    if (!(mate in line)) { print key ": no mate"; ++mistakes; continue }
    if (mate_contig[key] != contig[mate] || mate_position[key] != position[mate] || length_of[key] != -length_of[mate] ||
        bit(f[key], 8) != bit(f[mate], 4) || bit(f[key], 2) != bit(f[mate], 2) ||
        (!bit(f[mate], 4) && bit(f[key], 32) != bit(f[mate], 16))) { print key ": mate fields"; ++mistakes }
    both = !bit(f[key], 4) && !bit(f[mate], 4)
    if (!both && (length_of[key] != 0 || bit(f[key], 2))) { print key ": template of one read"; ++mistakes }
    if (both && contig[key] == contig[mate] && length_of[key] > 0) {
      right = last_base[key] > last_base[mate] ? last_base[key] : last_base[mate]
      if (length_of[key] != right - position[key] + 1 || position[key] > position[mate]) { print key ": TLEN"; ++mistakes }
    }
  }
  print records " records, " mistakes + 0 " mistakes"
  exit mistakes > 0 || records == 0
}
