// Suffix arrays by prefix-free parsing (Boucher, Gagie, Kuhnle, Langmead, Manzini, Mun, "Prefix-free parsing for
// building big BWTs", 2019), on the device.
//
// The text is cut at windows that hash to 0, so that equal strings have the same cuts. The dictionary of different
// phrases is sorted with all suffixes of phrases, and the string of phrases by DC3. A suffix of the text is ordered by
// its part up to the end of its phrase, then by the phrases after it: no such part that is longer than the window is a
// prefix of another.
#include "overlap/suffix/suffix_array.hpp"

#include <array>
#include <optional>
#include <utility>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/suffix/dc3.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using Words = Array<std::uint32_t>;
using ScratchWords = runtime::ScratchArray<std::uint32_t>;

const char* const cut_file = "overlap/suffix/phrases_cut.cl";
const char* const dictionary_file = "overlap/suffix/phrases_dictionary.cl";
const char* const order_file = "overlap/suffix/phrases_order.cl";
const char* const places_file = "overlap/suffix/phrases_places.cl";

/// Symbols of a window that is rarely equal by chance.
unsigned default_window(unsigned text_bits) { return text_bits == 2 ? 16 : text_bits == 4 ? 12 : 8; }

class Phrases {
 public:
  Phrases(const Device& device, const Text::State& text, const PhraseOptions& options, StepClock& clock)
      : device_(device), text_(text), options_(options), clock_(clock), defines_(text.defines()) {
    if (options_.window == 0) options_.window = default_window(text.bits);
    defines_.set("PHRASE_WINDOW", options_.window).set("PHRASE_BITS", options_.bits);
  }

