# awk -f scan.awk -v threshold=T [-v base=B] motifs text: every place and strand, plainly, as genocl-pwm scan writes them, without
# p-values. Records are named by the first word.
FNR == NR && /^>/ { id[++motifs] = substr($1, 2); alt[motifs] = $0; sub(/^[^\t]*\t/, "", alt[motifs]); next }
FNR == NR { columns[motifs] = NF - 3; for (i = 1; i <= NF - 3; ++i) count[motifs, i, $1] = $(i + 2); next }
/^>/ { name[++records] = substr($1, 2); next }
{ text[records] = text[records] toupper($0) }
END {
  other["A"] = "T"; other["C"] = "G"; other["G"] = "C"; other["T"] = "A"
  for (m = 1; m <= motifs; ++m) {
    w = columns[m]
    for (i = 1; i <= w; ++i) {
      sum = 0
      for (x in other) sum += count[m, i, x]
      for (x in other) score[i, x] = log((count[m, i, x] + 0.25) / (sum + 1) / 0.25) / log(base ? base : 2)
    }
    for (r = 1; r <= records; ++r)
      for (p = 1; p + w - 1 <= length(text[r]); ++p) {
        word = substr(text[r], p, w)
        if (word !~ /^[ACGT]*$/) continue
        back = ""
        for (i = w; i > 0; --i) back = back other[substr(word, i, 1)]
        for (s = 1; s <= 2; ++s) {
          found = s == 1 ? word : back
          total = 0
          for (i = 1; i <= w; ++i) total += score[i, substr(found, i, 1)]
          if (total >= threshold)
            printf "%s\t%s\t%s\t%d\t%d\t%s\t%.9f\t%s\n", id[m], alt[m], name[r], p, p + w - 1, s == 1 ? "+" : "-", total, found
        }
      }
  }
}
