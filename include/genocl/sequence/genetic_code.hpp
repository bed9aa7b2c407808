// Translation of DNA to proteins: NCBI's genetic codes and the six reading frames.
// Source of the codes: NCBI, "The Genetic Codes", gc.prt version 4.6.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/interval.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl {

/// A genetic code: the amino acid of each codon. Codons that end translation are '*'. Codes 27, 28 and 31 read some
/// codons as stop or as an amino acid, depending on the context; here these are amino acids, as in BLAST.
///
/// Copies are cheap. Const members may be called concurrently.
class GENOCL_EXPORT GeneticCode {
 public:
  /// @param id  NCBI's number: 1 (standard) to 6, 9 to 16, 21 to 33
  /// @throws InputError for another number, with the list of those that exist
  explicit GeneticCode(int id = 1);

  int id() const noexcept { return id_; }
  /// NCBI's name, for example "Vertebrate Mitochondrial".
  std::string_view name() const noexcept;
  /// The numbers of all codes, ascending.
  static std::vector<int> ids();

  /// Returns the amino acid (protein code) of three DNA codes. A codon with IUPAC letters is X unless all of its bases
  /// give the same amino acid, as in BLAST. Precondition: each code is below 15.
  Code operator()(Code first, Code second, Code third) const noexcept {
    return table_[static_cast<std::size_t>(first) << 8 | static_cast<std::size_t>(second) << 4 | third];
  }

  friend bool operator==(const GeneticCode& a, const GeneticCode& b) noexcept { return a.id_ == b.id_; }

 private:
  int id_;
  std::array<Code, 4096> table_{};  ///< [first << 8 | second << 4 | third]
};

/// A reading frame as in BLAST: 1, 2 or 3 begins at the first, second or third letter; -1, -2 or -3 at that letter of
/// the reverse complement.
using Frame = std::int8_t;

/// The frames of a strand: 1, 2, 3; -1, -2, -3; or all in this order.
GENOCL_EXPORT std::span<const Frame> frames_of(Strands strands) noexcept;

/// The number of amino acids of a frame of `letters` nucleotides; an incomplete last codon is left out.
constexpr std::uint64_t translated_length(std::uint64_t letters, Frame frame) noexcept {
  const auto skipped = static_cast<std::uint64_t>((frame < 0 ? -frame : frame) - 1);
  return letters < skipped ? 0 : (letters - skipped) / 3;
}

/// Returns the positions on the forward strand of the amino acids [begin, end) of a frame. `letters`: of the whole
/// sequence. Precondition: begin <= end <= translated_length(letters, frame).
GENOCL_EXPORT Interval nucleotides_of(Frame frame, std::uint64_t begin, std::uint64_t end,
                                      std::uint64_t letters) noexcept;

/// Translates amino acids [begin, begin + protein.size()) of a frame of `dna`. O(protein.size()).
///
/// @throws InputError for a frame other than 1 to 3 and -1 to -3, and for amino acids beyond its end
GENOCL_EXPORT void translate(std::span<const Code> dna, Frame frame, const GeneticCode& code, std::uint64_t begin,
                             std::span<Code> protein);
/// Translates a whole frame.
GENOCL_EXPORT std::vector<Code> translate(std::span<const Code> dna, Frame frame,
                                          const GeneticCode& code = GeneticCode(1));

}  // namespace genocl
