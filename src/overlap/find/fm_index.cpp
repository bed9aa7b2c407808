#include "overlap/find/fm_index.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "files/section_file.hpp"
#include "genocl/error.hpp"
#include "overlap/find/pattern_batches.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/pieces/sort_in_pieces.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* find_file = "overlap/find/fm_find.cl";
constexpr runtime::FileKind fm_kind{{'f', 'm', 'x'}, 1, "an FM-index", "genocl-overlap"};
/// Rows for each byte of the table of prefixes, and its maximum number of symbols.
constexpr std::uint64_t rows_per_table_byte = 16;
constexpr std::uint32_t max_table_symbols = 13;

std::uint64_t items_of(const Device& device, std::uint64_t count) {
  return runtime::uses_cpu_kernels(device) ? runtime::ceil_div(count, fm_together) : count;
}

/// [pattern]: the first row of the suffixes that begin with it, and their number.
struct FoundRows {
  Array<std::uint32_t> first, counts;
};

FoundRows find_rows(const Device& device, const FmIndex::State& index, std::span<const std::string_view> patterns) {
  const Patterns::State packed = pack_patterns(device, index.shape, patterns);
  FoundRows found{Array<std::uint32_t>(device, patterns.size()), Array<std::uint32_t>(device, patterns.size())};
  if (patterns.empty()) return found;
  const std::uint64_t items = items_of(device, patterns.size());
  runtime::launch_items(device, find_file, "find_patterns", index.defines(),
                        {.items = items, .bytes = packed.words.bytes() * 33 + packed.count * 24, .least = 8},
                        index.rank_arguments(), index.firsts, index.table, index.table_symbols, packed.words,
                        packed.begins, packed.lengths, found.first, found.counts, packed.count, items);
  return found;
}

std::vector<std::uint32_t> count_rows(const Device& device, const FmIndex::State& index,
                                      std::span<const std::string_view> patterns) {
  return find_rows(device, index, patterns).counts.download();
}

Occurrences locate_rows(const Device& device, const FmIndex::State& index, std::span<const std::string_view> patterns,
                        std::uint64_t most) {
  const FoundRows found = find_rows(device, index, patterns);
  return occurrences_of(device, found.counts.download(), most,
                        [&](const Array<std::uint64_t>& begins, Array<std::uint32_t>& places, std::uint64_t first_hit,
                            std::uint64_t hits) {
                          const std::uint64_t items = items_of(device, hits);
                          runtime::launch_items(device, find_file, "list_places", index.defines(),
                                                {.items = items, .bytes = hits * 64 * fm_sample, .least = 8},
                                                index.rank_arguments(), index.arrays.skip_positions,
                                                index.arrays.samples, found.first, begins, places,
                                                std::uint64_t{patterns.size()}, first_hit, hits, items);
                        });
}

template <class T>
Array<T> copy_to(const Device& device, const Array<T>& array) {
  return Array<T>(device, std::span<const T>(array.download()));
}

FmArrays copy_to(const Device& device, const FmArrays& from) {
  runtime::check_capacity(device, "an FM-index", from.blocks.bytes(), from.bytes());
  FmArrays to;
  to.rows = from.rows;
  to.firsts = from.firsts;
  to.blocks = copy_to(device, from.blocks);
  to.skips = copy_to(device, from.skips);
  to.skip_rows = copy_to(device, from.skip_rows);
  to.skip_positions = copy_to(device, from.skip_positions);
  to.samples = copy_to(device, from.samples);
  return to;
}

std::vector<Device> devices_of(const FmIndex::State& index) {
  std::vector<Device> devices = {index.device};
  for (const FmIndex& other : index.others) devices.push_back(runtime::state_of(other).device);
  return devices;
}

const FmIndex::State& index_on(const FmIndex::State& index, std::size_t number) {
  return number == 0 ? index : runtime::state_of(index.others[number - 1]);
}

/// The rows of an array whose positions come in parts.
class PartsOnDevice {
 public:
  explicit PartsOnDevice(const Text& text)
      : device_(text.device()),
        builder_(text),
        part_(std::min(FmBuilder::part_rows, std::max<std::uint64_t>(1, builder_.rows()))),
        to_skip_(builder_.skipped()),
        left_(builder_.rows()) {
    waiting_.reserve(part_);
  }

