// genocl-overlap index writes a suffix index or an FM-index; find finds patterns.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "overlap/commands.hpp"
#include "overlap/inputs.hpp"
#include "overlap/piece_output.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

using genocl::InputError;

std::vector<std::string> names_of(const Records& records) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < records.size(); ++i) names.push_back(records.name(i));
  return names;
}

/// Returns the number of symbols of the records, with a separator after each.
std::uint64_t symbols_of(const Records& records) {
  std::uint64_t size = records.size() + records.set().residues();
  for (const std::span<const std::uint8_t> bytes : records.views()) size += bytes.size();
  return size;
}

overlap::Text text_of(const overlap::Placement& where, const Records& records, bool bytes, overlap::Letters letters) {
  if (bytes) return overlap::Text::separated(where, records.views());
  return overlap::Text::separated(where, records.set(), {.letters = letters});
}

/// Builds the index on the first device, for all devices.
overlap::SuffixIndex index_of(std::span<const genocl::Device> devices, const Records& records, bool bytes,
                              overlap::Letters letters, const genocl::Progress& progress) {
  const overlap::Text text = text_of(devices.front(), records, bytes, letters);
  return {overlap::SuffixArray(text, {.progress = progress}), names_of(records), devices.subspan(1)};
}

overlap::PieceOptions piece_options(const IndexSettings& settings, std::uint64_t size,
                                    const genocl::Progress& progress) {
  const std::uint64_t pieces = settings.pieces.value_or(0);
  overlap::PieceOptions options{.piece_suffixes =
                                    pieces == 0 ? 0 : std::max<std::uint64_t>(1, (size + pieces - 1) / pieces)};
  options.progress = progress;
  return options;
}

/// Builds an FM-index. An index in pieces uses the first device only.
overlap::FmIndex fm_index_of(std::span<const genocl::Device> devices, const Records& records,
                             const IndexSettings& settings, const genocl::Progress& progress) {
  const std::uint64_t size = symbols_of(records);
  if (settings.pieces || better_in_pieces(devices, size, true)) {
    const overlap::PieceOptions options = piece_options(settings, size, progress);
    return overlap::FmIndex::in_pieces(devices, text_of(overlap::on_host, records, settings.bytes, settings.letters()),
                                       names_of(records), settings.check, options);
  }
  const overlap::SuffixArray suffixes(text_of(devices.front(), records, settings.bytes, settings.letters()),
                                      {.progress = progress});
  if (settings.check && overlap::first_error(suffixes.text(), suffixes.positions()))
    throw genocl::Error("--check: the suffix array is wrong");
  return overlap::FmIndex(suffixes, names_of(records));
}

std::string size_of(const overlap::FmIndex& index) {
  char text[80];
  std::snprintf(text, sizeof text, "%.1f MB, %.2f bytes a letter", static_cast<double>(index.bytes()) / 1e6,
                static_cast<double>(index.bytes()) / static_cast<double>(std::max<std::uint64_t>(1, index.size())));
  return text;
}

/// The patterns with their names.
struct PatternList {
  std::vector<std::string> names, patterns;

  std::vector<std::string_view> views() const { return {patterns.begin(), patterns.end()}; }
};

std::string letters_of(std::span<const genocl::Code> codes) {
  std::string letters;
  for (const genocl::Code code : codes) letters += genocl::dna::letters[code];
  return letters;
}

/// The records of a sequence file, the lines of a file, or whole files.
PatternList read_patterns(const FindSettings& settings) {
  PatternList list;
  for (const std::string& file : settings.pattern_files) {
    const std::vector<std::uint8_t> bytes = read_bytes(file);
    if (bytes.empty()) throw InputError(file, {}, "empty", "a pattern");
    list.names.push_back(file);
    list.patterns.emplace_back(bytes.begin(), bytes.end());
  }
  if (settings.patterns.empty()) return list;
  if (settings.lines) {
    const std::vector<std::uint8_t> bytes = read_bytes(settings.patterns);
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::uint64_t line = 0;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      ++line;
      if (end == at) throw InputError(settings.patterns, "line " + std::to_string(line), "empty", "a pattern");
      list.names.push_back(std::to_string(line));
      list.patterns.emplace_back(all.substr(at, end - at));
      at = end + 1;
    }
    return list;
  }
  const Records records({settings.patterns}, false);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records.set().length(i) == 0)
      throw InputError(settings.patterns, {}, "record " + records.name(i) + " has no letters", "a pattern");
    list.names.push_back(records.name(i));
    list.patterns.push_back(letters_of(records.set()[i]));
    if (!settings.both_strands) continue;
    std::vector<genocl::Code> turned(records.set().length(i));
    genocl::dna::reverse_complement(records.set()[i], turned);
    list.patterns.push_back(letters_of(turned));
  }
  return list;
}

}  // namespace

