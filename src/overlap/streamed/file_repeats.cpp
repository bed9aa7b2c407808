// Repeated spans of files: anchors that occur twice, groups of them, marks of repeated windows, spans.
#include "overlap/streamed/file_repeats.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "overlap/streamed/anchors.hpp"
#include "overlap/streamed/file_text.hpp"
#include "overlap/streamed/groups.hpp"
#include "overlap/streamed/matches.hpp"
#include "overlap/streamed/text_hash.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"

namespace genocl::overlap {
namespace {

/// Two bits for each slot of a table of hashes: none, one or several were added.
class OccurrenceFilter {
 public:
  /// `expected`: hashes; `bytes`: maximum size.
  OccurrenceFilter(std::uint64_t expected, std::uint64_t bytes)
      : slots_(std::bit_floor(std::clamp<std::uint64_t>(32 * expected, 1024, 4 * std::max<std::uint64_t>(bytes, 256)))),
        words_(slots_ / slots_per_word) {}

  /// Returns true if the slot was used before.
  bool add(std::uint64_t hash) {
    const std::uint64_t slot = hash & (slots_ - 1);
    const unsigned shift = 2 * static_cast<unsigned>(slot % slots_per_word);
    std::uint64_t& word = words_[slot / slots_per_word];
    const std::uint64_t state = word >> shift & 3;
    word |= (state == 0 ? std::uint64_t{1} : std::uint64_t{2}) << shift;
    return state != 0;
  }
  /// False: the hash was added once at most.
  bool is_repeated(std::uint64_t hash) const {
    const std::uint64_t slot = hash & (slots_ - 1);
    return (words_[slot / slots_per_word] >> (2 * (slot % slots_per_word)) & 2) != 0;
  }

 private:
  static constexpr std::uint64_t slots_per_word = 32;
  std::uint64_t slots_;
  std::vector<std::uint64_t> words_;
};

/// The last anchor of each fingerprint in a chunk, with collisions forgotten: finds most repeats that are close, and
/// all of a run of equal letters.
class RecentAnchors {
 public:
  explicit RecentAnchors(std::uint64_t bytes)
      : anchors_(std::bit_floor(std::clamp<std::uint64_t>(bytes / sizeof(RepeatAnchor), 16, std::uint64_t{1} << 18))) {}

  /// Stores the anchor and returns an earlier one of the chunk with the same segment, if known.
  std::optional<RepeatAnchor> exchange(const TextChunk& chunk, const RepeatAnchor& anchor) {
    RepeatAnchor& slot = anchors_[mixed_bits(anchor.fingerprint + anchor.offsets()) & (anchors_.size() - 1)];
    const RepeatAnchor before = std::exchange(slot, anchor);
    if (before.packed_place == 0 || before.first() < chunk.begin || before.fingerprint != anchor.fingerprint ||
        before.offsets() != anchor.offsets())
      return std::nullopt;
    return before;
  }

 private:
  std::vector<RepeatAnchor> anchors_;
};

/// Progress of several passes as one.
class PassProgress {
 public:
  PassProgress(const Progress& progress, std::uint64_t bytes, unsigned passes)
      : progress_(progress), bytes_(bytes), total_(bytes * passes) {}

  /// The progress of the next pass, counted in bytes.
  Progress next() {
    if (!progress_) return {};
    const std::uint64_t before = bytes_ * pass_++;
    return [this, before](const ProgressState& state) {
      const std::uint64_t done = std::max(shown_, std::min(total_, before + state.items_done));
      shown_ = done;
      return progress_({total_ == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total_), done, total_});
    };
  }
  void restart() { pass_ = 0; }

 private:
  const Progress& progress_;
  std::uint64_t bytes_, total_, pass_ = 0, shown_ = 0;
};

std::uint64_t kmer_hash(const RepeatSearch& search, const TextChunk& chunk, const AnchorRun& run) {
  return text_hash(chunk.at(run.place), search.k, search.seed);
}

/// Marks all repeated windows of a text.
class FileRepeats {
 public:
  FileRepeats(Devices devices, const FileText& text, const RepeatSearch& search, PassProgress& progress)
      : devices_(devices), text_(text), search_(search), progress_(progress), store_(text, search) {}

