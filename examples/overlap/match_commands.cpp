// genocl-overlap mem, suffix-prefix: maximal matches in mummer's layout, overlaps of reads.
#include <cstdio>
#include <optional>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "overlap/commands.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

/// Pads numbers as mummer does.
std::string padded(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "%8llu", static_cast<unsigned long long>(number));
  return text;
}

/// The records of this member of the team: the first of them, and how many.
std::pair<std::size_t, std::size_t> own_records(const genocl::SequenceSet& set) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i < set.size(); ++i) lengths.push_back(set.length(i));
  const auto [begin, end] = own_part(lengths);
  return {begin, end - begin};
}

/// Writes what all members have found, in the order of their records. `out` is the root's. Returns how many that are.
std::uint64_t write_all(std::optional<RowWriter>& out, const std::string& rows, std::uint64_t found) {
  const std::vector<std::string> all = team().gather(rows);
  if (out) {
    for (const std::string& part : all) out->row(part);
    out->commit();
  }
  team().sum(std::span(&found, 1));
  return found;
}

}  // namespace

void write_matches(const MatchSettings& settings) {
  if (settings.reference == "-" && settings.queries == "-")
    throw genocl::InputError("standard input can be read once only");
  check_files({settings.reference, settings.queries}, {settings.output});
  if (settings.reference == "-" || settings.queries == "-") team().share_standard_input();
  with_device(settings, [&](const genocl::Device& device, const genocl::Progress& progress) {
    const Records reference({settings.reference}, false), queries({settings.queries}, false);
    overlap::MatchOptions options;
    options.min_length = settings.least;
    options.both_strands = settings.both_strands;
    options.letters = settings.letters();
    options.progress = progress;
    const std::size_t first = own_records(queries.set()).first, count = own_records(queries.set()).second;
    genocl::SequenceSet own;
    if (team().size() > 1) {
      own.reset(queries.set().alphabet(), false);
      for (std::size_t i = first; i < first + count; ++i) own.append({}, queries.set()[i]);
    }
    const std::vector<overlap::MaximalMatch> matches =
        overlap::maximal_matches(device, reference.set(), team().size() > 1 ? own : queries.set(), options);
    std::optional<RowWriter> out;
    if (team().is_root()) out.emplace(settings.output, "");
    std::string rows;
    const auto row = [&](const std::string& line) {
      if (team().size() == 1)
        out->row(line);
      else
        rows += line;
    };
    // Each query has its line, each strand that is looked at too; matches come in this order.
    std::size_t at = 0;
    for (std::uint64_t query = 0; query < count; ++query)
      for (const bool reverse : {false, true}) {
        if (reverse && !settings.both_strands) continue;
        row("> " + queries.name(first + query) + (reverse ? " Reverse\n" : "\n"));
        for (; at < matches.size() && matches[at].query_record == query && matches[at].reverse == reverse; ++at) {
          const overlap::MaximalMatch& match = matches[at];
          row((reference.size() > 1 ? "  " + reference.name(match.reference_record) + "  " : "") +
              padded(match.reference_position + 1) + "  " + padded(match.query_position + 1) + "  " +
              padded(match.length) + '\n');
        }
      }
    return std::to_string(write_all(out, rows, matches.size())) + " matches";
  });
}

void write_read_overlaps(const ReadSettings& settings) {
  check_files({settings.reads}, {settings.output});
  if (settings.reads == "-") team().share_standard_input();
  with_device(settings, [&](const genocl::Device& device, const genocl::Progress& progress) {
    const Records reads({settings.reads}, false);
    overlap::SuffixPrefixOptions options;
    options.min_length = settings.least;
    options.best_only = settings.best;
    options.letters = settings.letters();
    options.progress = progress;
    const auto [first, count] = own_records(reads.set());
    options.first_read = first;
    options.read_count = count;
    const std::vector<overlap::ReadOverlap> overlaps = overlap::suffix_prefix(device, reads.set(), options);
    std::optional<RowWriter> out;
    if (team().is_root()) out.emplace(settings.output, "read_a\tread_b\tlength\n");
    std::string rows;
    for (const overlap::ReadOverlap& found : overlaps) {
      rows += (reads.name(found.a) + '\t' + reads.name(found.b) + '\t' + std::to_string(found.length) + '\n');
      if (team().size() > 1 || rows.size() < std::size_t{1} << 20) continue;
      out->row(rows);
      rows.clear();
    }
    return std::to_string(write_all(out, rows, overlaps.size())) + " overlaps";
  });
}

}  // namespace program
