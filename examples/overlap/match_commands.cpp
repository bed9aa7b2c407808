// genocl-overlap mem: maximal matches in MUMmer's format. genocl-overlap suffix-prefix: overlaps of reads.
#include <iostream>
#include <optional>
#include <unordered_set>

#include "common/check_files.hpp"
#include "common/program.hpp"
#include "genocl/error.hpp"
#include "overlap/commands.hpp"
#include "overlap/inputs.hpp"
#include "overlap/match_rows.hpp"
#include "overlap/query_batches.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

/// The records of this member of the team: number of the first one, and their number.
std::pair<std::size_t, std::size_t> own_records(const genocl::SequenceSet& set) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i < set.size(); ++i) lengths.push_back(set.length(i));
  const auto [begin, end] = own_part(lengths);
  return {begin, end - begin};
}

/// Writes the results of all members in the order of their records. `out` is the root's. Returns their number.
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

namespace {

/// Number of letters of queries that are searched at a time, while the next ones are read. An index in pieces has
/// larger batches, since each batch uploads all of it.
constexpr std::uint64_t letters_at_once = std::uint64_t{1} << 26, letters_with_pieces = std::uint64_t{1} << 28;

overlap::MatchIndex match_index(const MatchSettings& settings, std::span<const genocl::Device> devices,
                                const genocl::Progress& progress) {
  if (settings.reference != "-" && overlap::SuffixIndex::is_index(settings.reference)) {
    if (settings.n_match) throw genocl::InputError("--n-match with an index, which has its letters already");
    return overlap::MatchIndex::open(devices, settings.reference);
  }
  const Records records({settings.reference}, false);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < records.size(); ++i) names.push_back(records.name(i));
  return {devices, records.set(), settings.letters(), names, progress};
}

}  // namespace

void write_matches(const MatchSettings& settings) {
  check_standard_input({settings.reference, settings.queries});
  check_files({settings.reference, settings.queries}, {settings.output});
  if (settings.mum && settings.mam) throw genocl::InputError("--mum with --mam: one of them");
  if (settings.format == "paf" && (settings.four_columns || settings.lengths))
    throw genocl::InputError("--format paf with --four-columns or --query-lengths, which are MUMmer's");
  if (settings.reference == "-" || settings.queries == "-") team().share_standard_input();
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const overlap::MatchIndex index = match_index(settings, devices, progress);
    const ReferenceRecords reference(index);
    overlap::MatchOptions options;
    options.min_length = settings.least;
    options.kind = settings.mum   ? overlap::MatchKind::unique
                   : settings.mam ? overlap::MatchKind::unique_in_reference
                                  : overlap::MatchKind::all;
    options.both_strands = settings.both_strands;
    options.progress = progress;
    std::optional<RowWriter> out;
    if (team().is_root()) out.emplace(settings.output, "");
    QueryBatches batches(settings.queries, index.pieces() > 1 ? letters_with_pieces : letters_at_once);
    std::uint64_t found = 0, before = 0;
    while (const std::optional<genocl::SequenceSet> batch = batches.next()) {
      const auto [first, count] = own_records(*batch);
      genocl::SequenceSet own;
      if (team().size() > 1) {
        own.reset(batch->alphabet(), false);
        for (std::size_t i = first; i < first + count; ++i) own.append({}, (*batch)[i]);
      }
      MatchRows rows(settings, reference, *batch, first, count, before);
      std::string own_rows;
      const MatchRows::Sink sink = [&](const std::string& lines) {
        if (team().size() == 1)
          out->row(lines);
        else
          own_rows += lines;
      };
      index.find(team().size() > 1 ? own : *batch, options, [&](std::span<const overlap::MaximalMatch> matches) {
        found += matches.size();
        rows.add(matches, sink);
      });
      rows.finish(sink);
      for (const std::string& part : team().gather(own_rows))
        if (out && !part.empty()) out->row(part);
      before += batch->size();
    }
    if (out) out->commit();
    team().sum(std::span(&found, 1));
    return std::to_string(found) + " matches" +
           (index.pieces() > 1 ? ", index in " + std::to_string(index.pieces()) + " pieces" : "");
  });
}

