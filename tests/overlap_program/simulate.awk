# Sequences that share words: a.fa, b.fa; reads.fa from one genome; text.fa in several records and cases.
function random_word(length_, letters,    word, i) {
  word = ""
  for (i = 0; i < length_; ++i) word = word substr(letters, int(rand() * length(letters)) + 1, 1)
  return word
}
function complement(word,    turned, i) {
  turned = ""
  for (i = length(word); i > 0; --i) turned = turned substr("TGCA", index("ACGT", substr(word, i, 1)), 1)
  return turned
}
BEGIN {
  srand(seed)
  word = random_word(37, "ACGT")
  other = random_word(37, "ACGT")
  print ">a1 first\n" random_word(60, "ACGT") word random_word(50, "ACGT") "\n>a2\n" other "NNNN" random_word(30, "ACGT") word "\n>empty" >(out "/a.fa")
  print ">b1\n" random_word(45, "ACGT") word random_word(20, "ACGT") "N" substr(other, 1, 36) "\n>b2\n" random_word(12, "ACGT") complement(other) "N" other random_word(9, "AC") >(out "/b.fa")
  print ">t1\n" random_word(150, "ACGT") "\n>t2 lower\n" tolower(random_word(100, "ACGT")) "nnnnRY\n>t3\n" random_word(80, "AC") random_word(80, "AC") >(out "/text.fa")
  genome = random_word(400, "ACGT")
  for (read = 1; read <= 24; ++read) print ">r" read "\n" substr(genome, int(rand() * 340) + 1, 60) >(out "/reads.fa")
  print ">none\n>short\nACGT\n>n\nNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN" >(out "/reads.fa")
}
