#include "overlap/find/suffix_index.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/overlap/pieces.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "overlap/find/pattern_batches.hpp"
#include "overlap/pieces/sort_in_pieces.hpp"
#include "overlap/text/text.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

/// Maximum bits of the table's index, and the number of bits below those of the number of suffixes.
constexpr int max_table_bits = 28, fewer_bits = 2;

int table_bits(std::uint64_t suffixes) {
  return std::clamp(static_cast<int>(std::bit_width(suffixes)) - fewer_bits, 1, max_table_bits);
}

}  // namespace

template <class Position>
PrefixTable prefix_table(const Device& device, const Text::State& text, const Array<Position>& positions) {
  PrefixTable table;
  const std::uint64_t suffixes = positions.size(), items = suffixes + 1;
  table.symbols = std::max(1u, static_cast<std::uint32_t>(table_bits(suffixes)) / text.bits);
  table.starts = Array<std::uint32_t>(device, (std::size_t{1} << table.symbols * text.bits) + 1);
  runtime::Defines defines = text.defines();
  if (sizeof(Position) == 8) defines.set("POSITIONS_WIDE", 1);
  runtime::launch_items(device, "overlap/find/prefix_table.cl", "fill_starts", defines,
                        {.items = items, .bytes = suffixes * (16 + sizeof(Position)) + table.starts.bytes()},
                        text.words, text.separators, text.size, positions, table.starts, table.symbols, items);
  return table;
}
template PrefixTable prefix_table(const Device&, const Text::State&, const Array<std::uint32_t>&);
template PrefixTable prefix_table(const Device&, const Text::State&, const Array<std::uint64_t>&);

std::uint64_t prefix_table_bytes(std::uint64_t suffixes) {
  // The smallest table of bytes has 256 entries.
  return 4 * (std::max<std::uint64_t>(256, std::uint64_t{1} << table_bits(suffixes)) + 1);
}

namespace {

constexpr std::uint16_t no_code = 256;

/// Writes the pattern's words; returns whether all its bytes are the text's.
bool pack_pattern(std::string_view pattern, const std::array<std::uint16_t, 256>& codes, unsigned bits,
                  std::uint64_t* words) {
  bool known = true;
  pack_codes(
      pattern.size(), bits,
      [&](std::uint64_t i) {
        const std::uint16_t code = codes[static_cast<unsigned char>(pattern[i])];
        known = known && code != no_code;
        return std::uint64_t{code};
      },
      words);
  return known;
}

}  // namespace

void check_patterns(std::span<const std::string_view> patterns) {
  if (patterns.size() > Text::longest)
    throw InputError("patterns", {}, std::to_string(patterns.size()), "at most " + std::to_string(Text::longest));
  for (std::size_t p = 0; p < patterns.size(); ++p)
    if (patterns[p].empty() || patterns[p].size() >= Patterns::State::nowhere)
      throw InputError("pattern " + std::to_string(p + 1), {}, std::to_string(patterns[p].size()) + " symbols",
                       "1 to " + std::to_string(Patterns::State::nowhere - 1));
}

Patterns::State pack_patterns(const Device& device, const TextShape& text, std::span<const std::string_view> patterns) {
  check_patterns(patterns);
  std::array<std::uint16_t, 256> codes{};
  codes.fill(no_code);
  for (std::size_t code = 0; code < text.alphabet.size(); ++code)
    codes[text.alphabet[code]] = static_cast<std::uint16_t>(code);
  std::vector<std::uint64_t> begins(patterns.size() + 1);
  std::vector<std::uint32_t> lengths(patterns.size());
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    begins[p + 1] = begins[p] + (patterns[p].size() + text.symbols_per_word() - 1) / text.symbols_per_word();
    lengths[p] = static_cast<std::uint32_t>(patterns[p].size());
  }
  // Kernels read one word after a window.
  std::vector<std::uint64_t> words(begins.back() + 1);
  constexpr std::size_t together = 1 << 14;
  const std::size_t tasks = (patterns.size() + together - 1) / together;
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 4, 64), [&](std::size_t task) {
    for (std::size_t p = task * together, end = std::min(patterns.size(), p + together); p < end; ++p)
      if (!pack_pattern(patterns[p], codes, text.bits, words.data() + begins[p])) lengths[p] = Patterns::State::nowhere;
  });
  Patterns::State packed;
  packed.count = patterns.size();
  packed.words = Array<std::uint64_t>(device, std::span<const std::uint64_t>(words));
  packed.begins = Array<std::uint64_t>(device, std::span<const std::uint64_t>(begins));
  packed.lengths = Array<std::uint32_t>(device, std::span<const std::uint32_t>(lengths));
  return packed;
}

