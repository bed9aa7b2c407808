// Scanner: pieces on devices, and hits in order.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/scan.hpp"
#include "runtime/access.hpp"
#include "runtime/chunks.hpp"
#include "runtime/state_access.hpp"

namespace genocl::pwm {
namespace {

/// Hits that are sorted at a time: they stay in the first-level cache.
constexpr std::size_t hits_of_bucket = 256;
constexpr std::size_t max_buckets = std::size_t{1} << 16;

}  // namespace

void sort_by_letter(std::vector<PieceHit>& hits, std::uint32_t letters) {
  unsigned shift = 0;
  const std::size_t wanted = std::clamp<std::size_t>(hits.size() / hits_of_bucket, 1, max_buckets);
  while ((letters >> shift) >= wanted) ++shift;
  const std::size_t buckets = (std::size_t{letters} >> shift) + 1;
  std::vector<std::size_t> begin(buckets + 1);
  const auto bucket = [&](const PieceHit& hit) { return static_cast<std::size_t>(hit.key >> 32 >> shift); };
  for (const PieceHit& hit : hits) ++begin[bucket(hit) + 1];
  for (std::size_t i = 0; i < buckets; ++i) begin[i + 1] += begin[i];
  std::vector<PieceHit> sorted(hits.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const PieceHit& hit : hits) sorted[next[bucket(hit)]++] = hit;
  for (std::size_t i = 0; i < buckets; ++i)
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin[i]),
              sorted.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]),
              [](const PieceHit& a, const PieceHit& b) { return a.key < b.key; });
  hits = std::move(sorted);
}

namespace {

/// Initial number of targets.
constexpr std::uint32_t first_batch = 1024;
/// Larger batches are multiples of this number of targets, which finders search together.
constexpr std::uint32_t batch_unit = 128;

std::uint32_t whole_units(std::uint64_t targets) {
  const std::uint64_t count = targets < batch_unit ? targets : targets / batch_unit * batch_unit;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(count, 1, std::uint64_t{1} << 20));
}

/// Number of targets whose candidates fit, with a margin, if `targets` targets had `candidates` candidates.
std::uint32_t smaller_batch(std::uint32_t targets, std::uint64_t candidates, std::uint64_t capacity) {
  const double share = 0.75 * static_cast<double>(capacity) / static_cast<double>(candidates);
  return std::min(whole_units(static_cast<std::uint64_t>(targets * share)), std::max(1u, targets / 2));
}

}  // namespace

PreparedTargets::PreparedTargets(const Device& d, std::span<const Target> targets, Method method,
                                 unsigned slice_columns)
    : device(d),
      finder(make_finder(d, targets, method, slice_columns)),
      exact(upload_targets(d, targets)),
      batch(first_batch) {
  device.finish();  // other queues read the tables
}

std::uint64_t candidate_capacity(const Device& device) {
  // Rescoring takes about 40 bytes for each; two pieces are processed at a time.
  return std::clamp<std::uint64_t>(device.info().global_memory / 1024, std::uint64_t{1} << 16, std::uint64_t{1} << 25);
}

void throw_too_many_hits(std::uint64_t max_hits) {
  throw InputError("there are more than " + std::to_string(max_hits) +
                   " hits, the maximum; expected a higher limit or a higher threshold");
}

PieceHits scan_piece(const Device& device, const PreparedTargets& prepared, const SequenceSet& text,
                     const TextPiece& piece, const PieceOptions& options) {
  if (prepared.exact.targets.empty() || piece.parts.empty())
    return {.counts = std::vector<std::uint64_t>(prepared.exact.targets.size()), .keys = {}, .scores = {}};
  const StreamedText streamed = stream_text(device, text, piece, prepared.finder->wants_packed());
  return scan_on_device(device, prepared, streamed.text, options);
}

