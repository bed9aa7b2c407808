// A suffix index in a file of sections.
#include "overlap/find/index_file.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/overlap/from_pieces.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "overlap/find/index_state.hpp"
#include "overlap/pieces/host_positions.hpp"
#include "overlap/text/host_text_state.hpp"
#include "overlap/text/text_state.hpp"

namespace genocl::overlap {
namespace {

constexpr runtime::FileKind index_kind{{'s', 'f', 'x'}, 1, "a suffix index", "genocl-overlap"};
constexpr std::size_t piece = std::size_t{1} << 22;

/// What lies on a device, piece by piece.
template <class T>
runtime::Section on_device(std::string name, const Array<T>& array) {
  return runtime::streamed_section(std::move(name), array.bytes(), [&array](const auto& sink) {
    std::vector<T> some(std::min(piece, array.size()));
    for (std::size_t first = 0; first < array.size(); first += piece) {
      const std::span<T> now(some.data(), std::min(piece, array.size() - first));
      array.download(now, first);
      sink(std::as_bytes(now));
    }
  });
}

/// `text`: of a device or of the host.
template <class TextState>
void write_index(const std::string& path, const TextState& text, const std::vector<std::string>& all_names,
                 runtime::Section words, runtime::Section breaks, runtime::Section positions) {
  runtime::Fields fields;
  fields.set("size", text.size);
  fields.set("bits", text.bits);
  fields.set("breaks", text.has_breaks ? 1 : 0);
  const std::string described = fields.text();
  std::string names;
  for (const std::string& name : all_names) names += name + '\n';
  runtime::write_section_file(path, index_kind,
                              {runtime::section("fields", described), runtime::section("alphabet", text.alphabet),
                               runtime::section("begins", text.begins), runtime::section("names", names),
                               std::move(words), std::move(breaks), std::move(positions)});
}

[[noreturn]] void wrong(const std::string& path, const std::string& what) {
  throw InputError(path + ": " + what + ": not a whole suffix index");
}

}  // namespace

void SuffixIndex::save(const std::string& path) const {
  const Text::State& text = state_->suffixes.text().state();
  write_index(path, text, state_->names, on_device("words", text.words), on_device("breaks", text.breaks),
              on_device("positions", state_->suffixes.positions()));
}

void save_index(const std::string& path, const HostText& text, const std::vector<std::string>& names,
                runtime::Section positions) {
  const HostText::State& state = text.state();
  if (!names.empty() && names.size() + 1 != state.begins.size())
    throw InputError("names", {}, std::to_string(names.size()), std::to_string(state.begins.size() - 1));
  if (state.size > Text::longest)
    throw InputError(path, {}, std::to_string(state.size) + " symbols",
                     "an index of at most " + std::to_string(Text::longest));
  write_index(path, state, names, runtime::section("words", state.words), runtime::section("breaks", state.breaks),
              std::move(positions));
}

void save_index_in_pieces(std::span<const Device> devices, const HostText& text, const std::vector<std::string>& names,
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
  size = fields.number("size");
  bits = static_cast<unsigned>(fields.number("bits"));
  has_breaks = fields.number("breaks") != 0;
  if (size > Text::longest || (bits != 2 && bits != 4 && bits != 8)) wrong(path, "fields");
  const auto symbols = file->array<std::uint8_t>("alphabet");
  alphabet.assign(symbols.begin(), symbols.end());
  const auto records = file->array<std::uint64_t>("begins");
  begins.assign(records.begin(), records.end());
  if (alphabet.size() > std::size_t{1} << bits || begins.size() < 2 || begins.back() != size ||
      !std::ranges::is_sorted(begins))
    wrong(path, "the text's records");
  words = file->array<std::uint64_t>("words");
  breaks = file->array<std::uint32_t>("breaks");
  positions = file->array<std::uint32_t>("positions");
  const std::uint64_t blocks = (size + 31) / 32;
  if (words.size() != blocks * bits / 2 + Text::State::margin_words || breaks.size() != (has_breaks ? blocks + 6 : 1) ||
      positions.size() != size)
    wrong(path, "the text");
  if (std::ranges::any_of(positions, [&](std::uint32_t position) { return position >= size; }))
    wrong(path, "positions");
  const std::string_view all = file->text("names");
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    names.emplace_back(all.substr(at, end - at));
    at = end + 1;
  }
  if (!names.empty() && names.size() + 1 != begins.size()) wrong(path, "names");
}

void wrong_order(const std::string& path) { wrong(path, "positions in another order"); }

SuffixIndex bring_to(const Device& device, const IndexFile& file) {
  auto text = std::make_shared<Text::State>(Text::State{.device = device});
  text->size = file.size;
  text->bits = file.bits;
  text->has_breaks = file.has_breaks;
  text->alphabet = file.alphabet;
  text->begins = file.begins;
  text->words = runtime::ScratchArray<std::uint64_t>(device, file.words.size());
  text->words.upload(file.words);
  text->breaks = runtime::ScratchArray<std::uint32_t>(device, file.breaks.size());
  text->breaks.upload(file.breaks);
  return SuffixIndex(SuffixArray(Text::of(std::move(text)), Array<std::uint32_t>(device, file.positions)), file.names);
}

SuffixIndex SuffixIndex::open(std::span<const Device> devices, const std::string& path, bool check) {
  if (devices.empty()) throw InputError("no device given");
  const IndexFile mapped(path);
  SuffixIndex index = bring_to(devices.front(), mapped);
  if (check && first_error(index.suffixes().text(), index.suffixes().positions())) wrong_order(path);
  for (const Device& device : devices.subspan(1)) index.state_->others.push_back(bring_to(device, mapped));
  // Other queues read it.
  for (const Device& device : devices) device.finish();
  return index;
}

SuffixIndex SuffixIndex::open(const Device& device, const std::string& path, bool check) {
  return open(std::span(&device, 1), path, check);
}

}  // namespace genocl::overlap
