#include "overlap/streamed/matches.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "genocl/error.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"

namespace genocl::overlap {
namespace {

constexpr std::uint64_t mark_word_bits = 64;

/// Positions of a bucket, with whole words of marks: few buckets, for their buffers and since each reads the copies of
/// its text.
std::uint64_t bucket_size(std::uint64_t text, const RepeatSearch& search) {
  const std::uint64_t wanted = std::max({search.memory / 4, text / 4096, 4 * search.length, std::uint64_t{4096}});
  return runtime::round_up(std::min(wanted, std::uint64_t{1} << 32), mark_word_bits);
}

std::uint64_t bits_of_range(std::uint64_t first, std::uint64_t end) {
  return (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (mark_word_bits - end));
}

/// Calls use(word, bits) for the bits [begin, end) until it returns false.
template <class Use>
void for_words(std::uint64_t begin, std::uint64_t end, Use&& use) {
  while (begin < end) {
    const std::uint64_t word = begin / mark_word_bits, last = std::min(end, (word + 1) * mark_word_bits);
    if (!use(word, bits_of_range(begin - word * mark_word_bits, last - word * mark_word_bits))) return;
    begin = last;
  }
}

/// The number of equal bytes at the begin of both.
std::uint64_t equal_bytes(const std::uint8_t* a, const std::uint8_t* b, std::uint64_t size) {
  std::uint64_t i = 0;
  for (std::uint64_t left = 0, right = 0; i + 8 <= size; i += 8) {
    std::memcpy(&left, a + i, 8);
    std::memcpy(&right, b + i, 8);
    if (left != right) break;
  }
  while (i < size && a[i] == b[i]) ++i;
  return i;
}

/// The marks of a bucket, whose bytes and those of its last windows are at hand.
class BucketMarks {
 public:
  BucketMarks(const FileText& text, const RepeatSearch& search, std::uint64_t begin, std::uint64_t places,
              std::vector<std::uint64_t>& marks)
      : text_(text), search_(search), begin_(begin), marks_(marks) {
    marks_.assign(runtime::ceil_div(places, mark_word_bits), 0);
    bytes_.resize(std::min(places + search.length - 1, text.size() - begin));
    text.read(begin, bytes_);
  }

  /// Thread-safe. `buffer` is memory of the thread.
  void compare(const WindowMatch& match, std::vector<std::uint8_t>& buffer) {
    // A claim is verified even if others have marked its windows: by a wrong one, a segment was dropped that windows
    // elsewhere may equal. One direction of two is enough.
    const bool verifies = match.is_claimed() && match.other() < match.place();
    if (!verifies && are_marked(match)) return;
    const std::uint64_t size = match.count() + search_.length - 1;
    // `equal`: the bytes before `done` that are equal.
    for (std::uint64_t done = 0, equal = 0; done < size;) {
      const std::uint64_t part = std::min<std::uint64_t>(size - done, 1 << 16);
      const std::uint8_t* const own = bytes_.data() + (match.place() - begin_ + done);
      const std::uint8_t* const other = other_bytes(match.other() + done, part, buffer);
      for (std::uint64_t at = 0; at < part;) {
        const std::uint64_t same = equal_bytes(own + at, other + at, part - at);
        at += same;
        equal += same;
        if (at == part && done + part < size) break;
        if (at < part && match.is_claimed()) throw FingerprintCollision();
        if (equal >= search_.length)
          mark(match.place() + done + at - equal, match.place() + done + at - search_.length + 1);
        equal = 0;
        ++at;
      }
      done += part;
    }
  }

 private:
  bool are_marked(const WindowMatch& match) const {
    const std::lock_guard lock(mutex_);
    bool all = true;
    for_words(match.place() - begin_, match.place() - begin_ + match.count(),
              [&](std::uint64_t word, std::uint64_t bits) {
                all = (marks_[word] & bits) == bits;
                return all;
              });
    return all;
  }
  void mark(std::uint64_t first, std::uint64_t end) {
    const std::lock_guard lock(mutex_);
    for_words(first - begin_, end - begin_, [&](std::uint64_t word, std::uint64_t bits) {
      marks_[word] |= bits;
      return true;
    });
  }
  const std::uint8_t* other_bytes(std::uint64_t begin, std::uint64_t size, std::vector<std::uint8_t>& buffer) const {
    if (begin >= begin_ && begin + size <= begin_ + bytes_.size()) return bytes_.data() + (begin - begin_);
    buffer.resize(std::max<std::size_t>(buffer.size(), size));
    text_.read(begin, std::span(buffer).first(size));
    return buffer.data();
  }