Patterns::Patterns(const Text& text, std::span<const std::string_view> patterns)
    : state_(std::make_unique<State>(pack_patterns(text.device(), runtime::state_of(text), patterns))) {}
Patterns::Patterns(Patterns&&) noexcept = default;
Patterns& Patterns::operator=(Patterns&&) noexcept = default;
Patterns::~Patterns() = default;

std::uint64_t Patterns::size() const noexcept { return state_->count; }

namespace {

constexpr const char* pattern_search_file = "overlap/find/find.cl";

}  // namespace

void find_by(const Device& device, const SuffixIndex::State& index, const Patterns::State& patterns,
             Span<std::uint32_t> first, Span<std::uint32_t> counts) {
  if (patterns.count == 0) return;
  const Text::State& text = runtime::state_of(index.suffixes.text());
  runtime::launch_items(device, pattern_search_file, "find_patterns", text.defines(),
                        {.items = patterns.count, .bytes = patterns.words.bytes() + patterns.count * 24, .least = 64},
                        text.words, text.separators, text.size, index.suffixes.positions(), index.table.starts,
                        index.table.symbols, patterns.words, patterns.begins, patterns.lengths, first, counts,
                        patterns.count);
}

std::vector<std::uint32_t> count_by(const Device& device, const SuffixIndex::State& index,
                                    std::span<const std::string_view> patterns) {
  const Patterns::State packed = pack_patterns(device, runtime::state_of(index.suffixes.text()), patterns);
  Array<std::uint32_t> first(device, patterns.size()), counts(device, patterns.size());
  find_by(device, index, packed, first, counts);
  return counts.download();
}

Occurrences locate_by(const Device& device, const SuffixIndex::State& index, std::span<const std::string_view> patterns,
                      std::uint64_t most) {
  const Patterns::State packed = pack_patterns(device, runtime::state_of(index.suffixes.text()), patterns);
  Array<std::uint32_t> first(device, patterns.size()), counts(device, patterns.size());
  find_by(device, index, packed, first, counts);
  return occurrences_of(device, counts.download(), most,
                        [&](const Array<std::uint64_t>& begins, Array<std::uint32_t>& places, std::uint64_t first_hit,
                            std::uint64_t hits) {
                          runtime::launch_items(device, pattern_search_file, "list_places",
                                                runtime::state_of(index.suffixes.text()).defines(),
                                                {.items = hits, .bytes = hits * 12}, index.suffixes.positions(), first,
                                                begins, places, std::uint64_t{patterns.size()}, first_hit, hits);
                        });
}

std::string lines_of(const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) lines += name + '\n';
  return lines;
}

