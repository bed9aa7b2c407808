#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/scan/piece_scan.hpp"
#include "pwm/scan/resident_text.hpp"
#include "runtime/chunks.hpp"
#include "runtime/device/access.hpp"

namespace genocl::pwm {
namespace {

using Batch = std::shared_ptr<const SequenceSet>;

/// A piece of a batch on its way through a device, or a range of a text that is there already.
struct Unit {
  Batch batch;        ///< none for a text that is there
  TextPiece piece;    ///< without parts: of a batch without letters
  bool last = false;  ///< of its batch or text
  ResidentRange resident;
};

struct UnitHits {
  Batch batch;
  std::vector<Hit> hits;              ///< by matrix, record (of the batch), position, strand
  std::vector<std::uint64_t> counts;  ///< [2 * matrix + reverse]
  std::uint64_t places = 0;
  bool last = false;
};

/// Told for which of the devices.
using UnitSource = std::function<std::optional<Unit>(std::size_t)>;

/// Letters of its own, separators not counted: those of all pieces are the text's.
std::uint64_t own_places(const TextPiece& piece) {
  return piece.parts.empty() ? 0 : std::uint64_t{piece.own_end} - piece.own_begin - (piece.parts.size() - 1);
}

/// Of a batch, for one of so many devices: enough pieces that every device has some, and copies and kernels overlap;
/// not so small that launches are felt.
std::uint64_t piece_residues(const Device& device, std::size_t devices, std::uint64_t residues) {
  const bool cpu = device.info().type == DeviceType::cpu;
  const std::uint64_t least = std::uint64_t{1} << (cpu ? 20 : 22);
  // The text is a small part of what is there.
  const std::uint64_t most = std::min(std::uint64_t{1} << (cpu ? 24 : 27), device.info().global_memory / 64);
  return std::clamp(residues / (4 * devices), least, std::max(least, most));
}

/// Cuts one batch after the other into pieces, each of a size that suits the device it is for.
class PieceSource {
 public:
  PieceSource(std::span<const Device> devices, std::uint64_t residues, std::function<Batch()> next_batch)
      : devices_(devices), residues_(residues), next_batch_(std::move(next_batch)) {}

  std::optional<Unit> operator()(std::size_t device) {
    if (!cutter_ || !cutter_->more()) {
      batch_ = next_batch_();
      if (!batch_) return std::nullopt;
      if (batch_->alphabet() != Alphabet::dna)
        throw InputError("a text of " + std::string(to_string(batch_->alphabet())) + "; expected DNA");
      cutter_.emplace(*batch_);
      if (!cutter_->more()) return Unit{batch_, {}, true, {}};
    }
    const std::uint64_t residues =
        residues_ != 0 ? residues_ : piece_residues(devices_[device], devices_.size(), batch_->residues());
    TextPiece piece = cutter_->next(residues);
    return Unit{batch_, std::move(piece), !cutter_->more(), {}};
  }