  const FileText& text_;
  const RepeatSearch& search_;
  std::uint64_t begin_;
  std::vector<std::uint64_t>& marks_;
  std::vector<std::uint8_t> bytes_;
  mutable std::mutex mutex_;
};

/// Compares the windows of matches, joined along diagonals.
void compare_matches(std::vector<WindowMatch>& matches, BucketMarks& bucket) {
  std::ranges::sort(matches, {}, [](const WindowMatch& match) {
    return std::tuple(!match.is_claimed(), match.diagonal(), match.place());
  });
  std::size_t joined = 0;
  for (const WindowMatch& match : matches)
    if (joined == 0 || !matches[joined - 1].append(match)) matches[joined++] = match;
  matches.resize(joined);
  // The other copies are read from front to back: each page of the files once, if they are not in memory.
  std::ranges::sort(matches, {}, &WindowMatch::other);
  constexpr std::size_t together = 1024;
  const std::size_t tasks = runtime::ceil_div(joined, together);
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 1, 64), [&](std::size_t task) {
    std::vector<std::uint8_t> buffer;
    for (std::size_t i = task * together; i < std::min(joined, (task + 1) * together); ++i)
      bucket.compare(matches[i], buffer);
  });
}

}  // namespace

MatchStore::MatchStore(const FileText& text, const RepeatSearch& search)
    : text_(text),
      search_(search),
      bucket_bytes_(bucket_size(text.size(), search)),
      matches_(search.folder, buckets(), search.memory / 16) {}

std::uint64_t MatchStore::buckets() const {
  return std::max<std::uint64_t>(1, runtime::ceil_div(text_.size(), bucket_bytes_));
}

void MatchStore::add(std::span<const WindowMatch> matches) {
  const std::lock_guard lock(mutex_);
  for (WindowMatch match : matches)
    while (true) {
      const std::uint64_t bucket = match.place() / bucket_bytes_;
      const std::uint64_t own = std::min(match.count(), (bucket + 1) * bucket_bytes_ - match.place());
      matches_.append(bucket, {match.place(), match.other(), own, match.is_claimed()});
      if (own == match.count()) break;
      match = {match.place() + own, match.other() + own, match.count() - own, match.is_claimed()};
    }
}

files::SpillFile MatchStore::marks(const Progress& progress) {
  matches_.finish();
  files::SpillFile file(search_.folder);
  std::vector<std::uint64_t> marks;
  for (std::uint64_t bucket = 0; bucket < buckets(); ++bucket) {
    mark_bucket(bucket, marks);
    file.append(std::as_bytes(std::span(marks)));
    const std::uint64_t done = std::min(text_.size(), (bucket + 1) * bucket_bytes_);
    if (progress && !progress({0, done, text_.size()})) throw Cancelled();
  }
  return file;
}

void MatchStore::mark_bucket(std::uint64_t bucket, std::vector<std::uint64_t>& marks) const {
  const std::uint64_t begin = bucket * bucket_bytes_, places = std::min(bucket_bytes_, text_.size() - begin);
  marks.assign(runtime::ceil_div(places, mark_word_bits), 0);
  if (matches_.size(bucket) == 0) return;
  BucketMarks bucket_marks(text_, search_, begin, places, marks);
  // As many matches at once as fit into memory with the text.
  const std::uint64_t together = std::max<std::uint64_t>(1024, search_.memory / 2 / sizeof(WindowMatch));
  std::vector<WindowMatch> matches;
  matches.reserve(std::min(matches_.size(bucket), together));
  matches_.for_each_block(bucket, [&](std::span<const WindowMatch> block) {
    if (matches.size() + block.size() > together) {
      compare_matches(matches, bucket_marks);
      matches.clear();
    }
    matches.insert(matches.end(), block.begin(), block.end());
  });
  compare_matches(matches, bucket_marks);
}

}  // namespace genocl::overlap