  void add(std::span<const std::uint32_t> positions) {
    const std::size_t skip = static_cast<std::size_t>(std::min<std::uint64_t>(to_skip_, positions.size()));
    to_skip_ -= skip;
    positions = positions.subspan(skip);
    while (!positions.empty()) {
      const std::size_t some = std::min<std::size_t>(part_ - waiting_.size(), positions.size());
      waiting_.insert(waiting_.end(), positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(some));
      positions = positions.subspan(some);
      if (waiting_.size() == part_) pass_on();
    }
  }

  FmArrays finish() {
    if (!waiting_.empty()) pass_on();
    if (left_ != 0) throw Error("a suffix array that lacks positions");
    return builder_.finish();
  }

 private:
  void pass_on() {
    const Array<std::uint32_t> part(device_, std::span<const std::uint32_t>(waiting_));
    builder_.add(part, 0, waiting_.size());
    left_ -= waiting_.size();
    waiting_.clear();
  }

  Device device_;
  FmBuilder builder_;
  std::uint64_t part_, to_skip_, left_;
  std::vector<std::uint32_t> waiting_;
};

FmArrays arrays_of(const SuffixArray& suffixes) {
  FmBuilder builder(suffixes.text());
  for (std::uint64_t row = 0; row < builder.rows(); row += FmBuilder::part_rows)
    builder.add(suffixes.positions(), builder.skipped() + row, std::min(FmBuilder::part_rows, builder.rows() - row));
  return builder.finish();
}

}  // namespace

FmIndex::State::State(Device on, TextShape of, std::vector<std::string> record_names, FmArrays made)
    : device(std::move(on)),
      shape(std::move(of)),
      names(std::move(record_names)),
      arrays(std::move(made)),
      firsts(device, std::span<const std::uint32_t>(arrays.firsts)) {
  if (!names.empty() && names.size() + 1 != shape.begins.size())
    throw InputError("names", {}, std::to_string(names.size()), std::to_string(shape.begins.size() - 1));
  while (table_symbols < max_table_symbols &&
         std::uint64_t{8} * rows_per_table_byte << 2 * (table_symbols + 1) <= arrays.rows)
    ++table_symbols;
  const std::uint64_t codes = std::uint64_t{1} << 2 * table_symbols;
  table = Array<std::uint32_t>(device, 2 * codes);
  runtime::launch_items(device, find_file, "fill_table", defines(), {.items = codes, .bytes = codes * 256},
                        rank_arguments(), firsts, table, table_symbols, codes);
  // Other queues read it.
  device.finish();
}

FmIndex::FmIndex(const SuffixArray& suffixes, std::vector<std::string> names, Devices others)
    : FmIndex(std::make_unique<State>(suffixes.device(), runtime::state_of(suffixes.text()), std::move(names),
                                      arrays_of(suffixes))) {
  for (const Device& device : others)
    state_->others.push_back(
        FmIndex(std::make_unique<State>(device, state_->shape, state_->names, copy_to(device, state_->arrays))));
}

FmIndex FmIndex::in_pieces(Devices devices, const Text& text, std::vector<std::string> names, bool check,
                           const PieceOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  if (text.size() > Text::longest)
    throw InputError("an FM-index of " + std::to_string(text.size()) + " symbols", {}, {},
                     "at most " + std::to_string(Text::longest));
  const Text on_device = text.copy_to(devices.front());
  PartsOnDevice parts(on_device);
  if (check) {
    const HostPositions sorted = sort_on_host(devices, text, false, options);
    if (const std::optional<std::uint64_t> wrong_at = first_error(devices.front(), text, sorted.narrow))
      throw Error("the suffix array is wrong at index " + std::to_string(*wrong_at));
    parts.add(sorted.narrow);
  } else {
    sort_in_pieces(devices, text,
                   PositionSink<std::uint32_t>([&](std::span<const std::uint32_t> some) { parts.add(some); }), options);
  }
  return FmIndex(
      std::make_unique<State>(devices.front(), runtime::state_of(on_device), std::move(names), parts.finish()));
}

