// Any bytes as a file: either records or an InputError, and the same however they are read.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "fuzz.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/sequence_writer.hpp"

using fuzz::require;
using genocl::Alphabet;
using genocl::InputError;
using genocl::PackedDna;
using genocl::SequenceSet;
using namespace genocl::io;

namespace {

struct Outcome {
  SequenceSet set;  // as far as it went
  std::string error;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read_in_batches(const std::string& path, const ReadOptions& options, const genocl::BatchLimits& limits) {
  Outcome outcome{.set = SequenceSet(options.alphabet), .error = {}};
  std::optional<SequenceReader> reader;
  try {
    reader.emplace(path, options);
    while (reader->append(outcome.set, limits)) require(reader->records() == outcome.set.size(), "records are counted");
  } catch (const InputError& error) {
    outcome.error = error.what();
    require(outcome.error.starts_with(path), "the error names the file");
    require(outcome.error.find('\n') == std::string::npos, "the error is one line");
  }
  return outcome;
}

void check_records(const SequenceSet& set) {
  std::uint64_t residues = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    residues += set.length(i);
    for (const genocl::Code code : set[i])
      require(code < genocl::alphabet_size(set.alphabet()), "codes are of the alphabet");
    for (const std::uint8_t score : set.quality(i)) require(score <= 93, "scores are in range");
    require(set.name(i).find_first_of(" \t\n") == std::string_view::npos, "a name is one word");
    require(set.description(i).find('\n') == std::string_view::npos, "a description is on one line");
  }
  require(residues == set.residues(), "offsets add up");
  if (set.alphabet() != Alphabet::dna) return;
  const PackedDna packed(set);
  require(std::ranges::equal(packed.unpack(), set.codes()), "packing keeps every code");
  require(packed.reverse_complement().reverse_complement() == packed, "two reverse complements are none");
}

void check_round_trip(const SequenceSet& set, const ReadOptions& options) {
  for (const char* ending : {"", ".gz"}) {
    const std::string path = fuzz::scratch(ending);
    try {
      OutputFile file(path);
      set.has_qualities() ? write_fastq(file, set) : write_fasta(file, set, 7);
      file.commit();
    } catch (const InputError&) {
      // Bytes, cut into lines of 7, may have a line that begins like a header.
      require(options.alphabet == Alphabet::bytes, "what was read can be written");
      return;
    }
    require(read_sequences(path, options) == set, "what is written reads back the same");
  }
}

void check(std::string_view bytes, const ReadOptions& options) {
  const std::string path = fuzz::written(bytes);
  const Outcome whole = read_in_batches(path, options, {});
  const Outcome in_records = read_in_batches(path, options, {.records = 1});
  require(whole == in_records, "batches do not matter");
  require(!whole.error.empty() || !whole.set.empty() || options.allow_no_records, "records or an error");
  check_records(whole.set);
  if (whole.error.empty() && !whole.set.empty()) check_round_trip(whole.set, options);
}

}  // namespace

void fuzz::check(std::string_view bytes) {
  ::check(bytes, {});
  ::check(bytes, {.bad_letters = BadLetters::replace, .keep_qualities = false, .allow_no_records = true});
  ::check(bytes, {.alphabet = Alphabet::protein, .allow_missing_bgzip_end = true});
  ::check(bytes, {.alphabet = Alphabet::bytes, .keep_descriptions = false});
}