void write_index(const IndexSettings& settings) {
  if (settings.output == "-") throw InputError("-o", {}, "standard output", "a file: an index is no text");
  if (settings.bytes && settings.n_match) throw InputError("--n-match with --bytes, which match anyway");
  if (settings.fm && (settings.bytes || settings.n_match))
    throw InputError(std::string("--fm with ") + (settings.bytes ? "--bytes" : "--n-match") +
                     "; expected DNA, of which A, C, G and T match");
  std::vector<std::string> inputs = settings.files;
  check_standard_input(inputs);
  check_files(inputs, {settings.output});
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const Records records(settings.files, settings.bytes);
    const std::uint64_t size = symbols_of(records);
    const std::string summary = std::to_string(records.size()) + " records, " + std::to_string(size) + " suffixes";
    if (settings.fm) {
      const overlap::FmIndex index = fm_index_of(devices, records, settings, progress);
      index.save(settings.output);
      return summary + ", FM-index of " + size_of(index);
    }
    if (settings.pieces || better_in_pieces(devices, size, true)) {
      const overlap::PieceOptions options = piece_options(settings, size, progress);
      const overlap::Text text = text_of(overlap::on_host, records, settings.bytes, settings.letters());
      overlap::save_index_in_pieces(devices, text, names_of(records), settings.output, settings.check, options);
    } else {
      const overlap::SuffixIndex index =
          index_of(devices.first(1), records, settings.bytes, settings.letters(), progress);
      if (settings.check && overlap::first_error(index.suffixes().text(), index.suffixes().positions()))
        throw genocl::Error("--check: the suffix array is wrong");
      index.save(settings.output);
    }
    return summary;
  });
}

namespace {

std::uint64_t write_counts(const FindSettings& settings, const PatternList& list,
                           const std::vector<std::uint32_t>& counts, RowWriter& out) {
  const std::size_t strands = settings.both_strands ? 2 : 1;
  std::uint64_t found = 0;
  for (std::size_t p = 0; p < list.names.size(); ++p) {
    std::uint64_t count = 0;
    for (std::size_t strand = 0; strand < strands; ++strand) count += counts[strands * p + strand];
    out.row(list.names[p] + '\t' + std::to_string(count) + '\n');
    found += count;
  }
  return found;
}

/// Writes the table of occurrences. Returns their number.
template <class Index>
std::uint64_t write_table(const FindSettings& settings, const PatternList& list, const Index& index,
                          std::span<const std::uint64_t> begins) {
  RowWriter out(settings.output, settings.count ? "pattern\tcount\n" : "pattern\trecord\tstart\tend\tstrand\n");
  std::uint64_t found = 0;
  if (settings.count) {
    found = write_counts(settings, list, index.count(list.views()), out);
  } else {
    const std::size_t strands = settings.both_strands ? 2 : 1;
    const overlap::Occurrences all = index.locate(list.views(), settings.most.value_or(~std::uint64_t{0}));
    for (std::size_t p = 0; p < list.patterns.size(); ++p)
      for (std::uint64_t i = all.begins[p]; i < all.begins[p + 1]; ++i) {
        const std::uint64_t record = index.record_of(all.positions[i]);
        const std::uint64_t start = all.positions[i] - begins[record] + 1;
        out.row(list.names[p / strands] + '\t' + index.names()[record] + '\t' + std::to_string(start) + '\t' +
                std::to_string(start + list.patterns[p].size() - 1) + (p % strands == 0 ? "\t+\n" : "\t-\n"));
      }
    found = all.positions.size();
  }
  out.commit();
  return found;
}

}  // namespace

void write_occurrences(const FindSettings& settings) {
  std::vector<std::string> inputs = {settings.text};
  if (!settings.patterns.empty()) inputs.push_back(settings.patterns);
  inputs.insert(inputs.end(), settings.pattern_files.begin(), settings.pattern_files.end());
  check_standard_input(inputs);
  check_files(inputs, {settings.output});
  if (inputs.size() == 1) throw InputError("no pattern: expected a file of patterns, or --pattern-file");
  if (!settings.pattern_files.empty() && settings.both_strands)
    throw InputError("--strand both with --pattern-file, whose patterns are not DNA");
  const bool from_fm = settings.text != "-" && overlap::FmIndex::is_index(settings.text);
  const bool from_index = from_fm || (settings.text != "-" && overlap::SuffixIndex::is_index(settings.text));
  if (settings.lines && settings.both_strands) throw InputError("--strand both with --lines, which are not DNA");
  if (settings.count && settings.most) throw InputError("--max-hits with --count");
  if (from_index && settings.n_match) throw InputError("--n-match with an index, which has its letters already");
  if (from_index && settings.bytes) throw InputError("--bytes with an index, which has its bytes already");
  if (settings.bytes && settings.n_match) throw InputError("--n-match with --bytes, which match anyway");
  with_devices(settings, [&](std::span<const genocl::Device> devices, const genocl::Progress& progress) {
    const PatternList list = read_patterns(settings);
    std::uint64_t found = 0;
    std::string size;
    if (from_fm) {
      const overlap::FmIndex index = overlap::FmIndex::open(devices, settings.text);
      found = write_table(settings, list, index, index.begins());
      size = ", FM-index of " + size_of(index);
    } else {
      const overlap::SuffixIndex index = from_index ? overlap::SuffixIndex::open(devices, settings.text)
                                                    : index_of(devices, Records({settings.text}, settings.bytes),
                                                               settings.bytes, settings.letters(), progress);
      found = write_table(settings, list, index, index.suffixes().text().begins());
    }
    return std::to_string(list.names.size()) + " patterns, " + std::to_string(found) + " occurrences" + size;
  });
}

}  // namespace program