 private:
  std::span<const Device> devices_;
  std::uint64_t residues_;
  std::function<Batch()> next_batch_;
  Batch batch_;
  std::optional<TextCutter> cutter_;  ///< of the batch
};

/// The hits of all pieces of a batch, each piece's by matrix, as one by matrix and then by piece.
std::vector<Hit> joined(std::vector<std::vector<Hit>> pieces, std::size_t matrices) {
  if (pieces.size() == 1) return std::move(pieces.front());
  std::vector<std::uint64_t> next(matrices + 1, 0);
  for (const auto& piece : pieces)
    for (const Hit& hit : piece) ++next[hit.matrix + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Hit> all(next.back());
  for (auto& piece : pieces) {
    for (const Hit& hit : piece) all[next[hit.matrix]++] = hit;
    piece = {};
  }
  return all;
}

/// Whether what is prepared for one device serves the other.
bool same_shape(const Device& a, const Device& b) {
  return &runtime::core_of(a) == &runtime::core_of(b) && a.family() == b.family() &&
         a.vendor_paths() == b.vendor_paths();
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

  mutable std::mutex mutex;  ///< guards what follows
  mutable std::vector<std::uint64_t> counts;

  State(std::span<const Device> d, std::span<const ScoreMatrix> matrices, std::span<const StrandThresholds> thresholds,
        const ScanOptions& o);

  const PreparedTargets& prepared_on(const Device& device) const {
    for (const auto& one : prepared)
      if (same_shape(one->device, device)) return *one;
    throw InputError("a device that the scanner was not made for");
  }
  UnitHits scan_unit(const Device& device, Unit&& unit) const;
  std::vector<Hit> hits_of(const TextPiece& piece, const PieceHits& found) const;
  /// `sink` gets the hits of each batch, or of a text that is there.
  void scan(std::span<const Device> on, const UnitSource& source, std::uint64_t total, unsigned workers,
            const std::function<void(const Batch&, std::vector<Hit>&&)>& sink) const;
  void scan(const std::function<Batch()>& next_batch, std::uint64_t total,
            const std::function<void(const Batch&, std::vector<Hit>&&)>& sink) const {
    scan(devices, PieceSource(devices, options.chunk_residues, next_batch), total, 2, sink);
  }
};

Scanner::State::State(std::span<const Device> d, std::span<const ScoreMatrix> matrices,
                      std::span<const StrandThresholds> thresholds, const ScanOptions& o)
    : devices(d.begin(), d.end()),
      forward(matrices.begin(), matrices.end()),
      options(o),
      target_of(matrices.size()),
      counts(2 * matrices.size()) {
  if (devices.empty()) throw InputError("no device given");
  if (matrices.size() != thresholds.size())
    throw InputError(std::to_string(matrices.size()) + " matrices and " + std::to_string(thresholds.size()) +
                     " thresholds; expected as many of both");
  for (const ScoreMatrix& matrix : forward) reversed.push_back(matrix.reverse_complement());
  for (std::uint32_t i = 0; i < matrices.size(); ++i) {
    const auto& [on_forward, on_reverse] = thresholds[i];
    if (options.strands != Strands::reverse && !std::isnan(on_forward))
      targets.push_back({i, false, &forward[i], on_forward});
    if (options.strands != Strands::forward && !std::isnan(on_reverse))
      targets.push_back({i, true, &reversed[i], on_reverse});
  }
  // Finders look for several at a time, as far as the longest of them goes.
  std::stable_sort(targets.begin(), targets.end(),
                   [](const Target& a, const Target& b) { return a.scores->length() < b.scores->length(); });
  for (std::uint32_t t = 0; t < targets.size(); ++t) target_of[targets[t].matrix][targets[t].reverse ? 1 : 0] = t;
  for (const Device& device : devices) {
    const bool known =
        std::any_of(prepared.begin(), prepared.end(), [&](const auto& one) { return same_shape(one->device, device); });
    if (!known && !targets.empty())
      prepared.push_back(std::make_unique<PreparedTargets>(device, targets, options.method));
  }
}

std::vector<Hit> Scanner::State::hits_of(const TextPiece& piece, const PieceHits& found) const {
  std::vector<std::uint64_t> begin(targets.size() + 1, 0);
  for (std::size_t t = 0; t < targets.size(); ++t) begin[t + 1] = begin[t] + found.counts[t];
  std::vector<Hit> hits;
  hits.reserve(found.keys.size());
  const auto add = [&](std::uint32_t matrix, std::uint64_t i, bool reverse) {
    const auto letter = static_cast<std::uint32_t>(found.keys[i]);
    const auto behind = std::upper_bound(piece.parts.begin(), piece.parts.end(), letter,
                                         [](std::uint32_t at, const TextPiece::Part& part) { return at < part.at; });
    const TextPiece::Part& part = *std::prev(behind);
    hits.push_back({matrix, part.record, part.begin + (letter - part.at), found.scores[i], reverse});
  };
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
      add(m, next[strand]++, strand == 1);
    }
  }
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
  const PieceOptions piece_options{options.counts_only, candidate_room(device), options.max_hits};
  const PreparedTargets& with = prepared_on(device);
  const PieceHits found = resident != nullptr ? scan_on_device(device, with, unit.resident.text(device), piece_options)
                                              : scan_piece(device, with, *unit.batch, piece, piece_options);
  for (std::size_t t = 0; t < targets.size(); ++t)
    result.counts[2 * targets[t].matrix + (targets[t].reverse ? 1 : 0)] = found.counts[t];
  if (!options.counts_only) result.hits = hits_of(piece, found);
  return result;
}

void Scanner::State::scan(std::span<const Device> on, const UnitSource& source, std::uint64_t total, unsigned workers,
                          const std::function<void(const Batch&, std::vector<Hit>&&)>& sink) const {
  std::vector<std::uint64_t> all_counts(2 * forward.size());
  std::vector<std::vector<Hit>> pieces;  // of the batch
  std::uint64_t hits = 0, records = 0;
  runtime::for_each_chunk(
      on, source, [this](const Device& device, Unit&& unit) { return scan_unit(device, std::move(unit)); },
      [&](UnitHits&& unit) {
        for (std::size_t i = 0; i < all_counts.size(); ++i) all_counts[i] += unit.counts[i];
        hits += unit.hits.size();
        if (hits > options.max_hits) throw_too_many_hits(options.max_hits);
        for (Hit& hit : unit.hits) hit.record += records;
        pieces.push_back(std::move(unit.hits));
        if (unit.last) {
          sink(unit.batch, joined(std::move(pieces), forward.size()));
          pieces.clear();
          if (unit.batch) records += unit.batch->size();
        }
        return unit.places;
      },
      {.workers_per_device = workers, .items_total = total, .progress = options.progress});
  const std::lock_guard lock(mutex);
  counts = std::move(all_counts);
}

Scanner::Scanner(std::unique_ptr<State> state) : state_(std::move(state)) {}
Scanner::Scanner(std::span<const Device> devices, std::span<const ScoreMatrix> matrices,
                 std::span<const double> thresholds, const ScanOptions& options)
    : Scanner(std::make_unique<State>(devices, matrices, on_both_strands(thresholds), options)) {}
Scanner Scanner::by_strand(std::span<const Device> devices, std::span<const ScoreMatrix> matrices,
                           std::span<const StrandThresholds> thresholds, const ScanOptions& options) {
  return Scanner(std::make_unique<State>(devices, matrices, thresholds, options));
}
Scanner::Scanner(Scanner&&) noexcept = default;
Scanner& Scanner::operator=(Scanner&&) noexcept = default;
Scanner::~Scanner() = default;

std::vector<Hit> Scanner::scan(const SequenceSet& text) const {
  // The caller's, and only this once.
  Batch whole(&text, [](const SequenceSet*) {});
  std::vector<Hit> all;
  state_->scan([&whole] { return std::exchange(whole, nullptr); }, text.residues(),
               [&all](const Batch&, std::vector<Hit>&& hits) { all = std::move(hits); });
  return all;
}

std::vector<Hit> Scanner::scan(const Text& text) const {
  const Text::State& resident = text.state();
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
  // A second worker copies hits and sorts them out beside the first one's kernels; counts are not worth one.
  const unsigned workers = ranges.size() > 1 && !state_->options.counts_only ? 2 : 1;
  std::vector<Hit> all;
  state_->scan(std::span(&*device, 1), source, resident.residues, workers,
               [&all](const Batch&, std::vector<Hit>&& hits) { all = std::move(hits); });
  return all;
}

void Scanner::scan(const std::function<bool(SequenceSet&)>& source,
                   const std::function<void(const SequenceSet&, std::span<const Hit>)>& sink) const {
  const auto next_batch = [&source]() -> Batch {
    auto batch = std::make_shared<SequenceSet>();
    return source(*batch) ? batch : nullptr;
  };
  state_->scan(next_batch, 0, [&sink](const Batch& batch, std::vector<Hit>&& hits) { sink(*batch, hits); });
}

std::vector<std::uint64_t> Scanner::counts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->counts;
}

}  // namespace genocl::pwm