bool FmIndex::is_index(const std::string& path) { return runtime::SectionFile::begins_as(path, fm_kind); }

void FmIndex::save(const std::string& path) const {
  const FmArrays& arrays = state_->arrays;
  runtime::Fields fields;
  fields.set("size", state_->shape.size);
  fields.set("breaks", state_->shape.has_separators ? 1 : 0);
  fields.set("sample", fm_sample);
  const std::string described = fields.text(), names = lines_of(state_->names);
  runtime::write_section_file(
      path, fm_kind,
      {runtime::section("fields", described), runtime::section("alphabet", state_->shape.alphabet),
       runtime::section("begins", state_->shape.begins), runtime::section("names", names),
       runtime::section("firsts", std::span<const std::uint32_t>(arrays.firsts)),
       array_section("blocks", arrays.blocks), array_section("skips", arrays.skips),
       array_section("skip_rows", arrays.skip_rows), array_section("skip_positions", arrays.skip_positions),
       array_section("samples", arrays.samples)});
}

namespace {

/// The sections of a file, checked so that no search leaves them.
struct FmFile {
  std::shared_ptr<const runtime::SectionFile> file;
  std::string path;
  TextShape shape;
  std::array<std::uint32_t, 5> firsts{};
  std::span<const std::uint64_t> blocks;
  std::span<const std::uint32_t> skips, skip_rows, skip_positions, samples;

  explicit FmFile(const std::string& of) : file(runtime::SectionFile::open(of, fm_kind)), path(of) {
    const runtime::Fields fields = file->fields();
    shape.size = fields.number("size");
    shape.has_separators = fields.number("breaks") != 0;
    if (shape.size > Text::longest || fields.number("sample") != fm_sample) wrong("fields");
    const auto symbols = file->array<std::uint8_t>("alphabet");
    shape.alphabet.assign(symbols.begin(), symbols.end());
    const auto records = file->array<std::uint64_t>("begins");
    shape.begins.assign(records.begin(), records.end());
    if (shape.alphabet.size() > 4 || shape.begins.size() < 2 || shape.begins.back() != shape.size ||
        !std::ranges::is_sorted(shape.begins))
      wrong("the text's records");
    const auto rows = file->array<std::uint32_t>("firsts");
    if (rows.size() != firsts.size() || !std::ranges::is_sorted(rows) || rows[0] != 0 || rows[4] > shape.size)
      wrong("rows");
    std::ranges::copy(rows, firsts.begin());
    blocks = file->array<std::uint64_t>("blocks");
    skips = file->array<std::uint32_t>("skips");
    skip_rows = file->array<std::uint32_t>("skip_rows");
    skip_positions = file->array<std::uint32_t>("skip_positions");
    samples = file->array<std::uint32_t>("samples");
    check_sizes();
    check_ranks();
  }

  FmIndex::State on(const Device& device) const {
    FmArrays arrays;
    arrays.rows = firsts[4];
    arrays.firsts = firsts;
    runtime::check_capacity(device, "an FM-index", blocks.size_bytes(), file_bytes());
    arrays.blocks = Array<std::uint64_t>(device, blocks);
    arrays.skips = Array<std::uint32_t>(device, skips);
    arrays.skip_rows = Array<std::uint32_t>(device, skip_rows);
    arrays.skip_positions = Array<std::uint32_t>(device, skip_positions);
    arrays.samples = Array<std::uint32_t>(device, samples);
    return {device, shape, names_of_lines(file->text("names")), std::move(arrays)};
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    throw InputError(path + ": " + what + ": not a whole FM-index");
  }

  std::uint64_t file_bytes() const {
    return blocks.size_bytes() + skips.size_bytes() + 2 * skip_rows.size_bytes() + samples.size_bytes();
  }

