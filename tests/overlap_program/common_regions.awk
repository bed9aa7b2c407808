# Longest common words of the records in `a` and `b` (name, tab, letters), by comparing all pairs of places; with
# `strands` also of the other strand of b. Prints the rows of `genocl-overlap lcs` in any order: each word with its places
# in a, and in b, ascending.
BEGIN { FS = OFS = "\t" }
function complement(word,    turned, i) {
  turned = ""
  for (i = length(word); i > 0; --i) {
    letter = substr(word, i, 1)
    turned = turned (index("ACGT", letter) ? substr("TGCA", index("ACGT", letter), 1) : letter)
  }
  return turned
}
function compare(record_a, name_a, text_a, name_b, text_b, strand,    i, j, n, at) {
  for (i = 1; i <= length(text_a); ++i)
    for (j = 1; j <= length(text_b); ++j) {
      n = 0
      while (i + n <= length(text_a) && j + n <= length(text_b) && substr(text_a, i + n, 1) == substr(text_b, j + n, 1) &&
             (written || index("ACGT", substr(text_a, i + n, 1)))) ++n
      if (n == 0 || n < longest) continue
      if (n > longest) { longest = n; rows = 0 }
      ++rows
      word[rows] = substr(text_a, i, n)
      in_a[rows] = sprintf("%09d %09d %s:%d", record_a, i, name_a, i)
      at = strand == "+" ? j : length(text_b) - j - n + 2
      in_b[rows] = sprintf("%09d %09d %d %s:%d:%s", FNR, at, strand == "-", name_b, at, strand)
    }
}
NR == FNR { name_of[++records] = $1; letters_of[records] = $2; next }
{ for (r = 1; r <= records; ++r) {
    compare(r, name_of[r], letters_of[r], $1, $2, "+")
    if (strands) compare(r, name_of[r], letters_of[r], $1, complement($2), "-")
  } }
# The places of one word, each once, in order.
function joined(list, count,    i, k, held, text) {
  for (i = 2; i <= count; ++i) {
    held = list[i]
    for (k = i - 1; k > 0 && list[k] > held; --k) list[k + 1] = list[k]
    list[k + 1] = held
  }
  text = ""
  for (i = 1; i <= count; ++i)
    if (i == 1 || list[i] != list[i - 1]) { held = list[i]; sub(/.* /, "", held); text = text (text == "" ? "" : ",") held }
  return text
}
END {
  for (i = 1; i <= rows; ++i) {
    if (word[i] in done) continue
    done[word[i]] = 1
    count = 0
    for (k = i; k <= rows; ++k) if (word[k] == word[i]) { ++count; a[count] = in_a[k]; b[count] = in_b[k] }
    print longest, joined(a, count), joined(b, count), word[i]
  }
}
