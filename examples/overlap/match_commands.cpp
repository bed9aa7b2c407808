// genocl-overlap mem, suffix-prefix: maximal matches in mummer's layout, overlaps of reads.
#include <cstdio>

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

}  // namespace

void write_matches(const MatchSettings& settings) {
  if (settings.reference == "-" && settings.queries == "-")
    throw genocl::InputError("standard input can be read once only");
  check_files({settings.reference, settings.queries}, {settings.output});
  with_device(settings, [&](const genocl::Device& device, const genocl::Progress& progress) {
    const Records reference({settings.reference}, false), queries({settings.queries}, false);
    overlap::MatchOptions options;
    options.min_length = settings.least;
    options.both_strands = settings.both_strands;
    options.letters = settings.letters();
    options.progress = progress;
    const std::vector<overlap::MaximalMatch> matches =
        overlap::maximal_matches(device, reference.set(), queries.set(), options);
    RowWriter out(settings.output, "");
    // Each query has its line, each strand that is looked at too; matches come in this order.
    std::size_t at = 0;
    for (std::uint64_t query = 0; query < queries.size(); ++query)
      for (const bool reverse : {false, true}) {
        if (reverse && !settings.both_strands) continue;
        out.row("> " + queries.name(query) + (reverse ? " Reverse\n" : "\n"));
        for (; at < matches.size() && matches[at].query_record == query && matches[at].reverse == reverse; ++at) {
          const overlap::MaximalMatch& match = matches[at];
          out.row((reference.size() > 1 ? "  " + reference.name(match.reference_record) + "  " : "") +
                  padded(match.reference_position + 1) + "  " + padded(match.query_position + 1) + "  " +
                  padded(match.length) + '\n');
        }
      }
    out.commit();
    return std::to_string(matches.size()) + " matches";
  });
}

void write_read_overlaps(const ReadSettings& settings) {
  check_files({settings.reads}, {settings.output});
  with_device(settings, [&](const genocl::Device& device, const genocl::Progress& progress) {
    const Records reads({settings.reads}, false);
    overlap::SuffixPrefixOptions options;
    options.min_length = settings.least;
    options.best_only = settings.best;
    options.letters = settings.letters();
    options.progress = progress;
    const std::vector<overlap::ReadOverlap> overlaps = overlap::suffix_prefix(device, reads.set(), options);
    RowWriter out(settings.output, "read_a\tread_b\tlength\n");
    for (const overlap::ReadOverlap& found : overlaps)
      out.row(reads.name(found.a) + '\t' + reads.name(found.b) + '\t' + std::to_string(found.length) + '\n');
    out.commit();
    return std::to_string(overlaps.size()) + " overlaps";
  });
}

}  // namespace program
