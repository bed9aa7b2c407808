// DC3 as Zhong et al. run it on a GPU ("Solving the longest overlap region problem for noncoding DNA sequences with
// GPU"): names are triples on every level, from the symbols of the text down to where all names differ, and all that is
// sorted is sorted by Algorithm 1: chunks by the split radix sort, which are merged.
//
// Their text compares suffixes of residue 2 by the rank of i + 1, which orders some wrongly; this uses i + 2. Each
// separator is a separate symbol here, and the merge uses the merge path.
#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/suffix/dc3.hpp"
#include "overlap/suffix/suffix_array.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
namespace {

using namespace dc3;
using runtime::ceil_div;
using runtime::launch_items;
using runtime::Scratch;

const char* const string_file = "overlap/published/dc3_string.cl";
const char* const published_names_file = "overlap/published/dc3_names.cl";
/// In shorter strings all triples differ, since all but one contain the end.
constexpr std::uint64_t fewest_that_repeat = 5;

/// Words of the scan of separators; the last one is their number.
std::uint64_t count_words(std::uint64_t size) { return ceil_div(size, 32) + 1; }

/// The text as numbers in [1, largest].
struct NumberString {
  Scratch numbers;
  std::uint64_t largest = 0;
};

std::uint32_t read_word(const Device& device, const cl::Buffer& buffer, std::uint64_t index) {
  std::uint32_t value = 0;
  runtime::download(device, buffer, index * 4, &value, 4);
  return value;
}

NumberString numbers_of(const Device& device, const Text::State& text) {
  NumberString string{.numbers = Scratch(device, text.size * 4)};
  const std::uint64_t words = count_words(text.size);
  const Scratch counts(device, words * 4);
  std::uint32_t separators = 0;
  if (text.has_separators) {
    const Span<std::uint32_t> before = counts.span<std::uint32_t>(words);
    launch_items(device, string_file, "published_count_separators", text.defines(),
                 {.items = words, .bytes = words * 8}, text.separators, words - 1, counts, words);
    primitives::exclusive_scan(device, before, before);
    separators = read_word(device, counts.buffer(), words - 1);
  }
  string.largest = separators + (std::uint64_t{1} << text.bits);
  if (string.largest > 0xffff'ffffu)
    throw InputError("a text with " + std::to_string(separators) + " separators: more than published can number");
  launch_items(device, string_file, "published_string", text.defines(),
               {.items = text.size, .bytes = text.size * 4 + text.bytes()}, text.words, text.separators, counts,
               separators, string.numbers, text.size);
  return string;
}

class Published {
 public:
  Published(const Device& device, const SuffixArrayOptions& options, BuildReport& report, std::uint64_t size)
      : device_(device), options_(options), clock_(device, options, report), size_(size) {}

  void build(const Text::State& text, const cl::Buffer& order) {
    const NumberString string = numbers_of(device_, text);
    clock_.done("string");
    sort(string.numbers, text.size, string.largest, order);
  }

  unsigned levels() const { return levels_; }

 private:
  /// order[0, size) becomes the suffix array of numbers in [1, largest].
  void sort(const Scratch& string, std::uint64_t size, std::uint64_t largest, const cl::Buffer& order) {
    const Level level{
        .string = string.buffer(), .separators = string.buffer(), .size = size, .symbol_bits = bits_of(largest)};
    Sample sample;
    const std::uint64_t names = name_triples(level, order, sample);
    done("names", size);
    if (names < level.samples()) sort_names(level, names, order, sample);
    const Scratch others(device_, level.firsts() * 4);
    order_firsts(device_, level, chunk_sort, sample.samples, others);
    done("residue 0", size);
    merge(device_, level, sample, others, false, order);
    done("merge", size);
  }

  /// Returns the number of names.
  std::uint64_t name_triples(const Level& level, const cl::Buffer& order, Sample& sample) {
    const std::uint64_t count = level.samples();
    const Scratch memory = mark_triples(device_, level, chunk_sort, order, sample);
    const Span<std::uint32_t> names = memory.span<std::uint32_t>(count);
    launch_items(device_, published_names_file, "published_count_names", level.defines(),
                 {.items = count, .bytes = count * 8}, names, count);
    primitives::inclusive_scan(device_, names, names);
    sample.samples = Scratch(device_, count * 4);
    launch_items(device_, published_names_file, "published_place_names", level.defines(),
                 {.items = count, .bytes = count * 16}, order, names, word(level.firsts()), sample.ranks,
                 sample.samples, count);
    return read_word(device_, memory.buffer(), count - 1);
  }

  /// The sample's order is that of the suffixes of its names.
  void sort_names(const Level& level, std::uint64_t names, const cl::Buffer& order, Sample& sample) {
    ++levels_;
    sample.samples = Scratch();
    // The pool's buffers do not fit a smaller level.
    if (level.size >= large) device_.release_scratch();
    sort(sample.ranks, level.samples(), names, order);
    if (level.size >= large) device_.release_scratch();
    place_ranks(device_, level, order, sample);
  }

  /// A level has three steps, and all levels together have at most three times the symbols of the text.
  void done(const char* step, std::uint64_t size) {
    clock_.done(step);
    steps_ += size;
    ask_progress(options_, std::min(size_, steps_ / 9), size_);
  }

  const Device& device_;
  const SuffixArrayOptions& options_;
  StepClock clock_;
  std::uint64_t size_ = 0, steps_ = 0;
  unsigned levels_ = 0;
};

/// Bytes of a level, without its string.
std::uint64_t published_level_bytes(std::uint64_t size) {
  const std::uint64_t firsts = (size + 2) / 3, samples = firsts + size / 3;
  const std::uint64_t naming = samples * 4 + chunk_sort_bytes(samples);
  // Ranks, samples, others, their keys and the flags of a selection.
  const std::uint64_t merging = samples * 8 + firsts * 8 + samples + chunk_sort_bytes(firsts);
  return std::max(naming, merging) + size / merge_tile * 4 + (std::uint64_t{1} << 16);
}

}  // namespace

void chunk_sort(const Device& device, const Span<std::uint32_t>& keys, const Span<std::uint32_t>& values,
                unsigned bits) {
  constexpr const char* file = "overlap/published/chunk_sort.cl";
  const std::uint64_t size = keys.size();
  if (size < 2 || bits == 0) return;
  const runtime::Scratch key_memory(device, size * 4), value_memory(device, size * 4);
  const cl::Buffer key_buffer = runtime::operand_buffer(device, keys.view()),
                   value_buffer = runtime::operand_buffer(device, values.view());
  const bool on_cpu = runtime::uses_cpu_kernels(device);
  const unsigned chunk = on_cpu ? 256 : runtime::group_size(device, {}, 256);
  const std::uint64_t chunks = runtime::ceil_div(size, chunk);
  runtime::Defines defines;
  defines.set("CHUNK", chunk);
  if (on_cpu) {
    defines.set("ONLY_CPU", 1);
    const runtime::Shares shares = runtime::share_out(device, {}, chunks, 1, 8);
    runtime::Kernel(device, file, "published_sort_chunks_cpu", defines)
        .args(key_buffer, value_buffer, bits, size, shares.share)
        .run(shares.workers, 1, size * 16);
  } else {
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", chunk);
    runtime::Kernel(device, file, "published_sort_chunks_gpu", defines)
        .args(key_buffer, value_buffer, bits, size)
        .run(chunks, chunk, size * 16);
  }
  const std::uint32_t mask = bits >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << bits) - 1;
  const std::uint64_t merged = on_cpu ? chunk : 16, parts = runtime::ceil_div(size, merged);
  cl::Buffer from_keys = key_buffer, from_values = value_buffer;
  cl::Buffer to_keys = key_memory.buffer(), to_values = value_memory.buffer();
  bool is_copied = false;
  for (std::uint64_t width = chunk; width < size; width *= 2) {
    runtime::launch_items(device, file, "published_merge", runtime::Defines().set("MERGED", merged),
                          {.items = parts, .bytes = size * 16, .least = 8}, from_keys, from_values, to_keys, to_values,
                          mask, width, size, parts);
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
    is_copied = !is_copied;
  }
  if (!is_copied) return;
  runtime::copy(device, key_memory.buffer(), 0, key_buffer, 0, size * 4);
  runtime::copy(device, value_memory.buffer(), 0, value_buffer, 0, size * 4);
}

std::uint64_t chunk_sort_bytes(std::uint64_t size) { return size * 8 + (std::uint64_t{1} << 15); }

void build_published(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                     const SuffixArrayOptions& options, BuildReport& report) {
  ask_progress(options, 0, text.size);
  if (text.size == 0) return;
  Published published(device, options, report, text.size);
  published.build(text, positions.buffer());
  report.levels = published.levels();
  ask_progress(options, text.size, text.size);
}

std::uint64_t published_bytes(std::uint64_t size) {
  std::uint64_t strings = size * 4, peak = strings + std::max(published_level_bytes(size), count_words(size) * 4);
  while (size >= fewest_that_repeat) {
    size = (size + 2) / 3 + size / 3;
    strings += size * 4 + 4;
    peak = std::max(peak, strings + published_level_bytes(size));
  }
  return peak;
}

}  // namespace genocl::overlap
