# awk -f simulate.awk -v seed=1 -v out=FOLDER: text.fa, with N, short and empty records, lower case; motifs.jaspar, of
# lengths 4 to 9.
function letter() { return substr("ACGT", int(4 * rand()) + 1, 1) }
BEGIN {
  srand(seed)
  text = out "/text.fa"
  for (r = 1; r <= 6; ++r) {
    print ">r" r (r % 2 ? " a record" : "") > text
    length_left = r == 3 ? 0 : r == 4 ? 5 : 400 * r
    line = ""
    for (i = 1; i <= length_left; ++i) {
      dice = rand()
      line = line (dice < 0.01 ? "N" : dice < 0.013 ? "R" : dice < 0.1 ? tolower(letter()) : letter())
      if (i % 60 == 0 || i == length_left) { print line > text; line = "" }
    }
  }
  motifs = out "/motifs.jaspar"
  for (m = 1; m <= 4; ++m) {
    print ">M" m "\tname " m > motifs
    columns = m == 1 ? 4 : 3 + 2 * (m - 1)
    for (x = 1; x <= 4; ++x) {
      row = ""
      for (i = 1; i <= columns; ++i) row = row " " int(rand() < 0.4 ? 20 * rand() : 3 * rand()) + (x == 1 + (i + m) % 4 ? 15 : 0)
      print substr("ACGT", x, 1) " [" row " ]" > motifs
    }
  }
}
