// Results are written in one of these formats.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "align/options.hpp"

namespace program {

/// This is a query and its hits, best first.
struct Result {
  std::string_view name, description;
  std::span<const genocl::Code> codes;
  std::span<const std::uint8_t> quality;  ///< empty, or one for each code
  std::span<const genocl::LetterRange> masked;
  std::span<const align::Hit> hits;
};

/// What a writer knows beforehand. All of it outlives the writer.
struct Context {
  const SearchSettings& settings;
  const align::Database& database;
  const Scoring& scoring;

  bool dna() const noexcept { return database.alphabet() == genocl::Alphabet::dna; }
  genocl::Alphabet alphabet() const noexcept { return database.alphabet(); }
};

/// Writes to a file that is there whole after finish(), or not at all.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  /// Takes results in the order of the queries.
  virtual void write(const Result& result) = 0;
  virtual void finish() = 0;
};

std::unique_ptr<ResultWriter> make_table_writer(const Context& context);
/// `comments`: those of outfmt 7.
std::unique_ptr<ResultWriter> make_blast_writer(const Context& context, bool comments);
std::unique_ptr<ResultWriter> make_sam_writer(const Context& context);
std::unique_ptr<ResultWriter> make_pairwise_writer(const Context& context);
std::unique_ptr<ResultWriter> make_json_writer(const Context& context);

/// Makes the writer for the format of the settings.
std::unique_ptr<ResultWriter> make_writer(const Context& context);

}  // namespace program