PieceHits scan_on_device(const Device& device, const PreparedTargets& prepared, const DeviceText& text,
                         const PieceOptions& options) {
  const auto targets = static_cast<std::uint32_t>(prepared.exact.targets.size());
  PieceHits result;
  result.counts.resize(targets);
  if (targets == 0) return result;
  Array<std::uint64_t> counts;
  if (options.counts_only) {
    counts = Array<std::uint64_t>(device, targets);
    counts.fill(0);
  }
  std::uint32_t wanted = prepared.batch;
  std::uint64_t capacity = options.capacity;
  for (std::uint32_t first = 0; first < targets;) {
    const std::uint32_t count = prepared.finder->count_at_once(first, std::min(wanted, targets - first));
    const Candidates candidates = prepared.finder->find(device, text, first, count, capacity);
    if (candidates.count > capacity) {
      if (count > 1)
        prepared.batch = wanted = smaller_batch(count, candidates.count, capacity);
      else
        capacity = candidates.count;
      continue;
    }
    if (options.counts_only) {
      count_hits(device, text, prepared.exact, candidates, counts);
    } else {
      const DeviceHits hits = verify(device, text, prepared.exact, candidates);
      const std::size_t before = result.keys.size();
      if (hits.count > options.max_hits - before) throw_too_many_hits(options.max_hits);
      result.keys.resize(before + hits.count);
      result.scores.resize(before + hits.count);
      if (hits.count != 0) {
        hits.keys.download(std::span(result.keys).subspan(before));
        hits.scores.download(std::span(result.scores).subspan(before));
      }
    }
    first += count;
    capacity = options.capacity;
    if (candidates.count < capacity / 4 && count == wanted)
      prepared.batch = wanted = whole_units(std::uint64_t{wanted} * 2);
  }
  if (options.counts_only)
    result.counts = counts.download();
  else
    for (const std::uint64_t key : result.keys) ++result.counts[key >> 32];
  return result;
}

namespace {

/// Whether the prepared data of one device serves the other.
bool same_shape(const Device& a, const Device& b) {
  return &runtime::core_of(a) == &runtime::core_of(b) && a.family() == b.family() &&
         a.vendor_paths() == b.vendor_paths();
}

std::function<Batch()> batches_of(const std::function<bool(SequenceSet&)>& source) {
  return [&source]() -> Batch {
    auto batch = std::make_shared<SequenceSet>();
    return source(*batch) ? batch : nullptr;
  };
}

/// Number of threads that scan pieces and format hits. GPU: the host's cores, as far as there is work; CPU device,
/// whose kernels use all cores: one that formats while the kernels of another run.
unsigned writing_workers(const Device& device) {
  if (device.info().type == DeviceType::cpu) return 2;
  return std::clamp(std::thread::hardware_concurrency(), 2u, 12u);
}

std::vector<StrandThresholds> on_both_strands(std::span<const double> thresholds) {
  std::vector<StrandThresholds> result;
  for (const double threshold : thresholds) result.push_back({threshold, threshold});
  return result;
}

}  // namespace

struct Scanner::State {
  std::vector<Device> devices;
  std::vector<ScoreMatrix> forward, reversed;
  ScanOptions options;
  std::vector<Target> targets;  ///< by length
  /// [matrix][reverse]: its target, or none.
  std::vector<std::array<std::optional<std::uint32_t>, 2>> target_of;
  std::vector<std::unique_ptr<PreparedTargets>> prepared;  ///< one for each context and shape

  mutable std::mutex mutex;  ///< guards the following members
  mutable std::vector<std::uint64_t> counts;

  State(Devices d, std::span<const ScoreMatrix> matrices, std::span<const StrandThresholds> thresholds,
        const ScanOptions& o);

  const PreparedTargets& prepared_on(const Device& device) const {
    for (const auto& one : prepared)
      if (same_shape(one->device, device)) return *one;
    throw InputError("a device that the scanner was not made for");
  }
  UnitHits scan_unit(const Device& device, Unit&& unit) const;
  std::vector<Hit> hits_of(const TextPiece& piece, const PieceHits& found) const;
  std::vector<Hit> hits_by_position(const TextPiece& piece, const PieceHits& found) const;
  /// All units, in their order.
  void scan_units(Devices on, const UnitSource& source, std::uint64_t total, const HitWriter& write,
                  std::span<const unsigned> workers, const std::function<void(UnitHits&&)>& sink) const;
  /// `sink` receives the hits of each batch, or of the resident text.
  void scan(Devices on, const UnitSource& source, std::uint64_t total, unsigned workers,
            const std::function<void(const Batch&, std::vector<Hit>&&)>& sink) const;
  void scan(const std::function<Batch()>& next_batch, std::uint64_t total,
            const std::function<void(const Batch&, std::vector<Hit>&&)>& sink) const {
    scan(devices, PieceSource(devices, options.chunk_residues, next_batch), total, 2, sink);
  }
};

