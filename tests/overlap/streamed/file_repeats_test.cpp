// Repeated spans of files, against repeated_spans() of the same records in memory and a map of all windows.
#include "overlap/streamed/file_repeats.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/repeats.hpp"
#include "overlap/cases.hpp"
#include "overlap/streamed/text_hash.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

constexpr std::uint64_t tiny_memory = 1 << 16;

/// Files in a folder.
class Files {
 public:
  explicit Files(const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string path = (folder_.path() / std::to_string(i)).string();
      std::ofstream(path, std::ios::binary) << texts[i];
      files_.emplace_back(path);
    }
  }
  std::span<const files::InputFile> all() const { return files_; }
  const genocl_test::TemporaryFolder& folder() const { return folder_; }

 private:
  genocl_test::TemporaryFolder folder_;
  std::vector<files::InputFile> files_;
};

struct Found {
  std::vector<SequenceInterval> spans;
  std::string kept;  ///< with separators, and '|' behind each file
  std::vector<std::string> records;

  friend bool operator==(const Found&, const Found&) = default;
};

std::string described(std::size_t file, std::uint64_t number_in_file, std::uint64_t length, std::uint64_t spans,
                      std::uint64_t kept, bool separated) {
  std::string text;
  for (const std::uint64_t number :
       {std::uint64_t{file}, number_in_file, length, spans, kept, std::uint64_t{separated ? 1u : 0u}})
    text += std::to_string(number) + ' ';
  return text;
}

Found found_in_files(Devices devices, const std::vector<std::string>& texts, FileRepeatOptions options,
                     FileRepeatTrial& trial) {
  const Files files(texts);
  options.temporary_folder = files.folder().path().string();
  Found found;
  std::size_t file = 0;
  FileRepeatSink sink;
  bool in_order = true;
  sink.span = [&](const SequenceInterval& span, const FileRecord& record) {
    in_order &= span.sequence == record.number;
    found.spans.push_back(span);
  };
  sink.kept = [&](std::span<const std::uint8_t> bytes) {
    found.kept.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  sink.end_record = [&](const FileRecord& record) {
    in_order &= record.number == found.records.size() && record.file >= file;
    file = record.file;
    if (record.separated) found.kept += options.separator;
    found.records.push_back(
        described(record.file, record.number_in_file, record.length, record.spans, record.kept, record.separated));
  };
  repeated_spans_of_files(devices, files.all(), options, sink, trial);
  CHECK(in_order);
  return found;
}

/// Marks the windows of each string one after the other.
std::vector<SequenceInterval> naive_spans(ByteStrings records, std::uint64_t length, bool later_only) {
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> firsts;
  std::vector<std::vector<bool>> covered;
  const auto cover = [&](std::size_t record, std::size_t begin) {
    std::fill_n(covered[record].begin() + static_cast<std::ptrdiff_t>(begin), length, true);
  };
  for (std::size_t record = 0; record < records.size(); ++record) {
    const std::string_view text(reinterpret_cast<const char*>(records[record].data()), records[record].size());
    covered.emplace_back(text.size(), false);
    for (std::size_t i = 0; i + length <= text.size(); ++i) {
      const auto [first, is_new] = firsts.try_emplace(text.substr(i, length), record, i);
      if (is_new) continue;
      cover(record, i);
      if (!later_only) cover(first->second.first, first->second.second);
    }
  }
  std::vector<SequenceInterval> spans;
  for (std::size_t record = 0; record < covered.size(); ++record)
    for (std::size_t i = 0; i < covered[record].size(); ++i) {
      if (!covered[record][i]) continue;
      if (i > 0 && covered[record][i - 1])
        ++spans.back().end;
      else
        spans.push_back({record, i, i + 1});
    }
  return spans;
}

/// The same from spans of records in memory.
Found expected_in_files(Devices devices, const std::vector<std::string>& texts, const FileRepeatOptions& options) {
  struct Record {
    std::size_t file, number;
    std::string_view bytes;
    bool separated;
  };
  std::vector<Record> records;
  for (std::size_t file = 0; file < texts.size(); ++file) {
    const std::string_view text = texts[file];
    if (options.separator.empty()) {
      records.push_back({file, 0, text, false});
      continue;
    }
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(options.separator, begin), text.size());
      records.push_back({file, number++, text.substr(begin, end - begin), end < text.size()});
      begin = end + options.separator.size();
    }
  }
  std::vector<std::span<const std::uint8_t>> strings;
  for (const Record& record : records)
    strings.emplace_back(reinterpret_cast<const std::uint8_t*>(record.bytes.data()), record.bytes.size());
  Found found;
  found.spans = repeated_spans(devices, ByteStrings(strings),
                               {.min_length = options.min_length, .later_only = options.later_only});
  const bool as_naive = found.spans == naive_spans(strings, options.min_length, options.later_only);
  CHECK(as_naive);
  std::size_t next = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& record = records[i];
    std::uint64_t at = 0, spans = 0, kept = found.kept.size();
    for (; next < found.spans.size() && found.spans[next].sequence == i; ++next, ++spans) {
      found.kept += record.bytes.substr(at, found.spans[next].begin - at);
      at = found.spans[next].end;
    }
    found.kept += record.bytes.substr(at);
    kept = found.kept.size() - kept;
    if (record.separated) found.kept += options.separator;
    found.records.push_back(described(record.file, record.number, record.bytes.size(), spans, kept, record.separated));
  }
  return found;
}