  files::SpillFile marks() {
    std::optional<PartitionedSpill<RepeatAnchor>> anchors;
    {
      // A window of w k-mers changes its minimizer every (w + 1) / 2 positions.
      OccurrenceFilter filter(2 * text_.size() / (search_.extension() + 2) + 1, search_.memory / 4);
      const std::uint64_t repeated = count_occurrences(filter);
      anchors.emplace(store_repeated(filter, repeated));
    }
    AnchorGroups groups(devices_[0], text_, search_, store_);
    const Progress progress = progress_.next();
    for (std::size_t partition = 0; partition < anchors->partitions(); ++partition) {
      groups.find_matches(*anchors, partition);
      const double part = static_cast<double>(partition + 1) / static_cast<double>(anchors->partitions());
      if (progress && !progress({0, static_cast<std::uint64_t>(part * static_cast<double>(text_.size())), 0}))
        throw Cancelled();
    }
    anchors.reset();
    return store_.marks(progress_.next());
  }

 private:
  static constexpr std::size_t batch_runs = 1 << 16;

  /// Calls use(run, i) for run number i of a batch on several threads, then end_batch(runs of the batch).
  template <class Use, class End>
  static void for_batches(std::span<const AnchorRun> runs, Use&& use, End&& end_batch) {
    constexpr std::size_t slice = 1 << 13;
    for (std::size_t begin = 0; begin < runs.size(); begin += batch_runs) {
      const auto part = runs.subspan(begin, std::min(batch_runs, runs.size() - begin));
      const std::size_t tasks = runtime::ceil_div(part.size(), slice);
      runtime::parallel_for(tasks, runtime::threads_for(tasks, 1, 64), [&](std::size_t task) {
        for (std::size_t i = task * slice; i < std::min(part.size(), (task + 1) * slice); ++i) use(part[i], i);
      });
      end_batch(part);
    }
  }

  /// Returns an upper bound of the number of anchors that are not alone in the filter.
  std::uint64_t count_occurrences(OccurrenceFilter& filter) {
    std::uint64_t all = 0, seen = 0;
    std::vector<std::uint64_t> hashes;
    scan_anchors(devices_, text_, search_, progress_.next(),
                 [&](const TextChunk& chunk, std::span<const AnchorRun> runs) {
                   hashes.resize(std::min<std::size_t>(runs.size(), batch_runs));
                   for_batches(
                       runs, [&](const AnchorRun& run, std::size_t i) { hashes[i] = kmer_hash(search_, chunk, run); },
                       [&](std::span<const AnchorRun> part) {
                         for (std::size_t i = 0; i < part.size(); ++i) seen += filter.add(hashes[i]) ? 1 : 0;
                       });
                   all += runs.size();
                 });
    return std::min(all, 2 * seen);
  }

  PartitionedSpill<RepeatAnchor> store_repeated(const OccurrenceFilter& filter, std::uint64_t repeated) {
    const std::uint64_t at_once = AnchorGroups::anchors_at_once(search_.memory);
    const std::uint64_t partitions = std::clamp<std::uint64_t>(runtime::ceil_div(5 * repeated, 4 * at_once), 1, 4096);
    PartitionedSpill<RepeatAnchor> stored(search_.folder, partitions, search_.memory / 8);
    RecentAnchors recent(search_.memory / 16);
    std::vector<RepeatAnchor> anchors;
    std::vector<std::uint8_t> repeats;
    std::vector<WindowMatch> matches;
    scan_anchors(
        devices_, text_, search_, progress_.next(), [&](const TextChunk& chunk, std::span<const AnchorRun> runs) {
          anchors.resize(std::min<std::size_t>(runs.size(), batch_runs));
          repeats.resize(anchors.size());
          for_batches(
              runs,
              [&](const AnchorRun& run, std::size_t i) {
                const std::uint64_t hash = kmer_hash(search_, chunk, run);
                repeats[i] = filter.is_repeated(hash) ? 1 : 0;
                if (repeats[i] != 0) anchors[i] = anchor_of(search_, chunk, run, hash);
              },
              [&](std::span<const AnchorRun> part) {
                for (std::size_t i = 0; i < part.size(); ++i) {
                  if (repeats[i] == 0) continue;
                  if (const std::optional<RepeatAnchor> before = recent.exchange(chunk, anchors[i]))
                    claim(anchors[i], *before, matches);
                  else
                    stored.append(static_cast<std::size_t>((anchors[i].hash >> 32) * partitions >> 32), anchors[i]);
                }
                store_.add(matches);
                matches.clear();
              });
        });
    stored.finish();
    return stored;
  }