Scanner::State::State(Devices d, std::span<const ScoreMatrix> matrices, std::span<const StrandThresholds> thresholds,
                      const ScanOptions& o)
    : devices(d.begin(), d.end()),
      forward(matrices.begin(), matrices.end()),
      options(o),
      target_of(matrices.size()),
      counts(2 * matrices.size()) {
  if (devices.empty()) throw InputError("no device given");
  if (matrices.size() != thresholds.size())
    throw InputError(std::to_string(matrices.size()) + " matrices and " + std::to_string(thresholds.size()) +
                     " thresholds; expected as many of both");
  if (options.slice_columns > 8)
    throw InputError("slices of " + std::to_string(options.slice_columns) + " columns; expected 1 to 8");
  if (options.slice_columns != 0 && options.method != Method::slices)
    throw InputError("columns of slices with the method " + std::string(to_string(options.method)) +
                     "; expected the method slices");
  for (const ScoreMatrix& matrix : forward) reversed.push_back(matrix.reverse_complement());
  for (std::uint32_t i = 0; i < matrices.size(); ++i) {
    const auto& [on_forward, on_reverse] = thresholds[i];
    if (options.strands != Strands::reverse && !std::isnan(on_forward))
      targets.push_back({i, false, &forward[i], on_forward});
    if (options.strands != Strands::forward && !std::isnan(on_reverse))
      targets.push_back({i, true, &reversed[i], on_reverse});
  }
  // Finders search several targets at a time, limited by the longest of them.
  std::stable_sort(targets.begin(), targets.end(),
                   [](const Target& a, const Target& b) { return a.scores->length() < b.scores->length(); });
  for (std::uint32_t t = 0; t < targets.size(); ++t) target_of[targets[t].matrix][targets[t].reverse ? 1 : 0] = t;
  for (const Device& device : devices) {
    const bool known =
        std::any_of(prepared.begin(), prepared.end(), [&](const auto& one) { return same_shape(one->device, device); });
    if (!known && !targets.empty())
      prepared.push_back(std::make_unique<PreparedTargets>(device, targets, options.method, options.slice_columns));
  }
}

/// Record positions of a piece's letters, for letters in any order.
class LetterPlaces {
 public:
  explicit LetterPlaces(const TextPiece& piece) : parts_(piece.parts) {}

  Hit hit(std::uint32_t matrix, std::uint32_t letter, double score, bool reverse) {
    // Usually the part of the previous letter.
    if (letter < parts_[part_].at || (part_ + 1 < parts_.size() && letter >= parts_[part_ + 1].at)) {
      const auto behind = std::upper_bound(parts_.begin(), parts_.end(), letter,
                                           [](std::uint32_t at, const TextPiece::Part& part) { return at < part.at; });
      part_ = static_cast<std::size_t>(behind - parts_.begin()) - 1;
    }
    const TextPiece::Part& part = parts_[part_];
    return {matrix, part.record, part.begin + (letter - part.at), score, reverse};
  }

 private:
  const std::vector<TextPiece::Part>& parts_;
  std::size_t part_ = 0;
};

std::vector<Hit> Scanner::State::hits_of(const TextPiece& piece, const PieceHits& found) const {
  if (options.order == HitOrder::by_position) return hits_by_position(piece, found);
  std::vector<std::uint64_t> begin(targets.size() + 1, 0);
  for (std::size_t t = 0; t < targets.size(); ++t) begin[t + 1] = begin[t] + found.counts[t];
  std::vector<Hit> hits;
  hits.reserve(found.keys.size());
  LetterPlaces places(piece);
  for (std::uint32_t m = 0; m < target_of.size(); ++m) {
    std::uint64_t next[2] = {0, 0}, end[2] = {0, 0};
    for (int strand = 0; strand < 2; ++strand)
      if (const auto target = target_of[m][strand]) {
        next[strand] = begin[*target];
        end[strand] = begin[*target + 1];
      }
    const auto letter = [&](int strand) {
      return next[strand] < end[strand] ? found.keys[next[strand]] & 0xffffffffu : ~std::uint64_t{0};
    };
    while (next[0] < end[0] || next[1] < end[1]) {
      const int strand = letter(0) <= letter(1) ? 0 : 1;
      const std::uint64_t i = next[strand]++;
      hits.push_back(places.hit(m, static_cast<std::uint32_t>(found.keys[i]), found.scores[i], strand == 1));
    }
  }
  return hits;
}

