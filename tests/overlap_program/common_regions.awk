# Longest common words of the records in `a` and `b` (name, tab, letters), by comparing all pairs of places; with
# `strands` also of the other strand of b. Prints the rows of `genocl-overlap lcs` in any order.
BEGIN { FS = OFS = "\t" }
function complement(word,    turned, i) {
  turned = ""
  for (i = length(word); i > 0; --i) {
    letter = substr(word, i, 1)
    turned = turned (index("ACGT", letter) ? substr("TGCA", index("ACGT", letter), 1) : letter)
  }
  return turned
}
function compare(name_a, text_a, name_b, text_b, strand,    i, j, n) {
  for (i = 1; i <= length(text_a); ++i)
    for (j = 1; j <= length(text_b); ++j) {
      n = 0
      while (i + n <= length(text_a) && j + n <= length(text_b) && substr(text_a, i + n, 1) == substr(text_b, j + n, 1) &&
             (written || index("ACGT", substr(text_a, i + n, 1)))) ++n
      if (n == 0 || n < longest) continue
      if (n > longest) { longest = n; rows = 0 }
      row[++rows] = n OFS name_a OFS i OFS name_b OFS (strand == "+" ? j : length(text_b) - j - n + 2) OFS strand OFS substr(text_a, i, n)
    }
}
NR == FNR { name_of[++records] = $1; letters_of[records] = $2; next }
{ for (r = 1; r <= records; ++r) {
    compare(name_of[r], letters_of[r], $1, $2, "+")
    if (strands) compare(name_of[r], letters_of[r], $1, complement($2), "-")
  } }
END { for (i = 1; i <= rows; ++i) print row[i] }