void check_files(const Device& device, const std::vector<std::string>& texts, FileRepeatOptions options) {
  CAPTURE(texts.size());
  CAPTURE(options.min_length);
  CAPTURE(options.separator);
  CAPTURE(options.memory_bytes);
  for (const bool later : {false, true}) {
    CAPTURE(later);
    options.later_only = later;
    FileRepeatTrial trial;
    const Found found = found_in_files(std::span(&device, 1), texts, options, trial);
    const Found expected = expected_in_files(std::span(&device, 1), texts, options);
    CHECK(found.spans == expected.spans);
    CHECK(found.kept == expected.kept);
    CHECK(found.records == expected.records);
    CHECK(trial.attempts == 1);
  }
}

std::string drawn_bytes(Random& random, std::size_t size, unsigned letters) {
  std::string text(size, ' ');
  for (char& letter : text) letter = static_cast<char>('a' + random() % letters);
  return text;
}

/// Drawn text with copies of its parts, of all lengths around that of the repeats, some of them changed.
std::string planted(Random& random, std::size_t size, unsigned letters, std::size_t length) {
  std::string text = drawn_bytes(random, 1 + size / 4, letters);
  while (text.size() < size) {
    const std::size_t copied = std::min<std::size_t>(1 + random() % (3 * length), text.size());
    std::string copy = text.substr(random() % (text.size() - copied + 1), copied);
    if (random() % 4 == 0) copy[random() % copied] = 'X';
    text += copy + drawn_bytes(random, random() % (1 + length), letters);
  }
  return text;
}

std::string times(std::string_view word, std::size_t number) {
  std::string text;
  for (std::size_t i = 0; i < number; ++i) text += word;
  return text;
}

}  // namespace

TEST_CASE("tiny: overlap repeated spans of files") {
  for (const Variant& variant : variants()) {
    check_files(variant.device, {"one line here\nanother\none line here\nanother\n"},
                {.min_length = 5, .separator = "\n", .memory_bytes = tiny_memory});
    check_files(variant.device, {"first part<>|x|second<>first part, longer", "", "first part<"},
                {.min_length = 6, .separator = "<>", .memory_bytes = tiny_memory});
  }
}

TEST_CASE("overlap repeated spans of files: hard texts") {
  Random random(test_seed());
  const std::string word = drawn_bytes(random, 300, 26);
  const std::vector<std::vector<std::string>> all = {
      {},
      {""},
      {"", ""},
      {"\n"},
      {"\n\n\n", "\n"},
      {"a", "a"},
      {std::string(20000, 'a')},
      {std::string(9000, 'a'), std::string(9000, 'a') + '\n' + std::string(9000, 'a')},
      {times("ab", 6000), times("abc", 4000), times("ab\n", 3000)},
      {word + word, word, word + '\n' + word.substr(7)},
      // Boilerplate around different words: many segments with one anchor.
      {[&] {
        std::string text;
        for (unsigned i = 0; i < 900; ++i)
          text += drawn_bytes(random, 3, 3) + word.substr(0, 20 + i % 60) + drawn_bytes(random, 4, 2) + '\n';
        return text;
      }()},
      {std::string("\0\xff\0\xff\0\xff", 6), std::string(70, '\0')}};
  for (const Variant& variant : drawn_variants())
    for (const std::vector<std::string>& texts : all)
      for (const std::uint64_t length : {1, 2, 3, 17, 50})
        for (const char* const separator : {"", "\n"})
          check_files(variant.device, texts,
                      {.min_length = length, .separator = separator, .memory_bytes = tiny_memory});
}