  /// All windows of two anchors are equal: by an earlier anchor of the chunk, the later one adds nothing else.
  void claim(const RepeatAnchor& later, const RepeatAnchor& earlier, std::vector<WindowMatch>& matches) {
    const auto put = [&](const WindowMatch& match) {
      // With both directions, the match before the last one continues.
      const std::size_t back = search_.later_only ? 1 : 2;
      if (matches.size() < back || !matches[matches.size() - back].append(match)) matches.push_back(match);
    };
    put({later.first(), earlier.first(), later.windows(), true});
    if (!search_.later_only) put({earlier.first(), later.first(), later.windows(), true});
  }

  Devices devices_;
  const FileText& text_;
  const RepeatSearch& search_;
  PassProgress& progress_;
  MatchStore store_;
};

/// Reads text and marks together and reports spans, kept bytes and records.
class SpanReporter {
 public:
  SpanReporter(const FileText& text, const RepeatSearch& search, const files::SpillFile& marks,
               const FileRepeatSink& sink)
      : text_(text), search_(search), marks_(marks), sink_(sink), cursor_(search.separator) {}

  void report(const Progress& progress) {
    const std::uint64_t owned = runtime::round_up(search_.chunk_bytes(), mark_bits);
    std::size_t file = 0;
    std::uint64_t begin = 0;
    while (std::optional<TextChunk> chunk = text_.chunk(begin, owned, search_.lookahead())) {
      for (; file < chunk->file; ++file) end_file(file);
      take(*chunk);
      begin = chunk->end();
      if (progress && !progress({0, begin, text_.size()})) throw Cancelled();
    }
    for (; file < text_.files(); ++file) end_file(file);
  }

 private:
  static constexpr std::uint64_t mark_bits = 64;

  void take(const TextChunk& chunk) {
    // Marks of whole words around the chunk.
    first_mark_ = chunk.begin / mark_bits * mark_bits;
    mark_words_.resize((chunk.end() - first_mark_ + mark_bits - 1) / mark_bits);
    marks_.read(first_mark_ / 8, std::as_writable_bytes(std::span(mark_words_)));
    cursor_.enter(chunk);
    for (std::uint64_t at = chunk.begin; at < chunk.end();) {
      const std::uint64_t end = std::min(cursor_.end(), chunk.end());
      if (at < cursor_.begin()) at = std::min(cursor_.begin(), chunk.end());  // a separator from the last chunk
      if (at < end) {
        begin_record(chunk.file);
        take_part(chunk, at, end);
      }
      if (!cursor_.separated() || cursor_.end() >= chunk.end()) break;
      begin_record(chunk.file);
      end_record(true);
      cursor_.advance();
      at = cursor_.begin();
    }
    cursor_.leave();
  }

  /// Bytes of the current record.
  void take_part(const TextChunk& chunk, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t at = begin;  // bytes before are reported or covered
    for_marks(
        begin, end,
        [&](std::uint64_t place) {
          if (!covering_ || place > covered_) {
            end_span();
            keep(chunk, at, place);
            covering_ = true;
            span_begin_ = place;
          }
          covered_ = place + search_.length;
          at = std::min(end, covered_);
        },
        at);
    if (!covering_ || covered_ < end) {
      end_span();
      keep(chunk, at, end);
    }
    record_.length += end - begin;
  }

  /// Calls use() for the marks of [begin, end). Sets `at` to the end of what a span from before covers.
  template <class Use>
  void for_marks(std::uint64_t begin, std::uint64_t end, Use&& use, std::uint64_t& at) {
    if (covering_) at = std::clamp(covered_, begin, end);
    for (std::uint64_t word = (begin - first_mark_) / mark_bits; first_mark_ + word * mark_bits < end; ++word) {
      const std::uint64_t word_begin = first_mark_ + word * mark_bits;
      std::uint64_t bits = mark_words_[word];
      if (word_begin < begin) bits &= ~std::uint64_t{0} << (begin - word_begin);
      if (end - word_begin < mark_bits) bits &= (std::uint64_t{1} << (end - word_begin)) - 1;
      for (; bits != 0; bits &= bits - 1) use(word_begin + static_cast<unsigned>(std::countr_zero(bits)));
    }
  }

  void keep(const TextChunk& chunk, std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    record_.kept += end - begin;
    if (sink_.kept) sink_.kept({chunk.at(begin), chunk.at(end - 1) + 1});
  }