  /// Cuts the text. Returns false if another method is better.
  bool cut() {
    for (unsigned attempt = 0; attempt < 3; ++attempt) {
      const Found found = try_to_cut(options_.seed + attempt * 0x9e37'79b9u);
      if (found == Found::nothing) return false;
      if (found == Found::phrases) return true;
    }
    return false;
  }

  /// Returns the levels of recursion.
  unsigned sort(Words& positions) {
    class_dictionary();
    clock_.done("dictionary");
    const unsigned levels = order_phrases();
    clock_.done("string of phrases");
    place(positions);
    clock_.done("places");
    return levels;
  }

 private:
  enum class Found { phrases, nothing, clash };

  template <class... Arguments>
  void launch(const char* file, const char* name, std::uint64_t items, std::uint64_t bytes,
              const Arguments&... arguments) {
    if (items != 0) launch_items(device_, file, name, defines_, {.items = items, .bytes = bytes}, arguments..., items);
  }
  static std::uint32_t word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

  Found try_to_cut(std::uint32_t seed) {
    if (!find_starts(seed)) return Found::nothing;
    clock_.done("phrases");
    const Found found = find_entries(seed);
    clock_.done("different phrases");
    return found;
  }

  bool find_starts(std::uint32_t seed) {
    const std::uint64_t blocks = ceil_div(text_.size, 32);
    ScratchWords marks(device_, blocks), counts(device_, blocks), offsets(device_, blocks + 1);
    launch(cut_file, "phrase_mark", blocks, text_.bytes() + blocks * 8, text_.words, text_.separators, text_.size, seed,
           marks, counts);
    primitives::exclusive_scan(device_, counts, offsets);
    std::uint32_t count = 0;
    offsets.download(std::span(&count, 1), blocks);
    count_ = count;
    if (!options_.even_if_many && count_ > text_.size / 8) return false;
    starts_ = ScratchWords(device_, count_ + 1);
    launch(cut_file, "phrase_write_starts", blocks, blocks * 8 + count_ * 4, marks, offsets, starts_, word(count_),
           word(text_.size));
    return true;
  }

  Found find_entries(std::uint32_t seed) {
    runtime::ScratchArray<std::uint64_t> hashes(device_, count_);
    ScratchWords phrases(device_, count_), status(device_, 2);
    status.fill(0);
    launch(cut_file, "phrase_hash", count_, text_.bytes() + count_ * 16, text_.words, text_.separators, text_.size,
           starts_, seed, options_.longest, 64 - options_.hash_bits, hashes, phrases, status);
    primitives::sort(device_, hashes, phrases, {.last_bit = options_.hash_bits});
    ScratchWords news(device_, count_), lengths(device_, count_), places(device_, count_ + 1);
    launch(cut_file, "phrase_compare", count_, text_.bytes() + count_ * 20, text_.words, text_.separators, text_.size,
           starts_, hashes, phrases, news, lengths, status);
    primitives::inclusive_scan(device_, news, news);
    std::array<std::uint32_t, 2> state{};
    std::uint32_t entries = 0;
    status.download(state);
    news.download(std::span(&entries, 1), count_ - 1);
    entry_count_ = entries;
    if (state[0] != 0) return Found::nothing;
    if (state[1] != 0) return Found::clash;
    dictionary_size_ = dictionary_places(device_, lengths);
    if (!dictionary_is_worth_it(dictionary_size_, count_, text_.size, options_.even_if_many)) return Found::nothing;
    primitives::exclusive_scan(device_, lengths, places);
    entries_ = ScratchWords(device_, count_);
    firsts_ = ScratchWords(device_, entry_count_);
    begins_ = ScratchWords(device_, entry_count_);
    launch(cut_file, "phrase_enter", count_, count_ * 24, phrases, news, places, entries_, firsts_, begins_);
    return Found::phrases;
  }

  /// The dictionary as a text with separators.
  Text::State write_dictionary() {
    TextShape shape{.size = dictionary_size_, .bits = text_.bits, .has_separators = true};
    shape.alphabet = text_.alphabet;
    shape.begins = {0, shape.size};
    Text::State dictionary(device_, std::move(shape));
    runtime::fill(device_, dictionary.words.buffer(), "\0", 1, dictionary.words.bytes());
    dictionary.separators.fill(0);
    launch(dictionary_file, "phrase_dictionary", ceil_div(dictionary.size, 32), dictionary.bytes() * 2, text_.words,
           text_.separators, text_.size, starts_, firsts_, begins_, word(entry_count_), dictionary.words,
           dictionary.separators);
    return dictionary;
  }

  /// classes_[position of the dictionary]: the rank of the suffix of a phrase there.
  void class_dictionary() {
    const std::uint64_t size = dictionary_size_;
    const Text::State dictionary = write_dictionary();
    ScratchWords order(device_, size), used(device_, size);
    BuildReport own;
    build_by_rounds(device_, dictionary, order, own);
    classes_ = ScratchWords(device_, size);
    classes_.fill(0);
    launch(dictionary_file, "phrase_leave_out", entry_count_, size, text_.separators, text_.size, starts_, firsts_,
           begins_, classes_);
    std::uint64_t used_count = 0;
    {
      runtime::ScratchArray<std::uint8_t> flags(device_, size);
      launch(dictionary_file, "phrase_flag_used", size, size * 9, order, classes_, flags);
      used_count = primitives::select(device_, order, flags, used);
    }
    // Separators of the text are one class; without separators the end is in it.
    ScratchWords numbers(device_, used_count);
    launch_items(device_, dictionary_file, "phrase_mark_classes",
                 dictionary.defines().set("PHRASE_WINDOW", options_.window),
                 {.items = used_count, .bytes = used_count * 40}, dictionary.words, dictionary.separators,
                 dictionary.size, used, numbers, used_count);
    primitives::inclusive_scan(device_, numbers, numbers);
    launch(dictionary_file, "phrase_write_classes", used_count, used_count * 12, used, numbers, classes_);
    std::uint32_t last = 0;
    numbers.download(std::span(&last, 1), used_count - 1);
    class_count_ = last;
  }

  /// order_: the phrases in the order of their suffixes within a class.
  unsigned order_phrases() {
    unsigned levels = 0;
    ScratchWords string_order(device_, count_);
    {
      ScratchWords keys(device_, count_), phrases(device_, count_), names(device_, count_);
      launch(order_file, "phrase_keys", count_, count_ * 20, entries_, begins_, classes_, last_first(), keys, phrases);
      primitives::sort(device_, keys, phrases, {.last_bit = sort_key_bits(class_count_)});
      ScratchWords numbers(device_, count_);
      launch(order_file, "phrase_mark_names", count_, count_ * 20, text_.separators, text_.size, starts_, keys, phrases,
             numbers);
      primitives::inclusive_scan(device_, numbers, numbers);
      launch(order_file, "phrase_write_names", count_, count_ * 12, phrases, numbers, names);
      keys = ScratchWords();
      phrases = ScratchWords();
      numbers = ScratchWords();
      levels = sort_suffixes_of_names(device_, names.buffer(), count_, count_, string_order.buffer());
    }
    ScratchWords candidates(device_, 2 * count_);
    runtime::ScratchArray<std::uint8_t> flags(device_, 2 * count_);
    runtime::ScratchArray<std::uint64_t> number(device_, 1);
    launch(order_file, "phrase_candidates", 2 * count_, count_ * 30, text_.separators, text_.size, starts_,
           string_order, last_first(), candidates, flags);
    order_ = ScratchWords(device_, count_);
    primitives::select(device_, candidates, flags, order_, number);
    return levels;
  }

  void place(Words& positions) {
    const std::uint64_t size = text_.size;
    ScratchWords keys(device_, size);
    {
      ScratchWords offsets(device_, count_);
      launch(order_file, "phrase_lengths", count_, count_ * 16, starts_, order_, offsets);
      primitives::exclusive_scan(device_, offsets, offsets);
      const unsigned team = runtime::uses_cpu_kernels(device_) ? 1 : 32;
      launch_items(device_, places_file, "phrase_places", runtime::Defines().set("PHRASE_TEAM", team),
                   {.items = count_ * team, .bytes = size * 12}, starts_, order_, offsets, entries_, begins_, classes_,
                   keys, positions, count_ * team);
    }
    for (ScratchWords* done : {&starts_, &entries_, &firsts_, &begins_, &classes_, &order_}) *done = ScratchWords();
    const primitives::SortOptions bits{.last_bit = sort_key_bits(class_count_ - 1)};
    primitives::sort(device_, keys, positions.first(size), bits);
  }

  /// True if the last phrase ends at the end of the text, not at a separator before it.
  std::uint32_t last_first() {
    if (!last_first_) {
      last_first_ = 1;
      if (text_.has_separators) {
        std::uint32_t bits = 0;
        const std::uint64_t last = text_.size - 1;
        text_.separators.download(std::span(&bits, 1), last / 32);
        last_first_ = (bits >> (31 - last % 32) & 1) != 0 ? 0 : 1;
      }
    }
    return *last_first_;
  }

  const Device& device_;
  const Text::State& text_;
  PhraseOptions options_;
  StepClock& clock_;
  runtime::Defines defines_;
  std::uint64_t count_ = 0, entry_count_ = 0, dictionary_size_ = 0, class_count_ = 0;
  std::optional<std::uint32_t> last_first_;
  ScratchWords starts_, entries_, firsts_, begins_, classes_, order_;
};

}  // namespace

std::uint64_t dictionary_places(const Device& device, const Array<std::uint32_t>& lengths) {
  return primitives::wide_sum(device, lengths);
}

bool dictionary_is_worth_it(std::uint64_t places, std::uint64_t phrases, std::uint64_t size, bool even_if_many) {
  if (places > Text::longest) return false;
  return even_if_many || places + phrases <= size / 3;
}

bool build_by_phrases(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                      const SuffixArrayOptions& options, BuildReport& report, const PhraseOptions& settings) {
  if (text.size == 0) return false;
  StepClock clock(device, options, report);
  Phrases phrases(device, text, settings, clock);
  if (!phrases.cut()) return false;
  ask_progress(options, 0, text.size);
  report.levels = phrases.sort(positions);
  ask_progress(options, text.size, text.size);
  return true;
}

}  // namespace genocl::overlap
