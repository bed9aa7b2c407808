// An index in a file of sections.
#include <algorithm>
#include <string_view>
#include <vector>

#include "genocl/error.hpp"
#include "marose/canonical.hpp"
#include "marose/index.hpp"
#include "marose/published/published.hpp"

namespace genocl::marose {
namespace {

bool never_falling_to(std::span<const std::uint64_t> ends, std::uint64_t last) {
  return std::ranges::is_sorted(ends) && (ends.empty() ? 0 : ends.back()) == last;
}

/// Whether the parts of the reference are consistent, so that no look-up leaves them.
bool consistent_reference(const ReferenceView& reference) {
  if (reference.offsets.empty() || reference.offsets[0] != 0 || !std::ranges::is_sorted(reference.offsets))
    return false;
  const std::uint64_t size = reference.size();
  if (reference.words.size() < size / 32 + (size % 32 != 0 ? 1 : 0) + 1) return false;
  std::uint64_t end = 0;
  for (const AmbiguousRun& run : reference.runs) {
    if (run.position < end || run.position > size || run.length == 0 || run.length > size - run.position) return false;
    end = run.position + run.length;
  }
  return true;
}

bool consistent_ambiguities(std::span<const std::uint64_t> ambiguities, std::uint64_t bases) {
  return std::ranges::is_sorted(ambiguities) && (ambiguities.empty() || ambiguities.back() >> 8 < bases) &&
         std::ranges::all_of(ambiguities, [](std::uint64_t one) {
           return (one & 0xff) > dna::unknown && (one & 0xff) < dna::letters.size();
         });
}

/// Whether the segments are within a text of `bases` bases and own each base exactly once.
bool consistent_segments(std::span<const Segment> segments, std::uint64_t bases) {
  std::uint64_t owned = 0;
  for (const Segment& segment : segments) {
    if (segment.begin > bases || segment.length > std::min(bases - segment.begin, longest_segment)) return false;
    if (segment.own.begin != owned || segment.own.empty() || segment.begin > segment.own.begin ||
        segment.own.end > segment.begin + segment.length)
      return false;
    owned = segment.own.end;
  }
  return owned == bases && !segments.empty();
}

/// Names of the tables of a method.
std::vector<std::string_view> table_names(Method method) {
  switch (method) {
    case Method::canonical:
      return {"first", "positions", "contexts"};
    case Method::list:
    case Method::binary:
      return {"first", "neighbourhoods", "positions"};
    case Method::phf:
      return {"heads", "values", "words", "positions", "several", "lists"};
    case Method::phf_published:
      return {"heads", "values", "words", "begins", "positions"};
    case Method::bitmap:
      return {"sectors", "first", "positions"};
    default:
      return {"first", "positions"};
  }
}

/// Whether a segment has all tables, in the sizes that kernels rely on. Their contents are covered by the checksums
/// of the file: a full check would take as long.
bool consistent_tables(const HostTables& tables, const Index::State& state) {
  const auto size_of = [&](std::string_view name) { return std::uint64_t{tables.find(name)->second.size()}; };
  for (const std::string_view name : table_names(state.method))
    if (tables.find(name) == tables.end()) return false;
  if (state.method == Method::phf || state.method == Method::phf_published) {
    if (size_of("heads") != 2 * ((std::uint64_t{1} << 2 * state.mask.weight()) + 1) ||
        size_of("words") < packed_words(0, state.neighbourhood, state.method))
      return false;
    if (state.method == Method::phf) return true;
    const std::span<const std::uint32_t> heads = tables.find("heads")->second, begins = tables.find("begins")->second;
    const std::uint64_t vertices = heads[heads.size() - 2];
    return begins.size() == vertices + 1 && begins.back() <= size_of("positions") &&
           size_of("words") >= packed_words(vertices, state.neighbourhood, state.method) &&
           size_of("values") >= vertices / 16;
  }
  const std::span<const std::uint32_t> first = tables.find("first")->second;
  if (first.empty() || first.back() > size_of("positions")) return false;
  if (state.method == Method::bitmap)
    return size_of("sectors") % 8 == 0 &&
           size_of("sectors") / 8 * sector_bits >= std::uint64_t{1} << 2 * (state.mask.weight() + state.neighbourhood);
  const bool canonical = state.method == Method::canonical || state.method == Method::kmers;
  const std::uint64_t keys =
      canonical ? canonical_keys(state.mask.weight()) : std::uint64_t{1} << 2 * state.mask.weight();
  if (first.size() != keys + 1) return false;
  if (state.method == Method::canonical) return size_of("contexts") >= first.back();
  return state.method == Method::kmers || state.method == Method::offset ||
         size_of("neighbourhoods") >= packed_words(first.back(), state.neighbourhood, state.method);
}

}  // namespace

void check_tables(const SeedMask& mask, unsigned neighbourhood, Method method) {
  const auto fail = [&](const char* wrong) {
    throw InputError("seed mask " + in_quotes(mask.pattern()) + ": the method " + std::string(to_string(method)) +
                     " needs " + wrong);
  };
  if (method == Method::kmers) {
    if (!mask.is_solid() || mask.weight() < 4 || mask.weight() > 16) fail("4 to 16 '#' in a row");
  } else if (method == Method::canonical) {
    if (!mask.is_palindrome()) fail("one that is its own reverse");
    if (mask.weight() > 16 || mask.weight() < 4 || mask.span() - mask.weight() > 16)
      fail("4 to 16 '#' and at most 16 '-'");
  } else {
    check_published(mask, neighbourhood, method);
  }
}

void Index::save(const std::string& path) const {
  using runtime::section;
  const State& s = *state_;
  runtime::Fields fields;
  fields.set("seed_mask", s.mask.pattern());
  fields.set("method", to_string(s.method));
  fields.set("neighbourhood", s.neighbourhood);
  fields.set("bases", bases());
  fields.set("contigs", contigs());
  fields.set("segments", segments());
  const std::string text = fields.text();
  std::vector<runtime::Section> sections = {section("fields", std::string_view(text)),
                                            section("names", std::string_view(s.names)),
                                            section("name_ends", s.name_ends),
                                            section("offsets", s.reference.offsets),
                                            section("words", s.reference.words),
                                            section("runs", s.reference.runs),
                                            section("segments", s.segments)};
  if (!s.ambiguities.empty()) sections.push_back(section("ambiguities", s.ambiguities));
  for (std::size_t i = 0; i < segments(); ++i)
    for (const State::TableBytes& table : s.table_bytes_of(i))
      sections.push_back(
          runtime::streamed_section("segment" + std::to_string(i) + "." + table.name, table.size, table.stream));
  write_section_file(path, index_kind, sections);
}

Index Index::open(const std::string& path) {
  auto state = std::make_shared<State>();
  state->file = runtime::SectionFile::open(path, index_kind);
  const runtime::SectionFile& file = *state->file;
  const runtime::Fields fields = file.fields();
  const auto fail = [&](const std::string& wrong) {
    throw InputError(path, "", wrong, "an index written by this version");
  };
  const std::uint64_t neighbourhood = fields.number("neighbourhood");
  try {
    state->mask = SeedMask(fields.string("seed_mask"));
    state->method = method_named(fields.string("method"));
    state->neighbourhood = static_cast<unsigned>(std::min<std::uint64_t>(neighbourhood, ~0u));
    check_tables(state->mask, state->neighbourhood, state->method);
  } catch (const InputError& error) {
    if (error.file() == path) throw;
    fail(error.wrong());
  }
  state->names = file.text("names");
  const auto name_ends = file.array<std::uint64_t>("name_ends");
  state->name_ends.assign(name_ends.begin(), name_ends.end());
  state->reference = {file.array<std::uint64_t>("words"), file.array<AmbiguousRun>("runs"),
                      file.array<std::uint64_t>("offsets")};
  // Files of older releases have none.
  if (file.has("ambiguities")) {
    const auto ambiguities = file.array<std::uint64_t>("ambiguities");
    state->ambiguities.assign(ambiguities.begin(), ambiguities.end());
  }
  const auto segments = file.array<Segment>("segments");
  state->segments.assign(segments.begin(), segments.end());
  if (!consistent_reference(state->reference) || !consistent_ambiguities(state->ambiguities, state->reference.size()) ||
      state->reference.offsets.size() != state->name_ends.size() + 1 ||
      !never_falling_to(state->name_ends, state->names.size()) || state->name_ends.size() != fields.number("contigs") ||
      state->reference.size() != fields.number("bases") || state->segments.size() != fields.number("segments") ||
      !consistent_segments(state->segments, state->reference.size()))
    fail("its parts do not belong together");
  for (std::size_t i = 0; i < state->segments.size(); ++i) {
    const HostTables tables = state->host_tables(i);
    if (!consistent_tables(tables, *state)) fail("the tables of segment " + std::to_string(i) + " are not whole");
    for (const auto& [name, table] : tables) state->table_bytes += table.size_bytes();
  }
  return Index(std::move(state));
}

}  // namespace genocl::marose
