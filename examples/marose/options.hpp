// Options of genocl-marose, and its commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/common.hpp"
#include "genocl/error.hpp"
#include "genocl/marose.hpp"

namespace program {

namespace marose = genocl::marose;

/// Parse values of the command line. Each throws InputError with the option's name.
marose::ErrorBound errors_of(std::string_view option, const std::string& text);  // 3, 5%
marose::Report report_of(const std::string& text);                               // best, all, strata:N, N
marose::InsertRange insert_of(const std::string& text);                          // 0:1000

/// Options of the error model and of the index, for `index`, and for `map` and `plan` without an index.
struct Request {
  std::string errors = "7%";
  bool hamming = false, levenshtein = false;
  std::string mask, method = "auto";
  bool as_published = false;
  std::optional<unsigned> neighbourhood;  // default 8
  std::optional<unsigned> shift, neighbourhood_errors;
  bool heuristic = false;

  marose::ErrorBound bound() const { return errors_of("-e", errors); }
  marose::Model model() const { return hamming ? marose::Model::hamming : marose::Model::levenshtein; }
  std::string model_name() const { return std::string(to_string(model())); }
  /// Throws InputError for an unknown method, and for --as-published without `phf`.
  marose::Method index_method() const;
};

struct IndexSettings {
  Common common;
  Request request;
  std::string reference, output;
  unsigned read_length = 100;
  std::string segment, memory;
  bool strict = false;
};

struct PlanSettings {
  Request request;
  unsigned length = 0;
  std::string reference_bases = "5M", output = "-";
};

struct MapSettings {
  Common common;
  Request request;
  std::string reference, reads, mates, output = "-", format;
  std::vector<std::string> first_mates, second_mates, unpaired;  // names of files with commas between
  marose::Strands strands = marose::Strands::both;
  std::string report = "best", insert = "auto", orientation = "fr", rescue_errors, cigar_style = "m", read_group;
  bool interleaved = false, secondary = false, comments = false, sort = false, phred64 = false, strict = false;
  std::string umi_separator;  // empty: names have no UMI
  std::string sort_memory = "768M", cram_reference, reads_reference;
  std::string unmapped_reads, discordant_pairs, coverage;  // files of --un, --un-conc, --coverage; empty: none
  unsigned max_xa = 5;
  std::optional<std::uint64_t> max_hits;  // default 1000 for the report best, else all
  bool clip = false, end_to_end = false, unit_costs = false, soft_supplementary = false;
  std::string scoring;  // empty: the default, where alignments have affine gaps
  std::optional<unsigned> end_bonus, min_score;
  unsigned min_supplementary = 19;
  std::vector<std::string> adapters;
  unsigned adapter_overlap = 3, trim_quality = 0;
  bool no_rescue = false, no_unmapped = false, no_secondary_letters = false, resume = false;
  unsigned level = 6;
  std::uint64_t batch_reads = 0;
  std::string command_line;

  /// Whether reads are aligned with affine gaps; `method`: of the index.
  bool aligned(marose::Method method) const;
  bool is_table() const;
  marose::AlignOptions align_options() const;
  marose::ClipOptions clip_options(bool aligned) const;
};

void build_index(const IndexSettings& settings);
void show_plan(const PlanSettings& settings);
void map_reads(const MapSettings& settings);

/// Runs `work`. Adds the name that `file` returns to InputErrors without a file name.
template <class File, class Work>
void naming(File&& file, Work&& work) {
  try {
    work();
  } catch (const genocl::InputError& error) {
    if (!error.file().empty()) throw;
    throw genocl::InputError(file(), error.where(), error.wrong(), error.expected());
  }
}

}  // namespace program
