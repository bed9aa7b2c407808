// Variants of a VCF file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/repairs.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace program {

/// One ALT allele of a record. Views are valid as long as the Variants.
struct Variant {
  std::uint64_t line = 0;   ///< of the file, from 1
  std::uint64_t begin = 0;  ///< of the first letter of `ref`, from 0
  std::string_view id, ref, alt;
};

/// The ALT alleles of a file that are sequences, in memory.
class Variants {
 public:
  /// Reads VCF, plain or compressed by gzip or bgzip. Genotypes and phases are ignored. Alleles '*', '<...>' and
  /// breakends are counted and omitted. Throws InputError, with the line, for BCF and for invalid fields.
  Variants(const std::string& path, bool strict);

  /// The alleles of a sequence, in the order of the file; none for the second sequence of a name. Compares REF with
  /// the letters: ambiguity codes agree if they have a base in common. Throws InputError, with the line and the place,
  /// for a REF that differs or is beyond the end.
  std::vector<Variant> of(std::string_view sequence, std::span<const genocl::Code> letters);
  /// Warns of records whose sequence did not occur. Throws InputError if there are no others.
  void finish();

  std::uint64_t records() const noexcept { return records_; }
  std::uint64_t alleles() const noexcept { return alleles_; }
  /// Number of alleles that are not sequences.
  std::uint64_t symbolic() const noexcept { return symbolic_; }

 private:
  struct Allele {
    std::uint64_t line = 0, begin = 0, at = 0;  ///< at: of id, REF and ALT in the text
    std::uint32_t id = 0, ref = 0, alt = 0;     ///< lengths
  };
  struct Sequence {
    std::vector<Allele> alleles;
    std::string text;  ///< ids, REF and ALT
    bool found = false;
  };
  void add_line(std::string_view line, std::uint64_t number);

  std::string path_;
  Repairs repairs_;
  std::uint64_t records_ = 0, alleles_ = 0, symbolic_ = 0, used_ = 0;
  std::map<std::string, Sequence, std::less<>> sequences_;
};

}  // namespace program
