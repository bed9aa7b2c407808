#include "genocl/pairwise/edit_distance.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/pairwise/pairs.hpp"
#include "pairwise/for_pairs.hpp"
#include "pairwise/tiles.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/transfer.hpp"

namespace genocl::pairwise {
namespace {

using runtime::ceil_div;

/// A pair as the kernels read it (EditPair in cl/pairwise/edit.clh).
struct EditPair {
  std::uint32_t query, subject, rows, columns;
};
static_assert(sizeof(EditPair) == sizeof(cl_uint4));

/// Maximum letters of a batch of several pairs, and the bytes that kernels read past the last letter.
constexpr std::uint64_t max_edit_letters = std::uint64_t{128} << 20, letters_behind = 8;

/// Returns the number of bits that distinguish `letters` letters.
unsigned bits_of(std::size_t letters) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(letters == 0 ? 0 : letters - 1)));
}

/// The numbering of the letters that occur: without gaps if this takes fewer bits than the codes.
struct LetterNumbers {
  std::array<std::uint8_t, 256> number = {};
  unsigned bits = 1;
  bool same = true;  ///< the numbers are the codes

  LetterNumbers(const SequenceSet& a, const SequenceSet& b) {
    // Codes are kept if the letters that occur need as many bits; often the first piece shows it.
    const std::size_t size = alphabet_size(a.alphabet());
    const unsigned code_bits = bits_of(size);
    constexpr std::size_t piece = std::size_t{1} << 20;
    std::array<bool, 256> occurs{};
    std::mutex mutex;
    std::atomic<bool> all_bits = false;
    for (const SequenceSet* const set : {&a, &b}) {
      const std::span<const Code> codes = set->codes();
      const std::size_t pieces = ceil_div(codes.size(), piece);
      runtime::parallel_for(pieces, runtime::threads_for(pieces, 4, 16), [&](std::size_t i) {
        if (all_bits) return;
        std::array<bool, 256> here{};
        for (const Code code : codes.subspan(i * piece, std::min(piece, codes.size() - i * piece))) here[code] = true;
        const std::lock_guard lock(mutex);
        for (std::size_t code = 0; code < size; ++code) occurs[code] = occurs[code] || here[code];
        all_bits = bits_of(static_cast<std::size_t>(std::ranges::count(occurs, true))) == code_bits;
      });
    }
    for (std::size_t code = 0; code < number.size(); ++code) number[code] = static_cast<std::uint8_t>(code);
    bits = code_bits;
    if (all_bits) return;
    unsigned count = 0;
    for (std::size_t code = 0; code < occurs.size(); ++code) {
      if (!occurs[code]) continue;
      same = same && count == code;
      number[code] = static_cast<std::uint8_t>(count++);
    }
    bits = bits_of(count);
  }

  void write(std::span<const Code> codes, std::uint8_t* to) const {
    if (same) {
      std::ranges::copy(codes, to);
      return;
    }
    for (const Code code : codes) *to++ = number[code];
  }
};

/// Pairs that go to the device together, sorted by size.
struct EditBatch {
  std::vector<std::size_t> numbers;
  std::vector<EditPair> pairs;
  std::vector<std::uint8_t> letters;                 // of both sides; if empty:
  std::span<const Code> query_codes, subject_codes;  // contiguous in the sets
};

/// Returns the letters of all texts if they are contiguous; otherwise nothing.
std::span<const Code> one_span(Texts texts) {
  const Code* end = texts.empty() ? nullptr : texts.front().data();
  for (const std::span<const Code> text : texts) {
    if (text.data() != end) return {};
    end += text.size();
  }
  return {end == nullptr ? nullptr : texts.front().data(), end};
}

std::uint32_t trivial_distance(std::size_t rows, std::size_t columns, const EditOptions& options) {
  // An empty query matches an empty part of the subject.
  if (rows == 0 && (options.free_subject_begin || options.free_subject_end)) return 0;
  return static_cast<std::uint32_t>(rows + columns);
}

class EditWork {
 public:
  EditWork(const Device& device, const LetterNumbers& letters, const EditOptions& options)
      : device_(device), letters_(letters), options_(options) {}

  std::vector<std::uint32_t> distances(Texts queries, Texts subjects) const {
    std::vector<std::uint32_t> found(queries.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (queries[i].empty() || subjects[i].empty())
        found[i] = trivial_distance(queries[i].size(), subjects[i].size(), options_);
      else
        order.push_back(i);
    }
    // Longest first: pairs that run in parallel are of similar size, and the last ones are short.
    const auto comes_before = [&](std::size_t x, std::size_t y) {
      const std::size_t x_words = ceil_div(queries[x].size(), 64), y_words = ceil_div(queries[y].size(), 64);
      return x_words != y_words ? x_words > y_words : subjects[x].size() > subjects[y].size();
    };
    if (!std::ranges::is_sorted(order, comes_before)) std::ranges::stable_sort(order, comes_before);
    for (std::size_t next = 0; next < order.size();) {
      std::optional<EditBatch> all = next == 0 ? take_contiguous(queries, subjects, order) : std::nullopt;
      if (all) next = order.size();
      const EditBatch batch = all ? *std::move(all) : take(queries, subjects, order, next);
      const std::vector<std::uint32_t> some = runtime::uses_cpu_kernels(device_) ? run_cpu(batch) : run_gpu(batch);
      for (std::size_t i = 0; i < batch.numbers.size(); ++i) found[batch.numbers[i]] = some[i];
    }
    return found;
  }

