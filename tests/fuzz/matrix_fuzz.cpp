// Any bytes as a matrix in NCBI's format: scores for every pair of letters, or an InputError.
#include "fuzz.hpp"
#include "genocl/pairwise/scoring.hpp"

void fuzz::check(std::string_view bytes) {
  using genocl::Alphabet, genocl::pairwise::Matrix;
  const std::string file = "matrix.txt";
  for (const Alphabet alphabet : {Alphabet::protein, Alphabet::dna})
    reads(file, [&] {
      const Matrix matrix = Matrix::parse(bytes, file, alphabet);
      require(matrix.alphabet() == alphabet, "the alphabet is the one that was asked for");
      const auto size = static_cast<genocl::Code>(genocl::alphabet_size(alphabet));
      for (genocl::Code query = 0; query < size; ++query)
        for (genocl::Code subject = 0; subject < size; ++subject) {
          const int score = matrix(query, subject);
          require(score >= -Matrix::most && score <= Matrix::most, "scores are within bounds");
          require(score <= matrix.highest() && score >= matrix.lowest(), "the range is that of the scores");
        }
    });
}