std::vector<std::string> names_of_lines(std::string_view lines) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    names.emplace_back(lines.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

namespace {

constexpr runtime::FileKind index_kind{{'s', 'f', 'x'}, 1, "a suffix index", "genocl-overlap"};
void write_index(const std::string& path, const TextShape& text, const std::vector<std::string>& all_names,
                 runtime::Section words, runtime::Section separators, runtime::Section positions) {
  runtime::Fields fields;
  fields.set("size", text.size);
  fields.set("bits", text.bits);
  fields.set("breaks", text.has_separators ? 1 : 0);
  const std::string described = fields.text();
  const std::string names = lines_of(all_names);
  runtime::write_section_file(path, index_kind,
                              {runtime::section("fields", described), runtime::section("alphabet", text.alphabet),
                               runtime::section("begins", text.begins), runtime::section("names", names),
                               std::move(words), std::move(separators), std::move(positions)});
}

[[noreturn]] void wrong(const std::string& path, const std::string& what) {
  throw InputError(path + ": " + what + ": not a whole suffix index");
}

}  // namespace

void SuffixIndex::save(const std::string& path) const {
  const Text::State& text = runtime::state_of(state_->suffixes.text());
  write_index(path, text, state_->names, array_section("words", text.words), array_section("breaks", text.separators),
              array_section("positions", state_->suffixes.positions()));
}

void save_index(const std::string& path, const Text& text, const std::vector<std::string>& names,
                runtime::Section positions) {
  const Text::State& state = runtime::state_of(text);
  if (!names.empty() && names.size() + 1 != state.begins.size())
    throw InputError("names", {}, std::to_string(names.size()), std::to_string(state.begins.size() - 1));
  if (state.size > Text::longest)
    throw InputError(path, {}, std::to_string(state.size) + " symbols",
                     "an index of at most " + std::to_string(Text::longest));
  write_index(path, state, names, runtime::section("words", state.host_words),
              runtime::section("breaks", state.host_separators), std::move(positions));
}

void save_index_in_pieces(Devices devices, const Text& text, const std::vector<std::string>& names,
                          const std::string& path, bool check, const PieceOptions& options) {
  if (check) {
    const HostPositions sorted = sort_on_host(devices, text, false, options);
    if (const std::optional<std::uint64_t> wrong_at = first_error(devices.front(), text, sorted.narrow))
      throw Error("the suffix array is wrong at index " + std::to_string(*wrong_at));
    save_index(path, text, names, runtime::section("positions", sorted.narrow));
    return;
  }
  save_index(path, text, names, runtime::streamed_section("positions", text.size() * 4, [&](const auto& sink) {
               sort_in_pieces(devices, text, PositionSink<std::uint32_t>([&](std::span<const std::uint32_t> some) {
                                sink(std::as_bytes(some));
                              }),
                              options);
             }));
}

bool SuffixIndex::is_index(const std::string& path) { return runtime::SectionFile::begins_as(path, index_kind); }

IndexFile::IndexFile(const std::string& path) : file(runtime::SectionFile::open(path, index_kind)) {
  const runtime::Fields fields = file->fields();
  shape.size = fields.number("size");
  shape.bits = static_cast<unsigned>(fields.number("bits"));
  shape.has_separators = fields.number("breaks") != 0;
  if (shape.size > Text::longest || (shape.bits != 2 && shape.bits != 4 && shape.bits != 8)) wrong(path, "fields");
  const auto symbols = file->array<std::uint8_t>("alphabet");
  shape.alphabet.assign(symbols.begin(), symbols.end());
  const auto records = file->array<std::uint64_t>("begins");
  shape.begins.assign(records.begin(), records.end());
  if (shape.alphabet.size() > std::size_t{1} << shape.bits || shape.begins.size() < 2 ||
      shape.begins.back() != shape.size || !std::ranges::is_sorted(shape.begins))
    wrong(path, "the text's records");
  words = file->array<std::uint64_t>("words");
  separators = file->array<std::uint32_t>("breaks");
  positions = file->array<std::uint32_t>("positions");
  if (words.size() != shape.words_needed() || separators.size() != shape.separator_words_needed() ||
      positions.size() != shape.size)
    wrong(path, "the text");
  if (std::ranges::any_of(positions, [&](std::uint32_t position) { return position >= shape.size; }))
    wrong(path, "positions");
  names = names_of_lines(file->text("names"));
  if (!names.empty() && names.size() + 1 != shape.begins.size()) wrong(path, "names");
}

void wrong_order(const std::string& path) { wrong(path, "positions in another order"); }

SuffixIndex IndexFile::on(const Device& device) const {
  return SuffixIndex(SuffixArray(text(device), Array<std::uint32_t>(device, positions)), names);
}

SuffixIndex SuffixIndex::open(Devices devices, const std::string& path, bool check) {
  if (devices.empty()) throw InputError("no device given");
  const IndexFile mapped(path);
  SuffixIndex index = mapped.on(devices.front());
  if (check && first_error(index.suffixes().text(), index.suffixes().positions())) wrong_order(path);
  for (const Device& device : devices.subspan(1)) index.state_->others.push_back(mapped.on(device));
  // Other queues read it.
  for (const Device& device : devices) device.finish();
  return index;
}

namespace {

std::vector<Device> devices_of(const SuffixIndex::State& index) {
  std::vector<Device> devices = {index.suffixes.device()};
  for (const SuffixIndex& other : index.others) devices.push_back(other.suffixes().device());
  return devices;
}

/// The index on a device of devices_of().
const SuffixIndex::State& index_on(const SuffixIndex::State& index, std::size_t number) {
  return number == 0 ? index : runtime::state_of(index.others[number - 1]);
}

}  // namespace

SuffixIndex::State::State(SuffixArray of, std::vector<std::string> record_names)
    : suffixes(std::move(of)), names(std::move(record_names)) {
  const Text::State& text = runtime::state_of(suffixes.text());
  if (!names.empty() && names.size() + 1 != text.begins.size())
    throw InputError("names", {}, std::to_string(names.size()), std::to_string(text.begins.size() - 1));
  table = prefix_table(text.device(), text, suffixes.positions());
}

SuffixIndex::SuffixIndex(SuffixArray suffixes, std::vector<std::string> names)
    : SuffixIndex(std::make_unique<State>(std::move(suffixes), std::move(names))) {}
SuffixIndex::SuffixIndex(SuffixArray suffixes, std::vector<std::string> names, Devices others)
    : SuffixIndex(std::move(suffixes), std::move(names)) {
  if (others.empty()) return;
  const SuffixArray& from = state_->suffixes;
  runtime::check_host_memory("a suffix index that is copied",
                             from.positions().bytes() + runtime::state_of(from.text()).bytes());
  const Text text = from.text().copy_to(on_host);
  const std::vector<std::uint32_t> positions = from.download();
  from.device().finish();
  for (const Device& device : others) {
    state_->others.emplace_back(
        SuffixArray(text.copy_to(device), Array<std::uint32_t>(device, std::span<const std::uint32_t>(positions))),
        state_->names);
    // Other queues read it.
    device.finish();
  }
}
SuffixIndex::SuffixIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
SuffixIndex::SuffixIndex(SuffixIndex&&) noexcept = default;
SuffixIndex& SuffixIndex::operator=(SuffixIndex&&) noexcept = default;
SuffixIndex::~SuffixIndex() = default;

const SuffixArray& SuffixIndex::suffixes() const noexcept { return state_->suffixes; }
std::span<const std::string> SuffixIndex::names() const noexcept { return state_->names; }

std::uint64_t record_at(std::span<const std::uint64_t> begins, std::uint64_t position) {
  const auto behind = std::ranges::upper_bound(begins, position);
  return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, behind - begins.begin() - 1));
}