  void begin_record(std::size_t file) {
    if (in_record_) return;
    in_record_ = true;
    record_.file = file;
    record_begin_ = cursor_.begin();
  }

  void end_span() {
    if (!covering_) return;
    covering_ = false;
    ++record_.spans;
    if (sink_.span) sink_.span({record_.number, span_begin_ - record_begin_, covered_ - record_begin_}, record_);
  }

  void end_record(bool separated) {
    end_span();
    record_.separated = separated;
    if (sink_.end_record) sink_.end_record(record_);
    FileRecord next;
    next.file = record_.file;
    next.number = record_.number + 1;
    next.number_in_file = record_.number_in_file + 1;
    record_ = next;
    in_record_ = false;
  }

  /// The last record of a file ends with it; without separators a file is a record.
  void end_file(std::size_t file) {
    record_.file = file;
    if (in_record_ || search_.separator.empty()) end_record(false);
    record_.number_in_file = 0;
  }

  const FileText& text_;
  const RepeatSearch& search_;
  const files::SpillFile& marks_;
  const FileRepeatSink& sink_;
  RecordCursor cursor_;
  std::vector<std::uint64_t> mark_words_;
  std::uint64_t first_mark_ = 0;
  FileRecord record_;
  bool in_record_ = false, covering_ = false;
  std::uint64_t record_begin_ = 0, span_begin_ = 0, covered_ = 0;
};

std::uint64_t memory_of(const FileRepeatOptions& options) {
  if (options.memory_bytes != 0) return options.memory_bytes;
  const std::uint64_t available = runtime::available_host_memory();
  const std::uint64_t wanted = available == runtime::no_limit ? std::uint64_t{1} << 32 : available / 4;
  return std::max(wanted, std::min(available, file_repeats_min_memory(options.min_length)));
}

constexpr std::uint64_t max_length = std::uint64_t{1} << 29;

void check_options(Devices devices, const FileText& text, const FileRepeatOptions& options) {
  if (options.min_length == 0) throw InputError("repeats of 0 symbols: at least 1");
  if (devices.empty()) throw InputError("no device given");
  if (text.size() >= WindowMatch::max_text)
    throw InputError("the text", {}, std::to_string(text.size()) + " bytes", "less than 2^40");
  // Positions in a chunk of a few windows have 32 bits on a device.
  if (options.min_length > max_length && options.min_length <= text.size())
    throw InputError("repeats of " + std::to_string(options.min_length) + " symbols: at most 2^29");
}

}  // namespace

std::uint64_t file_repeats_min_memory(std::uint64_t min_length) noexcept {
  constexpr std::uint64_t smallest = std::uint64_t{1} << 16;
  return std::max(smallest, min_length > ~std::uint64_t{0} / 256 ? ~std::uint64_t{0} : 256 * min_length);
}

void repeated_spans_of_files(Devices devices, std::span<const files::InputFile> files, const FileRepeatOptions& options,
                             const FileRepeatSink& sink, FileRepeatTrial& trial) {
  const FileText text(files);
  check_options(devices, text, options);
  // Nothing that is longer than the text repeats.
  FileRepeatOptions used = options;
  used.min_length = std::min(options.min_length, text.size() + 1);
  const std::uint64_t memory = memory_of(used);
  const std::uint64_t needed = file_repeats_min_memory(used.min_length);
  if (memory < needed) throw CapacityError("repeats of " + std::to_string(used.min_length) + " bytes", needed, memory);
  RepeatSearch search = repeat_search(used, memory);
  PassProgress progress(options.progress, text.size(), 5);
  constexpr unsigned max_attempts = 8;
  for (trial.attempts = 1;; ++trial.attempts) {
    search.seed = mixed_bits(trial.attempts);
    search.hash_mask = trial.attempts == 1 ? trial.first_hash_mask : ~std::uint64_t{0};
    progress.restart();
    try {
      const files::SpillFile marks = FileRepeats(devices, text, search, progress).marks();
      SpanReporter(text, search, marks, sink).report(progress.next());
      return;
    } catch (const FingerprintCollision&) {
      if (trial.attempts == max_attempts) throw Error("fingerprints of different strings are equal with every seed");
    }
  }
}

void repeated_spans_of_files(Devices devices, std::span<const files::InputFile> files, const FileRepeatOptions& options,
                             const FileRepeatSink& sink) {
  FileRepeatTrial trial;
  repeated_spans_of_files(devices, files, options, sink, trial);
}

}  // namespace genocl::overlap
