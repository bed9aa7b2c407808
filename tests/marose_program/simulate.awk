# awk -f simulate.awk -v seed=1 -v out=FOLDER: FOLDER/ref.fa, and reads whose names tell where they come from
# (NAME:contig:position:strand:errors): single_40.fq with 3 substitutions each, pairs_1.fq and pairs_2.fq of 100 bases with up
# to 5 substitutions, insertions and deletions.
function base() { return substr("ACGT", int(4 * rand()) + 1, 1) }
function other(letter,   b) { do b = base(); while (b == letter); return b }
function random_text(n,   text) { text = ""; while (n-- > 0) text = text base(); return text }
function turned(text,   i, result) {
  result = ""
  for (i = length(text); i > 0; --i) result = result pair[substr(text, i, 1)]
  return result
}
function changed(text, errors, gaps,   at, kind, used) {
  split("", used)
  while (errors > 0) {
    at = int(rand() * (length(text) - 8)) + 5
    # Apart from one another, so that each counts.
    if (used[at - 3] || used[at - 2] || used[at - 1] || used[at] || used[at + 1] || used[at + 2] || used[at + 3]) continue
    used[at] = 1
    --errors
    kind = gaps ? int(3 * rand()) : 0
    if (kind == 0) text = substr(text, 1, at - 1) other(substr(text, at, 1)) substr(text, at + 1)
    if (kind == 1) text = substr(text, 1, at - 1) base() substr(text, at)
    if (kind == 2) text = substr(text, 1, at - 1) substr(text, at + 1)
  }
  return text
}
function quality(n,   text) { text = ""; while (n-- > 0) text = text sprintf("%c", 33 + int(41 * rand())); return text }
function record(file, name, text) { printf "@%s\n%s\n+\n%s\n", name, text, quality(length(text)) > file }
function fold(file, text,   i) { for (i = 1; i <= length(text); i += 70) print substr(text, i, 70) > file }
BEGIN {
  srand(seed)
  pair["A"] = "T"; pair["C"] = "G"; pair["G"] = "C"; pair["T"] = "A"; pair["N"] = "N"
  contig[1] = random_text(20000); contig[2] = random_text(3000) "NNNNNNNNNN" random_text(3000); contig[3] = random_text(60)
  # A repeat, once turned.
  contig[1] = contig[1] substr(contig[1], 1001, 500) turned(substr(contig[1], 2001, 500))
  for (c = 1; c <= 3; ++c) { print ">contig" c " of a test" > (out "/ref.fa"); fold(out "/ref.fa", contig[c]) }
  for (i = 0; i < 600; ++i) {
    do {
      c = i % 50 == 0 ? 3 : 1 + int(2 * rand()); at = 1 + int(rand() * (length(contig[c]) - 40)); text = substr(contig[c], at, 40)
    } while (index(text, "N"))
    strand = rand() < 0.5 ? "+" : "-"
    if (strand == "-") text = turned(text)
    record(out "/single_40.fq", "s" i ":contig" c ":" at ":" strand ":3", changed(text, 3, 0))
  }
  for (i = 0; i < 400; ++i) {
    do {
      c = 1 + int(2 * rand()); at = 1 + int(rand() * (length(contig[c]) - 500)); bases = 200 + int(rand() * 300)
      text = substr(contig[c], at, bases)
    } while (index(text, "N"))
    left = substr(text, 1, 100); right = turned(substr(text, bases - 99))
    e1 = int(6 * rand()); e2 = i % 25 == 0 ? 30 : int(6 * rand())
    turn = rand() < 0.5
    name = "p" i ":contig" c ":" at ":" (turn ? "-" : "+") ":" e1 ":" e2
    record(out "/pairs_1.fq", name "/1", turn ? changed(right, e2 == 30 ? 0 : e2, 1) : changed(left, e1, 1))
    record(out "/pairs_2.fq", name "/2", e2 == 30 ? random_text(100) : turn ? changed(left, e1, 1) : changed(right, e2, 1))
  }
}