 private:
  /// Returns a batch of all pairs if their letters need not be copied.
  std::optional<EditBatch> take_contiguous(Texts queries, Texts subjects, std::span<const std::size_t> order) const {
    constexpr std::uint64_t max_contiguous = std::uint64_t{1} << 30;
    EditBatch batch{.query_codes = one_span(queries), .subject_codes = one_span(subjects)};
    if (!letters_.same || batch.query_codes.empty() || batch.subject_codes.empty()) return {};
    const std::uint64_t bytes = batch.query_codes.size() + batch.subject_codes.size();
    if (bytes > std::min(max_contiguous, runtime::usable_memory(device_) / 8)) return {};
    batch.numbers.assign(order.begin(), order.end());
    batch.pairs.reserve(order.size());
    for (const std::size_t i : order)
      batch.pairs.push_back(
          {.query = static_cast<std::uint32_t>(queries[i].data() - batch.query_codes.data()),
           .subject = static_cast<std::uint32_t>(
               batch.query_codes.size() + static_cast<std::size_t>(subjects[i].data() - batch.subject_codes.data())),
           .rows = static_cast<std::uint32_t>(queries[i].size()),
           .columns = static_cast<std::uint32_t>(subjects[i].size())});
    return batch;
  }

  runtime::Scratch upload_letters(const EditBatch& batch) const {
    if (batch.query_codes.empty()) return upload_scratch(device_, std::span<const std::uint8_t>(batch.letters));
    const std::size_t queries = batch.query_codes.size(), subjects = batch.subject_codes.size();
    runtime::Scratch memory(device_, queries + subjects + letters_behind);
    runtime::upload(device_, memory.buffer(), 0, batch.query_codes.data(), queries);
    runtime::upload(device_, memory.buffer(), queries, batch.subject_codes.data(), subjects);
    constexpr std::array<std::uint8_t, letters_behind> behind{};
    runtime::upload(device_, memory.buffer(), queries + subjects, behind.data(), behind.size());
    return memory;
  }

  EditBatch take(Texts queries, Texts subjects, std::span<const std::size_t> order, std::size_t& next) const {
    EditBatch batch;
    std::uint64_t letters = 0;
    for (; next < order.size(); ++next) {
      const std::span<const Code> query = queries[order[next]], subject = subjects[order[next]];
      if (!batch.pairs.empty() && letters + query.size() + subject.size() > max_edit_letters) break;
      batch.numbers.push_back(order[next]);
      batch.pairs.push_back({.query = static_cast<std::uint32_t>(letters),
                             .subject = static_cast<std::uint32_t>(letters + query.size()),
                             .rows = static_cast<std::uint32_t>(query.size()),
                             .columns = static_cast<std::uint32_t>(subject.size())});
      letters += query.size() + subject.size();
    }
    batch.letters.resize(letters + letters_behind);
    constexpr std::size_t pairs_per_task = 1024;
    const std::size_t tasks = ceil_div(batch.pairs.size(), pairs_per_task);
    runtime::parallel_for(tasks, runtime::threads_for(letters, std::size_t{1} << 20), [&](std::size_t task) {
      const std::size_t end = std::min(batch.pairs.size(), (task + 1) * pairs_per_task);
      for (std::size_t i = task * pairs_per_task; i < end; ++i) {
        const EditPair& pair = batch.pairs[i];
        letters_.write(queries[batch.numbers[i]], batch.letters.data() + pair.query);
        letters_.write(subjects[batch.numbers[i]], batch.letters.data() + pair.subject);
      }
    });
    return batch;
  }

  runtime::Defines defines() const {
    runtime::Defines defines;
    defines.set("PLANES", letters_.bits);
    defines.set("FREE_BEGIN", options_.free_subject_begin ? 1 : 0).set("FREE_END", options_.free_subject_end ? 1 : 0);
    return defines;
  }