namespace {

/// Returns unique names. In GFA they follow the rule for segment names: no comma, which separates them in paths, and no
/// * or = at the beginning. Warns of the first changed name of each kind.
std::vector<std::string> distinct_names(const Records& reads, const std::string& file, bool gfa, bool strict) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  std::uint64_t illegal = 0, doubled = 0;
  std::string first_illegal, first_doubled;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    std::string name = reads.name(i);
    if (gfa) {
      std::string legal = name;
      for (char& c : legal)
        if (c < '!' || c > '~' || c == ',') c = '_';
      if (legal.front() == '*' || legal.front() == '=') legal.front() = '_';
      if (strict && legal != name)
        throw genocl::InputError(file, "record " + std::to_string(i + 1), genocl::in_quotes(name),
                                 "a name that GFA allows");
      if (legal != name && illegal++ == 0) first_illegal = genocl::in_quotes(name) + " is written as " + legal;
      name = legal;
    }
    if (seen.insert(name).second) {
      names.push_back(name);
      continue;
    }
    const std::string before = name;
    if (strict)
      throw genocl::InputError(file, "record " + std::to_string(i + 1),
                               "the name of an earlier one: " + genocl::in_quotes(name));
    for (std::uint64_t n = 2; !seen.insert(name).second; ++n) name = before + '_' + std::to_string(n);
    if (doubled++ == 0) first_doubled = "the second " + genocl::in_quotes(before) + " is written as " + name;
    names.push_back(name);
  }
  const auto warn = [](std::uint64_t count, const char* why, const std::string& first) {
    if (count == 0 || !team().is_root()) return;
    std::cerr << called_name() << ": warning: " << count << (count == 1 ? " read" : " reads") << " renamed, " << why
              << ": " << first << '\n';
  };
  warn(illegal, "GFA does not allow the name", first_illegal);
  warn(doubled, "an earlier read has the name", first_doubled);
  return names;
}

/// A line of --format tsv, paf or gfa.
class OverlapRows {
 public:
  OverlapRows(const ReadSettings& settings, const Records& reads)
      : settings_(settings),
        reads_(reads),
        names_(distinct_names(reads, settings.reads, settings.format == "gfa", settings.strict)) {}

  /// The lines before the overlaps.
  std::string head() const {
    if (settings_.format == "paf") return {};
    if (settings_.format == "tsv")
      return std::string("read_a\tread_b\tlength") + (settings_.both_strands ? "\tstrand_a\tstrand_b" : "") +
             (settings_.errors > 0 ? "\terrors" : "") + '\n';
    std::string text = "H\tVN:Z:1.0\n";
    for (std::size_t i = 0; i < reads_.size(); ++i)
      text += "S\t" + name(i) + '\t' + (length(i) == 0 ? "*" : reads_.part(i, 0, length(i))) + '\n';
    return text;
  }

  std::string row(const overlap::ReadOverlap& found) const {
    const std::string length_of = std::to_string(found.length);
    const char strand_a = found.a_reverse ? '-' : '+', strand_b = found.b_reverse ? '-' : '+';
    if (settings_.format == "tsv") {
      std::string line = name(found.a) + '\t' + name(found.b) + '\t' + length_of;
      if (settings_.both_strands) line += std::string("\t") + strand_a + '\t' + strand_b;
      if (settings_.errors > 0) line += '\t' + std::to_string(found.errors);
      return line + '\n';
    }
    if (settings_.format == "gfa")
      return "L\t" + name(found.a) + '\t' + strand_a + '\t' + name(found.b) + '\t' + strand_b + '\t' + length_of +
             "M\tNM:i:" + std::to_string(found.errors) + '\n';
    return place(found.a, found.length, !found.a_reverse) + '\t' + (strand_a == strand_b ? '+' : '-') + '\t' +
           place(found.b, found.length, found.b_reverse) + '\t' + std::to_string(found.length - found.errors) + '\t' +
           length_of + "\t255\tNM:i:" + std::to_string(found.errors) + '\n';
  }

 private:
  const std::string& name(std::uint64_t read) const { return names_[read]; }
  std::uint64_t length(std::uint64_t read) const { return reads_.set().length(read); }
  /// Appends name, length, begin and end of the overlap, which is at the end or at the beginning of the read.
  std::string place(std::uint64_t read, std::uint64_t overlap_length, bool at_end) const {
    const std::uint64_t begin = at_end ? length(read) - overlap_length : 0;
    return name(read) + '\t' + std::to_string(length(read)) + '\t' + std::to_string(begin) + '\t' +
           std::to_string(begin + overlap_length);
  }

  const ReadSettings& settings_;
  const Records& reads_;
  std::vector<std::string> names_;
};

}  // namespace

void write_read_overlaps(const ReadSettings& settings) {
  check_files({settings.reads}, {settings.output});
  if (settings.reads == "-") team().share_standard_input();
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records reads({settings.reads}, false);
    overlap::SuffixPrefixOptions options;
    options.min_length = settings.least;
    options.best_only = settings.best;
    options.both_strands = settings.both_strands;
    options.errors = settings.errors;
    options.letters = settings.letters();
    options.progress = progress;
    const auto [first, count] = own_records(reads.set());
    options.first_read = first;
    options.read_count = count;
    const std::vector<overlap::ReadOverlap> overlaps = overlap::suffix_prefix(devices, reads.set(), options);
    const OverlapRows lines(settings, reads);
    std::optional<RowWriter> out;
    if (team().is_root()) out.emplace(settings.output, lines.head());
    std::string rows;
    for (const overlap::ReadOverlap& found : overlaps) {
      rows += lines.row(found);
      if (team().size() > 1 || rows.size() < std::size_t{1} << 20) continue;
      out->row(rows);
      rows.clear();
    }
    return std::to_string(write_all(out, rows, overlaps.size())) + " overlaps";
  });
}

}  // namespace program