std::uint64_t SuffixIndex::record_of(std::uint64_t position) const {
  return record_at(state_->suffixes.text().begins(), position);
}

void SuffixIndex::find(const Patterns& patterns, Span<std::uint32_t> first, Span<std::uint32_t> counts) const {
  const Patterns::State& of = runtime::state_of(patterns);
  if (first.size() != of.count || counts.size() != of.count)
    throw InputError("results of a search", {}, std::to_string(std::min(first.size(), counts.size())) + " elements",
                     std::to_string(of.count));
  find_by(state_->suffixes.device(), *state_, of, first, counts);
}

std::vector<std::uint32_t> SuffixIndex::count(std::span<const std::string_view> patterns) const {
  if (state_->others.empty()) return count_by(state_->suffixes.device(), *state_, patterns);
  std::vector<std::uint32_t> counts;
  counts.reserve(patterns.size());
  search_on_devices(
      devices_of(*state_), patterns,
      [&](const Device& device, std::size_t number, std::span<const std::string_view> some) {
        return count_by(device, index_on(*state_, number), some);
      },
      [&](const std::vector<std::uint32_t>& some) { counts.insert(counts.end(), some.begin(), some.end()); });
  return counts;
}

Occurrences SuffixIndex::locate(std::span<const std::string_view> patterns, std::uint64_t most) const {
  if (state_->others.empty()) return locate_by(state_->suffixes.device(), *state_, patterns, most);
  Occurrences all{.begins = {0}, .positions = {}};
  all.begins.reserve(patterns.size() + 1);
  search_on_devices(
      devices_of(*state_), patterns,
      [&](const Device& device, std::size_t number, std::span<const std::string_view> some) {
        return locate_by(device, index_on(*state_, number), some, most);
      },
      [&](const Occurrences& some) { append(all, some); });
  return all;
}

}  // namespace genocl::overlap
