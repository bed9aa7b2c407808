#include "genocl/pwm/background.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>

#include "genocl/error.hpp"
#include "pwm/motif_file.hpp"

namespace genocl::pwm {
namespace {

constexpr unsigned highest_order = 2;
/// Frequencies of two or three digits, as in files, need not sum to one.
constexpr double sum_tolerance = 0.0101;

constexpr std::size_t words_of_length(unsigned length) { return std::size_t{1} << (2 * length); }

std::string letters_of(std::size_t word, unsigned length) {
  std::string letters;
  for (unsigned i = length; i-- > 0;) letters += dna::decode(static_cast<Code>(word >> (2 * i) & 3));
  return letters;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// The word's reverse complement.
std::size_t other_strand(std::size_t word, unsigned length) {
  std::size_t other = 0;
  for (unsigned i = 0; i < length; ++i) other = other << 2 | (3 - (word >> (2 * i) & 3));
  return other;
}

/// Count of each word of `length` bases in the text.
std::vector<double> word_counts(const SequenceSet& text, unsigned length) {
  std::vector<std::uint64_t> counts(words_of_length(length));
  const std::size_t mask = counts.size() - 1;
  for (std::size_t record = 0; record < text.size(); ++record) {
    std::size_t word = 0;
    unsigned bases = 0;  // consecutive bases, up to `length`
    for (const Code code : text[record]) {
      if (!dna::is_base(code)) {
        bases = 0;
        continue;
      }
      word = (word << 2 | code) & mask;
      if (bases < length) ++bases;
      if (bases == length) ++counts[word];
    }
  }
  return {counts.begin(), counts.end()};
}

/// [word]: frequencies of the words of one length in a file.
using Frequencies = std::vector<std::optional<double>>;

std::vector<double> complete(const Frequencies& found, unsigned length, const std::string& file) {
  std::vector<double> frequencies;
  double sum = 0;
  for (std::size_t word = 0; word < found.size(); ++word) {
    if (!found[word]) throw InputError(file, {}, "no frequency for " + letters_of(word, length), "one for every word");
    frequencies.push_back(*found[word]);
    sum += *found[word];
  }
  if (std::abs(sum - 1) > sum_tolerance)
    throw InputError(file, {}, "frequencies of words of length " + std::to_string(length) + " sum to " + number(sum),
                     "1");
  return frequencies;
}

}  // namespace

Background::Background() = default;

Background::Background(const std::array<double, 4>& frequencies) {
  const double sum = std::accumulate(frequencies.begin(), frequencies.end(), 0.0);
  for (const double frequency : frequencies)
    if (!(frequency > 0) || !std::isfinite(frequency))
      throw InputError("background", {}, "a frequency of " + number(frequency), "four numbers above 0 that sum to one");
  if (!(std::abs(sum - 1) <= sum_tolerance))
    throw InputError("background", {}, "frequencies that sum to " + number(sum), "1");
  set_words({frequencies.begin(), frequencies.end()});
}

Background Background::parse(std::string_view text, const std::string& file) {
  std::array<Frequencies, highest_order + 1> found;  // [length - 1]
  for (unsigned length = 1; length <= found.size(); ++length) found[length - 1].resize(words_of_length(length));
  unsigned longest = 0;
  TextLines lines(text, file);
  while (lines.next()) {
    std::string_view line = lines.line();
    line = line.substr(0, line.find('#'));
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty()) continue;
    if (fields.size() != 2) lines.fail(in_quotes(lines.line()), "a word and its frequency");
    const std::string_view letters = fields[0];
    std::size_t word = 0;
    for (const char letter : letters) {
      const Code code = dna::encode(letter);
      if (!dna::is_base(code)) lines.fail(in_quotes(letters), "a word of A, C, G and T");
      word = word << 2 | code;
    }
    const double frequency = lines.number(fields[1]);
    if (letters.size() == 1 && !(frequency > 0)) lines.fail("frequency " + shown(fields[1]), "a number above 0");
    if (!(frequency >= 0)) lines.fail("frequency " + shown(fields[1]), "0 or more");
    if (letters.size() > found.size()) continue;
    const auto length = static_cast<unsigned>(letters.size());
    std::optional<double>& place = found[length - 1][word];
    if (place) lines.fail("a second frequency for " + letters_of(word, length), "one for every word");
    place = frequency;
    longest = std::max(longest, length);
  }
  if (longest == 0) throw InputError(file, {}, "no background in it", "lines of a word and its frequency");
  Background background;
  // Shorter words are required, as in every file of that format.
  for (unsigned length = 1; length <= longest; ++length)
    background.set_words(complete(found[length - 1], length, file));
  return background;
}

Background Background::of(const SequenceSet& text, unsigned order, bool both_strands) {
  BackgroundCounter counter(order);
  counter.add(text);
  return counter.background(both_strands);
}

BackgroundCounter::BackgroundCounter(unsigned order)
    : order_(order), single_(4), words_(std::size_t{4} << (2 * std::min(order, highest_order))) {
  if (order > highest_order) throw InputError("background", {}, "order " + std::to_string(order), "0, 1 or 2");
}

void BackgroundCounter::add(const SequenceSet& text) {
  if (text.alphabet() != Alphabet::dna)
    throw InputError("background", {}, "letters of " + std::string(to_string(text.alphabet())), "DNA");
  // Counts every base, also those in no longer word.
  const std::vector<double> single = word_counts(text, 1);
  for (std::size_t base = 0; base < 4; ++base) single_[base] += single[base];
  const std::vector<double> words = order_ == 0 ? single : word_counts(text, order_ + 1);
  for (std::size_t word = 0; word < words.size(); ++word) words_[word] += words[word];
}

Background BackgroundCounter::background(bool both_strands) const {
  for (std::size_t base = 0; base < 4; ++base)
    if (single_[base] + (both_strands ? single_[3 - base] : 0) == 0)
      throw InputError("background", {}, "no " + letters_of(base, 1) + " in the text",
                       "a text with every base in it: a frequency of 0 makes no score");
  const unsigned length = order_ + 1;
  std::vector<double> counts = words_;
  if (std::accumulate(counts.begin(), counts.end(), 0.0) == 0)
    throw InputError("background", {}, "no word of " + std::to_string(length) + " bases in the text",
                     "a longer text for order " + std::to_string(order_));
  if (both_strands)
    for (std::size_t word = 0; word < counts.size(); ++word) counts[word] += words_[other_strand(word, length)];
  Background background;
  background.set_words(counts);
  // Words may leave out a single base between others.
  const double sum = single_[0] + single_[1] + single_[2] + single_[3];
  for (std::size_t base = 0; base < 4; ++base)
    background.single_[base] = both_strands ? (single_[base] + single_[3 - base]) / (2 * sum) : single_[base] / sum;
  return background;
}

bool Background::uniform() const noexcept {
  const auto all = [](const std::vector<double>& values, double one) {
    return std::ranges::all_of(values, [one](double value) { return value == one; });
  };
  return all(conditional_, 0.25) && all(start_, 1.0 / static_cast<double>(start_.size()));
}

Background Background::reverse_complement() const {
  std::vector<double> words;
  for (std::size_t word = 0; word < words_.size(); ++word) words.push_back(words_[other_strand(word, order_ + 1)]);
  if (words == words_) return *this;
  Background other;
  other.set_words(words);
  // Not summed again, which may differ in the last bit.
  std::reverse_copy(single_.begin(), single_.end(), other.single_.begin());
  if (order_ == 0) std::reverse_copy(conditional_.begin(), conditional_.end(), other.conditional_.begin());
  return other;
}

/// @param words  frequencies or counts of all words of one length, order + 1, the latest letter in the lowest two
///               bits
void Background::set_words(const std::vector<double>& words) {
  order_ = words.size() == 4 ? 0 : words.size() == 16 ? 1 : 2;
  const double sum = std::accumulate(words.begin(), words.end(), 0.0);
  words_.clear();
  for (const double word : words) words_.push_back(word / sum);
  // Averaged over all positions of the word, so that the strands of a text stay complements.
  single_ = {};
  for (std::size_t word = 0; word < words.size(); ++word)
    for (unsigned i = 0; i <= order_; ++i) single_[word >> (2 * i) & 3] += words[word] / sum / (order_ + 1);
  conditional_.assign(words.size(), 0);
  start_.assign(words.size() / 4, 0);
  for (std::size_t before = 0; before < start_.size(); ++before) {
    double all = 0;
    for (std::size_t letter = 0; letter < 4; ++letter) all += words[before * 4 + letter];
    start_[before] = order_ == 0 ? 1 : all / sum;
    // After a word without successors: a letter drawn alone.
    for (std::size_t letter = 0; letter < 4; ++letter)
      conditional_[before * 4 + letter] = all > 0 ? words[before * 4 + letter] / all : single_[letter];
  }
}

}  // namespace genocl::pwm
