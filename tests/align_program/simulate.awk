# awk -f simulate.awk -v seed=1 -v out=FOLDER: proteins.fa and queries.fa, dna.fa and reads.fa, and matrix.txt. Every fourth
# subject resembles a query, in DNA often turned; its name tells which (like2, like2-).
function letter() { return substr(letters, int(length(letters) * rand()) + 1, 1) }
function random_text(n,   text) { text = ""; while (n-- > 0) text = text letter(); return text }
function changed(text, every,   i, result, dice) {
  result = ""
  for (i = 1; i <= length(text); ++i) {
    dice = int(every * rand())
    if (dice == 0) result = result letter()
    else if (dice == 1 && rand() < 0.5) result = result substr(text, i, 1) letter()
    else if (dice != 1) result = result substr(text, i, 1)
  }
  return result
}
function turned(text,   i, result) {
  result = ""
  for (i = length(text); i > 0; --i) result = result pair[substr(text, i, 1)]
  return result
}
function record(file, header, text,   i) {
  print ">" header > file
  for (i = 1; i <= length(text); i += 50) print substr(text, i, 50) > file
}
function set(subjects, queries, prefix, both,   i, q, text, turn) {
  for (q = 1; q <= 4; ++q) {
    query[q] = random_text(q == 1 ? 12 : 30 * q)
    record(queries, prefix q " query number " q, query[q])
  }
  for (i = 1; i <= 48; ++i) {
    q = 1 + i % 16 / 4
    turn = both && rand() < 0.5
    if (i % 4 == 0) {
      text = random_text(int(40 * rand())) changed(query[q], 8) random_text(int(40 * rand()))
      if (turn) text = turned(text)
    } else {
      text = random_text(1 + int(150 * rand()))
    }
    record(subjects, "s" i (i % 4 == 0 ? "like" q (turn ? "-" : "") : "") (i % 3 == 0 ? " subject, number " i : ""), text)
  }
}
BEGIN {
  srand(seed)
  pair["A"] = "T"; pair["C"] = "G"; pair["G"] = "C"; pair["T"] = "A"
  letters = "ARNDCQEGHILKMFPSTWYV"
  set(out "/proteins.fa", out "/queries.fa", "q", 0)
  record(out "/proteins.fa", "rare letters of all kinds", "MKWBZJUOX*mkwbzjuoxARNDCQEGHILKMFPSTWYV")
  letters = "ACGT"
  set(out "/dna.fa", out "/reads.fa", "r", 1)
  record(out "/dna.fa", "rare", "ACGTNNNNRYSWKMBDHVacgtnACGTU")
  # Any scores, symmetric, high for equal letters; U and O have none of their own.
  letters = "ARNDCQEGHILKMFPSTWYVBZJX*"
  for (i = 1; i <= 25; ++i)
    for (j = 1; j <= i; ++j) score[i, j] = score[j, i] = i == j ? 4 + int(6 * rand()) : -4 + int(6 * rand() * rand())
  line = "# scores of a test\n "
  for (i = 1; i <= 25; ++i) line = line "  " substr(letters, i, 1)
  print line > (out "/matrix.txt")
  for (i = 1; i <= 25; ++i) {
    line = substr(letters, i, 1)
    for (j = 1; j <= 25; ++j) line = line sprintf(" %2d", score[i, j])
    print line > (out "/matrix.txt")
  }
}
