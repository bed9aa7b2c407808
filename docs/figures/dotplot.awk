# Draws a dot plot as SVG from the lines of `genocl mem --format paf`: queries from left to right, the reference upwards.
BEGIN { FS = "\t" }
{
  query_length[$1] = $2
  reference_length[$6] = $7
  line[NR] = $0
  if (!seen_query[$1]++) queries[++q] = $1
  if (!seen_reference[$6]++) references[++r] = $6
}
END {
  # References in the order of their names, which is not the order in which they are matched.
  for (i = 2; i <= r; i++)
    for (k = i; k > 1 && references[k - 1] > references[k]; k--) {
      swap = references[k]; references[k] = references[k - 1]; references[k - 1] = swap
    }
  for (i = 1; i <= q; i++) { query_start[queries[i]] = x; x += query_length[queries[i]] }
  for (i = 1; i <= r; i++) { reference_start[references[i]] = y; y += reference_length[references[i]] }
  size = 440
  left = 60
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 540 520\" width=\"540\" height=\"520\" " \
    "font-family=\"sans-serif\" font-size=\"12\">"
  print "<rect width=\"540\" height=\"520\" fill=\"#fff\"/>"
  for (i = 1; i <= q; i++) {
    at = left + size * query_start[queries[i]] / x
    printf "<path d=\"M%.1f 20V%d\" stroke=\"#bbb\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", at, \
      20 + size, at + size * query_length[queries[i]] / x / 2, 38 + size, queries[i]
  }
  for (i = 1; i <= r; i++) {
    at = 20 + size - size * reference_start[references[i]] / y
    printf "<path d=\"M%d %.1fH%d\" stroke=\"#bbb\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", left, at, \
      left + size, left - 8, at - size * reference_length[references[i]] / y / 2, references[i]
  }
  printf "<rect x=\"%d\" y=\"20\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#bbb\"/>\n", left, size, size
  for (i = 1; i <= NR; i++) {
    split(line[i], column, "\t")
    from = column[5] == "+" ? column[3] : column[4]
    to = column[5] == "+" ? column[4] : column[3]
    printf "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linecap=\"round\"/>\n", \
      left + size * (query_start[column[1]] + from) / x, \
      20 + size - size * (reference_start[column[6]] + column[8]) / y, \
      left + size * (query_start[column[1]] + to) / x, \
      20 + size - size * (reference_start[column[6]] + column[9]) / y, column[5] == "+" ? "#2f6b8f" : "#d9533a"
  }
  printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">query; blue: forward matches, red: reverse</text></svg>\n", \
    left + size / 2, 58 + size
}