  std::vector<std::uint32_t> run_cpu(const EditBatch& batch) const {
    constexpr std::uint64_t lanes = 8;
    std::vector<EditPair> pairs = batch.pairs;
    while (pairs.size() % lanes != 0) pairs.push_back(pairs.back());
    const auto vectors = static_cast<std::uint32_t>(pairs.size() / lanes);
    const std::uint64_t words = ceil_div(pairs.front().rows, 64);  // the longest
    const std::uint64_t bytes = words * (letters_.bits + 2) * lanes * sizeof(std::uint64_t);
    const std::uint64_t max_workers = runtime::usable_memory(device_) / 4 / bytes;
    const std::uint64_t workers =
        std::max<std::uint64_t>(1, std::min<std::uint64_t>({vectors, device_.info().compute_units, max_workers}));
    runtime::check_capacity(device_, "edit distances of long sequences", workers * bytes, workers * bytes);
    const runtime::Scratch letters = upload_letters(batch);
    const runtime::Scratch plans = upload_scratch(device_, std::span<const EditPair>(pairs));
    const runtime::Scratch memory(device_, workers * bytes), found(device_, pairs.size() * sizeof(std::uint32_t));
    Array<std::uint32_t> counter(device_, 1);
    counter.fill(0);
    runtime::Kernel(device_, "pairwise/edit_cpu.cl", "edit_cpu",
                    defines().set("ONLY_CPU", 1).set("LANES", static_cast<unsigned>(lanes)))
        .args(letters, plans, vectors, memory, static_cast<std::uint32_t>(words), counter, found)
        .run(static_cast<std::size_t>(workers), 1);
    return downloaded(found, batch.pairs.size());
  }

  /// Returns the number of work-items for a pair. Pairs with the same number are one launch.
  static unsigned team_of(std::uint32_t rows) {
    unsigned team = 1;
    while (team < max_team && team * lane_rows < rows) team *= 2;
    return team;
  }

  std::vector<std::uint32_t> run_gpu(const EditBatch& batch) const {
    std::vector<std::uint32_t> borders;
    std::uint64_t border_bytes = 0;
    for (const EditPair& pair : batch.pairs) {
      borders.push_back(static_cast<std::uint32_t>(border_bytes));
      if (pair.rows > max_team * lane_rows) border_bytes += pair.columns;
    }
    const runtime::Scratch letters = upload_letters(batch);
    const runtime::Scratch plans = upload_scratch(device_, std::span<const EditPair>(batch.pairs));
    const runtime::Scratch border_memory(device_, std::max<std::uint64_t>(border_bytes, 1));
    const runtime::Scratch border_begin = upload_scratch(device_, std::span<const std::uint32_t>(borders));
    const runtime::Scratch found(device_, batch.pairs.size() * sizeof(std::uint32_t));
    const std::size_t count = batch.pairs.size();
    for (std::size_t first = 0, end = 0; first < count; first = end) {
      const unsigned team = team_of(batch.pairs[first].rows);
      while (end < count && team_of(batch.pairs[end].rows) == team) ++end;
      const unsigned group = device_.has_ptx() ? std::max(team, 64u) : std::max(team, 32u);
      runtime::Kernel(device_, "pairwise/edit_gpu.cl", "edit_gpu",
                      defines().set("ONLY_GPU", 1).set("GROUP_SIZE", group).set("TEAM", team).set("WORDS", lane_words))
          .args(letters, plans, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end), border_memory,
                border_begin, found)
          .run(ceil_div(end - first, group / team), group);
    }
    return downloaded(found, count);
  }

  std::vector<std::uint32_t> downloaded(const runtime::Scratch& found, std::size_t count) const {
    std::vector<std::uint32_t> distances(count);
    runtime::download(device_, found.buffer(), 0, distances.data(), count * sizeof(std::uint32_t));
    return distances;
  }

  static constexpr unsigned lane_words = 4, lane_rows = 32 * lane_words, max_team = 32;

  const Device& device_;
  const LetterNumbers& letters_;
  const EditOptions& options_;
};

}  // namespace

std::vector<std::uint32_t> edit_distances(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                          const EditOptions& options) {
  check_pairs(a, b);
  if (!a.empty() && a.alphabet() != b.alphabet()) throw InputError("edit distances of sequences of two alphabets");
  const LetterNumbers letters(a, b);
  return for_pairs<std::uint32_t>(devices, a, b, options.progress,
                                  [&](const Device& device, Texts queries, Texts subjects, unsigned) {
                                    return EditWork(device, letters, options).distances(queries, subjects);
                                  });
}

std::vector<Alignment> edit_alignments(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                       const EditOptions& options) {
  if (!a.empty() && a.alphabet() != b.alphabet()) throw InputError("edit distances of sequences of two alphabets");
  return align_pairs(devices, a, b,
                     {.matrix = Matrix::unit_costs(a.alphabet()),
                      .gap = {.open = 0, .extend = 1},
                      .mode = PairMode::semi_global,
                      .free = {.query_begin = false,
                               .query_end = false,
                               .subject_begin = options.free_subject_begin,
                               .subject_end = options.free_subject_end},
                      .progress = options.progress});
}

}  // namespace genocl::pairwise
