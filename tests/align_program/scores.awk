# awk -v open=11 -v extend=1 -v queries=FASTA -v subjects=FASTA (-v matrix=FILE | -v dna=1 -v match_score=2 -v mismatch=-3)
# -f scores.awk: "query subject score" of every pair, as plainly as it can be written (Gotoh 1982); a gap of k letters costs
# open + extend k. With -v check=TABLE: whether the alignments of a table are what they say they are.
function load_fasta(file, names, texts,   line, n) {
  n = 0
  while ((getline line < file) > 0) {
    if (line ~ /^>/) { ++n; names[n] = substr(line, 2); sub(/[ \t].*/, "", names[n]); texts[n] = "" }
    else texts[n] = texts[n] toupper(line)
  }
  close(file)
  return n
}
function load_matrix(file,   line, f, n, i, column) {
  while ((getline line < file) > 0) {
    if (line ~ /^#/) continue
    n = split(line, f, " ")
    if (!(1 in column)) { for (i = 1; i <= n; ++i) column[i] = f[i] }
    else for (i = 2; i <= n; ++i) pair_score[f[1], column[i - 1]] = f[i]
  }
  close(file)
}
function known(letter) {
  if ((letter, letter) in pair_score) return letter
  return letter == "U" ? "C" : letter == "O" && (("X", "X") in pair_score) ? "X" : "*"
}
function base(letter) { return letter == "U" ? "T" : letter }
function pair_of(a, b) {
  if (dna) {
    if (!((a, b) in pair_score)) pair_score[a, b] = mean_score(base(a), base(b))
    return pair_score[a, b]
  }
  return pair_score[known(a), known(b)]
}
# blastn: the mean over the bases that the wider code stands for, away from 0 where it is halfway between two numbers.
function mean_score(a, b,   i, common, in_a, in_b, bases, mean) {
  common = in_a = in_b = 0
  for (i = 1; i <= 4; ++i) {
    in_a += stands_for(a, substr("ACGT", i, 1)); in_b += stands_for(b, substr("ACGT", i, 1))
    common += stands_for(a, substr("ACGT", i, 1)) && stands_for(b, substr("ACGT", i, 1))
  }
  bases = in_a > in_b ? in_a : in_b
  if (!common) return mismatch
  mean = (match_score + (bases - 1) * mismatch) / bases
  return mean < 0 ? -int(-mean + 0.5) : int(mean + 0.5)
}
function stands_for(code, letter) {
  split("A C G T AG CT CG AT GT AC CGT AGT ACT ACG ACGT", sets, " ")
  return index(sets[index("ACGTRYSWKMBDHVN", code)], letter) > 0
}
function turned(text,   i, result, at) {
  result = ""
  for (i = length(text); i > 0; --i) {
    at = index("ACGTURYKMSWBVDHN", substr(text, i, 1))
    result = result substr("TGCAAYRMKSWVBHDN", at, 1)
  }
  return result
}
function local_score(query, subject,   m, n, i, j, best, diagonal, e, up, value, h, f, a, b) {
  m = length(query); n = length(subject); best = 0
  for (j = 0; j <= n; ++j) { h[j] = 0; f[j] = -1e9; b[j] = substr(subject, j, 1) }
  for (i = 1; i <= m; ++i) {
    a = substr(query, i, 1); diagonal = 0; e = -1e9; h[0] = 0
    for (j = 1; j <= n; ++j) {
      e -= extend; value = h[j - 1] - open - extend; if (value > e) e = value
      f[j] -= extend; value = h[j] - open - extend; if (value > f[j]) f[j] = value
      value = diagonal + pair_of(a, b[j]); diagonal = h[j]
      if (e > value) value = e
      if (f[j] > value) value = f[j]
      if (value < 0) value = 0
      h[j] = value
      if (value > best) best = value
    }
  }
  return best
}
BEGIN {
  if (!dna) load_matrix(matrix)
  if (check != "") { check_table(); exit mistakes > 0 }
  nq = load_fasta(queries, query_names, query_texts)
  ns = load_fasta(subjects, subject_names, subject_texts)
  print "query\tsubject\tscore"
  for (q = 1; q <= nq; ++q)
    for (s = 1; s <= ns; ++s) {
      best = local_score(query_texts[q], subject_texts[s])
      if (dna) { other = local_score(turned(query_texts[q]), subject_texts[s]); if (other > best) best = other }
      print query_names[q] "\t" subject_names[s] "\t" best
    }
}
# Of a table with alignments: that each adds up to its score, and fits its positions, lengths and identity.
function wrong(what) { print check ":" line_number ": " what ": " line; ++mistakes }
function check_table(   line, f, q, s, text, i, j, n, operation, rest, total, equal, columns, qs, ss, k, shift, a, b, nq, ns) {
  nq = load_fasta(queries, query_names, query_texts); ns = load_fasta(subjects, subject_names, subject_texts)
  for (q = 1; q <= nq; ++q) query_of[query_names[q]] = query_texts[q]
  for (s = 1; s <= ns; ++s) subject_of[subject_names[s]] = subject_texts[s]
  shift = dna ? 1 : 0
  while ((getline line < check) > 0) {
    if (++line_number == 1) continue
    split(line, f, "\t")
    qs = query_of[f[1]]; ss = subject_of[f[2]]
    if (f[6] != length(qs) || f[7] != length(ss)) wrong("lengths")
    i = f[8 + shift]; j = f[10 + shift]
    if (dna && f[8] == "-") { qs = turned(qs); i = length(qs) - f[9 + shift] + 1 }
    rest = f[13 + shift]; total = equal = columns = 0
    while (match(rest, /^[0-9]+[=XID]/)) {
      n = substr(rest, 1, RLENGTH - 1) + 0; operation = substr(rest, RLENGTH, 1); rest = substr(rest, RLENGTH + 1)
      columns += n
      if (operation == "I") { total -= open + n * extend; i += n; continue }
      if (operation == "D") { total -= open + n * extend; j += n; continue }
      for (k = 0; k < n; ++k) {
        a = substr(qs, i++, 1); b = substr(ss, j++, 1); total += pair_of(a, b)
        if (dna) { a = base(a); b = base(b) }
        if ((a == b) != (operation == "=")) wrong("CIGAR")
        if (a == b) ++equal
      }
    }
    if (rest != "") wrong("CIGAR")
    if (total != f[3]) wrong("adds up to " total)
    if (j - 1 != f[11 + shift]) wrong("end of the subject")
    if (dna && f[8] == "-" ? length(qs) - i + 2 != f[8 + shift] : i - 1 != f[9 + shift]) wrong("end of the query")
    if (sprintf("%.3f", 100 * equal / columns) != f[12 + shift]) wrong("identity")
  }
  if (line_number < 5) wrong("too few lines")
}