  void check_sizes() const {
    const std::uint64_t count = firsts[4] / fm_rows + 1;
    const std::uint64_t sampled = std::max<std::uint64_t>(1, runtime::ceil_div(firsts[4], fm_sample));
    if (blocks.size() != count * fm_words || skips.size() != count + 1 || samples.size() != sampled) wrong("blocks");
    if (!std::ranges::is_sorted(skips) || skips[0] != 0 || skip_rows.size() != std::max(1u, skips.back()) ||
        skip_positions.size() != skip_rows.size())
      wrong("skips");
    const auto outside = [&](std::uint32_t position) { return position >= shape.size; };
    if (firsts[4] > 0 && (std::ranges::any_of(samples, outside) || std::ranges::any_of(skip_positions, outside)))
      wrong("positions");
  }

  /// The ranks follow from the letters, and stay in the rows of their letter.
  void check_ranks() const {
    std::array<std::uint64_t, 4> rank{};
    for (std::size_t b = 0; b + 1 < skips.size(); ++b) {
      const auto block = blocks.subspan(b * fm_words, fm_words);
      std::array<std::uint64_t, 4> here{};
      const std::uint64_t rows = std::min<std::uint64_t>(fm_rows, firsts[4] - b * fm_rows);
      for (std::size_t w = 2; w < fm_words; w += 2) {
        here[1] += static_cast<unsigned>(std::popcount(block[w] & ~block[w + 1]));
        here[2] += static_cast<unsigned>(std::popcount(block[w + 1] & ~block[w]));
        here[3] += static_cast<unsigned>(std::popcount(block[w] & block[w + 1]));
      }
      here[0] = rows - here[1] - here[2] - here[3] - (skips[b + 1] - skips[b]);
      for (std::size_t c = 0; c < 4; ++c) {
        const std::uint64_t stored = static_cast<std::uint32_t>(block[c / 2] >> 32 * (c % 2));
        if (b == 0 ? stored < firsts[c] : stored != rank[c]) wrong("ranks");
        rank[c] = stored + here[c];
      }
    }
    for (std::size_t c = 0; c < 4; ++c)
      if (rank[c] != firsts[c + 1]) wrong("ranks");
  }
};

}  // namespace

FmIndex FmIndex::open(Devices devices, const std::string& path) {
  if (devices.empty()) throw InputError("no device given");
  const FmFile mapped(path);
  FmIndex index(std::make_unique<State>(mapped.on(devices.front())));
  for (const Device& device : devices.subspan(1))
    index.state_->others.push_back(FmIndex(std::make_unique<State>(mapped.on(device))));
  return index;
}

FmIndex::FmIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
FmIndex::FmIndex(FmIndex&&) noexcept = default;
FmIndex& FmIndex::operator=(FmIndex&&) noexcept = default;
FmIndex::~FmIndex() = default;

std::uint64_t FmIndex::size() const noexcept { return state_->shape.size; }
std::uint64_t FmIndex::bytes() const noexcept { return state_->arrays.bytes(); }
std::span<const std::string> FmIndex::names() const noexcept { return state_->names; }
std::span<const std::uint64_t> FmIndex::begins() const noexcept { return state_->shape.begins; }
std::uint64_t FmIndex::record_of(std::uint64_t position) const { return record_at(state_->shape.begins, position); }

std::vector<std::uint32_t> FmIndex::count(std::span<const std::string_view> patterns) const {
  if (state_->others.empty()) return count_rows(state_->device, *state_, patterns);
  std::vector<std::uint32_t> counts;
  counts.reserve(patterns.size());
  search_on_devices(
      devices_of(*state_), patterns,
      [&](const Device& device, std::size_t number, std::span<const std::string_view> some) {
        return count_rows(device, index_on(*state_, number), some);
      },
      [&](const std::vector<std::uint32_t>& some) { counts.insert(counts.end(), some.begin(), some.end()); });
  return counts;
}

Occurrences FmIndex::locate(std::span<const std::string_view> patterns, std::uint64_t most) const {
  if (state_->others.empty()) return locate_rows(state_->device, *state_, patterns, most);
  Occurrences all{.begins = {0}, .positions = {}};
  all.begins.reserve(patterns.size() + 1);
  search_on_devices(
      devices_of(*state_), patterns,
      [&](const Device& device, std::size_t number, std::span<const std::string_view> some) {
        return locate_rows(device, index_on(*state_, number), some, most);
      },
      [&](const Occurrences& some) { append(all, some); });
  return all;
}

}  // namespace genocl::overlap