std::vector<Hit> Scanner::State::hits_by_position(const TextPiece& piece, const PieceHits& found) const {
  std::vector<PieceHit> sorted;
  sorted.reserve(found.keys.size());
  for (std::size_t i = 0; i < found.keys.size(); ++i) {
    const Target& target = targets[found.keys[i] >> 32];
    const std::uint64_t number = 2 * std::uint64_t{target.matrix} + (target.reverse ? 1 : 0);
    sorted.push_back({(found.keys[i] << 32) | number, found.scores[i]});
  }
  sort_by_letter(sorted, piece.own.end);
  std::vector<Hit> hits;
  hits.reserve(sorted.size());
  LetterPlaces places(piece);
  for (const auto& [key, score] : sorted)
    hits.push_back(places.hit(static_cast<std::uint32_t>(key & 0xffffffffu) / 2, static_cast<std::uint32_t>(key >> 32),
                              score, key % 2 != 0));
  return hits;
}

UnitHits Scanner::State::scan_unit(const Device& device, Unit&& unit) const {
  UnitHits result;
  result.batch = unit.batch;
  result.last = unit.last;
  const ResidentPiece* const resident = unit.resident.of;
  const TextPiece& piece = resident != nullptr ? resident->piece : unit.piece;
  result.places = resident != nullptr ? unit.resident.places() : own_places(piece);
  result.counts.resize(2 * forward.size());
  if (targets.empty() || piece.parts.empty()) return result;
  const PieceOptions piece_options{options.counts_only, candidate_capacity(device), options.max_hits};
  const PreparedTargets& with = prepared_on(device);
  const PieceHits found = resident != nullptr ? scan_on_device(device, with, unit.resident.text(device), piece_options)
                                              : scan_piece(device, with, *unit.batch, piece, piece_options);
  for (std::size_t t = 0; t < targets.size(); ++t)
    result.counts[2 * targets[t].matrix + (targets[t].reverse ? 1 : 0)] = found.counts[t];
  if (!options.counts_only) result.hits = hits_of(piece, found);
  return result;
}

void Scanner::State::scan_units(Devices on, const UnitSource& source, std::uint64_t total, const HitWriter& write,
                                std::span<const unsigned> workers, const std::function<void(UnitHits&&)>& sink) const {
  std::vector<std::uint64_t> all_counts(2 * forward.size());
  std::uint64_t hits = 0;
  runtime::for_each_chunk(
      on, source,
      [&](const Device& device, Unit&& unit) {
        UnitHits found = scan_unit(device, std::move(unit));
        if (write) {
          found.bytes = write(*found.batch, found.hits);
          found.hits = {};
        }
        return found;
      },
      [&](UnitHits&& unit) {
        for (std::size_t i = 0; i < all_counts.size(); ++i) {
          all_counts[i] += unit.counts[i];
          hits += options.counts_only ? 0 : unit.counts[i];
        }
        if (hits > options.max_hits) throw_too_many_hits(options.max_hits);
        const std::uint64_t places = unit.places;
        sink(std::move(unit));
        return places;
      },
      {.workers_of = {workers.begin(), workers.end()}, .items_total = total, .progress = options.progress});
  const std::lock_guard lock(mutex);
  counts = std::move(all_counts);
}

void Scanner::State::scan(Devices on, const UnitSource& source, std::uint64_t total, unsigned workers,
                          const std::function<void(const Batch&, std::vector<Hit>&&)>& sink) const {
  std::vector<std::vector<Hit>> pieces;  // of the batch
  std::uint64_t records = 0;
  const std::vector<unsigned> workers_of(on.size(), workers);
  scan_units(on, source, total, {}, workers_of, [&](UnitHits&& unit) {
    for (Hit& hit : unit.hits) hit.record += records;
    pieces.push_back(std::move(unit.hits));
    if (!unit.last) return;
    sink(unit.batch, joined(std::move(pieces), forward.size(), options.order));
    pieces.clear();
    if (unit.batch) records += unit.batch->size();
  });
}