TEST_CASE("overlap repeated spans of files: drawn texts, lengths and memory") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 1);
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (unsigned round = 0; round < genocl_test::rounds(60); ++round) {
      const std::uint64_t length = round % 3 == 0 ? 1 + random() % 8 : 1 + random() % 120;
      const unsigned letters = 1 + static_cast<unsigned>(random() % (round % 2 == 0 ? 4 : 26));
      std::vector<std::string> texts(1 + random() % 3);
      for (std::string& text : texts) text = planted(random, random() % 30000, letters, length);
      // Copies between files, and separators of one and of several letters that overlap themselves.
      if (texts.size() > 1) texts[1] += texts[0].substr(texts[0].size() / 2);
      const std::vector<std::string> separators = {"", "a", "aa", "aba", "X"};
      check_files(variant.device, texts,
                  {.min_length = length,
                   .separator = separators[random() % separators.size()],
                   .memory_bytes = random() % 2 == 0 ? tiny_memory : tiny_memory << random() % 8});
    }
  }
}

TEST_CASE("overlap repeated spans of files: wrong fingerprints are noticed") {
  Random random(test_seed() + 2);
  const Device& device = test_device();
  const std::vector<std::string> texts = {planted(random, 20000, 3, 30)};
  FileRepeatOptions options;
  options.min_length = 30;
  options.memory_bytes = tiny_memory;
  for (const bool later : {false, true})
    for (const std::uint64_t mask : {0, 0xf, 0xff}) {
      options.later_only = later;
      FileRepeatTrial trial{.first_hash_mask = mask};
      const Found found = found_in_files(std::span(&device, 1), texts, options, trial);
      CHECK(trial.attempts == 2);
      CHECK(found == expected_in_files(std::span(&device, 1), texts, options));
    }
}

TEST_CASE("overlap repeated spans of files: long strings and several devices") {
  Random random(test_seed() + 3);
  const std::vector<Device> twice = {test_device(), test_device().with_own_queue()};
  const std::vector<std::string> texts = {planted(random, 120000, 26, 9000), planted(random, 1000, 26, 30)};
  for (const std::uint64_t length : {300, 5000, 9001}) {
    FileRepeatOptions options;
    options.min_length = length;
    options.memory_bytes = file_repeats_min_memory(length);
    FileRepeatTrial trial;
    CHECK(found_in_files(twice, texts, options, trial) == expected_in_files(twice, texts, options));
  }
}

TEST_CASE("overlap repeated spans of files: bad input") {
  const Device& device = test_device();
  const Devices devices(device);
  const Files files({"some text, some text"});
  CHECK_THROWS_AS(repeated_spans_of_files(devices, files.all(), {.min_length = 0}, {}), InputError);
  CHECK_THROWS_AS(repeated_spans_of_files({}, files.all(), {}, {}), InputError);
  CHECK_THROWS_AS(repeated_spans_of_files(devices, files.all(), {.memory_bytes = 1000}, {}), CapacityError);
  // No string is longer than the text.
  const std::uint64_t long_string = std::uint64_t{1} << 40;
  repeated_spans_of_files(devices, files.all(), {.min_length = long_string, .memory_bytes = tiny_memory}, {});
  repeated_spans_of_files(devices, files.all(), {.min_length = long_string}, {});
  CHECK_THROWS_AS(
      repeated_spans_of_files(devices, files.all(), {.min_length = 5, .temporary_folder = "/no folder"}, {}),
      InputError);
  const Progress stop = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(repeated_spans_of_files(devices, files.all(), {.min_length = 5, .progress = stop}, {}), Cancelled);
  unsigned spans = 0;
  double last = 0;
  FileRepeatSink sink;
  sink.span = [&](const SequenceInterval&, const FileRecord&) { ++spans; };
  repeated_spans_of_files(devices, files.all(),
                          {.min_length = 5,
                           .progress =
                               [&](const ProgressState& state) {
                                 CHECK(state.fraction >= last);
                                 last = state.fraction;
                                 return true;
                               }},
                          sink);
  CHECK(spans == 2);
  CHECK(last == doctest::Approx(1));
}

TEST_CASE("text hashes depend on every byte, the size and the seed") {
  Bytes bytes(40, 7);
  std::map<std::uint64_t, int> seen;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    ++seen[text_hash(bytes.data(), size, 1)];
    ++seen[text_hash(bytes.data(), size, 2)];
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = 8;
      ++seen[text_hash(bytes.data(), size, 1)];
      bytes[i] = 7;
    }
  }
  for (const auto& [hash, number] : seen) CHECK(number == 1);
}