Scanner::Scanner(std::unique_ptr<State> state) : state_(std::move(state)) {}
Scanner::Scanner(Devices devices, std::span<const ScoreMatrix> matrices, std::span<const double> thresholds,
                 const ScanOptions& options)
    : Scanner(std::make_unique<State>(devices, matrices, on_both_strands(thresholds), options)) {}
Scanner Scanner::by_strand(Devices devices, std::span<const ScoreMatrix> matrices,
                           std::span<const StrandThresholds> thresholds, const ScanOptions& options) {
  return Scanner(std::make_unique<State>(devices, matrices, thresholds, options));
}
Scanner::Scanner(Scanner&&) noexcept = default;
Scanner& Scanner::operator=(Scanner&&) noexcept = default;
Scanner::~Scanner() = default;

std::vector<Hit> Scanner::scan(const SequenceSet& text) const {
  // The caller's text, used only once.
  Batch whole(&text, [](const SequenceSet*) {});
  std::vector<Hit> all;
  state_->scan([&whole] { return std::exchange(whole, nullptr); }, text.residues(),
               [&all](const Batch&, std::vector<Hit>&& hits) { all = std::move(hits); });
  return all;
}

std::vector<Hit> Scanner::scan(const Text& text) const {
  const Text::State& resident = runtime::state_of(text);
  const auto device = std::ranges::find_if(
      state_->devices, [&](const Device& one) { return &runtime::core_of(one) == &runtime::core_of(resident.device); });
  if (device == state_->devices.end())
    throw InputError("a text on " + resident.device.info().name + ", in a context of none of the scanner's devices");
  const std::vector<ResidentRange> ranges = ranges_of(resident, state_->options.chunk_residues, state_->targets.size());
  std::size_t next = 0;
  const auto source = [&](std::size_t) -> std::optional<Unit> {
    if (next == ranges.size()) return std::nullopt;
    const ResidentRange& range = ranges[next++];
    return Unit{nullptr, {}, next == ranges.size(), range};
  };
  // A second worker copies and sorts hits while the kernels of the first run; counts alone do not justify it.
  const unsigned workers = ranges.size() > 1 && !state_->options.counts_only ? 2 : 1;
  std::vector<Hit> all;
  state_->scan(std::span(&*device, 1), source, resident.residues, workers,
               [&all](const Batch&, std::vector<Hit>&& hits) { all = std::move(hits); });
  return all;
}

void Scanner::scan(const std::function<bool(SequenceSet&)>& source,
                   const std::function<void(const SequenceSet&, std::span<const Hit>)>& sink) const {
  state_->scan(batches_of(source), 0, [&sink](const Batch& batch, std::vector<Hit>&& hits) { sink(*batch, hits); });
}

void Scanner::scan(const std::function<bool(SequenceSet&)>& source,
                   const std::function<std::string(const SequenceSet&, std::span<const Hit>)>& write,
                   const std::function<void(std::string&&, bool)>& sink) const {
  const State& state = *state_;
  std::vector<unsigned> workers;
  for (const Device& device : state.devices) workers.push_back(writing_workers(device));
  state.scan_units(state.devices, PieceSource(state.devices, state.options.chunk_residues, batches_of(source)), 0,
                   write, workers, [&sink](UnitHits&& unit) { sink(std::move(unit.bytes), unit.last); });
}

void Scanner::scan_parts(const std::function<bool(TextBatch&)>& source,
                         const std::function<std::string(const TextBatch&, std::span<const Hit>)>& write,
                         const std::function<void(std::string&&, bool)>& sink) const {
  const State& state = *state_;
  std::vector<unsigned> workers;
  for (const Device& device : state.devices) workers.push_back(writing_workers(device));
  const auto next_batch = [&source]() -> Batch {
    auto batch = std::make_shared<TextBatch>();
    return source(*batch) ? batch : nullptr;
  };
  state.scan_units(
      state.devices, PieceSource(state.devices, state.options.chunk_residues, next_batch), 0,
      [&write](const SequenceSet& batch, std::span<const Hit> hits) {
        return write(static_cast<const TextBatch&>(batch), hits);
      },
      workers, [&sink](UnitHits&& unit) { sink(std::move(unit.bytes), unit.last); });
}

std::vector<std::uint64_t> Scanner::counts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->counts;
}

}  // namespace genocl::pwm
