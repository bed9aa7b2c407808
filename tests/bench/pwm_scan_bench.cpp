// Scans for score matrices, the text on the device: positions x columns x strands per second (pc/s), P = 1e-4.
//
//   find    candidates only
//   count   candidates and exact scores: hits of each target
//   scan    the whole of Scanner::scan with counts only, the text's transfer with it
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "bench.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/piece_scan.hpp"

namespace genocl_bench {
namespace {

using genocl::Code;
using genocl::Device;
using genocl::SequenceSet;
using namespace genocl::pwm;

/// Numbers drawn, the same in every run.
class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : seed_(seed) {}
  std::uint32_t operator()() {
    if (at_ == words_.size()) {
      words_ = random_words(1 << 16, seed_++);
      at_ = 0;
    }
    return words_[at_++];
  }
  double unit() { return static_cast<double>((*this)()) / 4294967296.0; }

 private:
  std::uint64_t seed_;
  std::vector<std::uint32_t> words_;
  std::size_t at_ = 0;
};

/// Columns of 20 sites, one letter more frequent than the others.
ScoreMatrix drawn_matrix(Drawn& drawn, std::size_t length) {
  Motif motif{"m", "", {}, 0};
  for (std::size_t i = 0; i < length; ++i) {
    const double most = std::floor(8 + 12 * drawn.unit()), second = std::floor((20 - most) * drawn.unit());
    std::array<double, 4> counts = {most, second, 20 - most - second, 0};
    std::rotate(counts.begin(), counts.begin() + drawn() % 4, counts.end());
    motif.counts.push_back(counts);
  }
  return log_odds(motif);
}

/// That one in 10,000 drawn words reaches, about.
double drawn_threshold(Drawn& drawn, const ScoreMatrix& matrix) {
  std::vector<double> scores(50'000);
  for (double& score : scores) {
    score = 0;
    for (std::size_t i = 0; i < matrix.length(); i += 16) {
      const std::uint32_t letters = drawn();
      for (std::size_t k = i; k < std::min(i + 16, matrix.length()); ++k)
        score += matrix(k, letters >> (2 * (k - i)) & 3);
    }
  }
  std::nth_element(scores.begin(), scores.begin() + 5, scores.end(), std::greater<>());
  return scores[5];
}

struct Collection {
  std::vector<std::size_t> lengths;
  std::uint64_t columns = 0;
  std::vector<ScoreMatrix> matrices, reversed;
  std::vector<double> thresholds;
  std::vector<Target> targets;  ///< by length, both strands

  Collection(std::size_t count, std::size_t shortest, std::size_t longest) {
    for (std::size_t i = 0; i < count; ++i) {
      lengths.push_back(shortest + i * (longest + 1 - shortest) / count);
      columns += lengths.back();
    }
  }
  /// Takes seconds: only for who needs it.
  void make() {
    if (!matrices.empty()) return;
    Drawn drawn(3);
    for (const std::size_t length : lengths) {
      matrices.push_back(drawn_matrix(drawn, length));
      reversed.push_back(matrices.back().reverse_complement());
      thresholds.push_back(drawn_threshold(drawn, matrices.back()));
    }
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
      targets.push_back({i, false, &matrices[i], thresholds[i]});
      targets.push_back({i, true, &reversed[i], thresholds[i]});
    }
  }
};

/// What a benchmark has on its device, made when it is first run.
struct Resident {
  std::unique_ptr<PreparedTargets> prepared;
  DeviceText text;
  genocl::Array<std::uint64_t> counts;
};

SequenceSet drawn_text(std::uint64_t size) {
  SequenceSet set;
  const std::span<Code> codes = set.extend("drawn", "", size).codes;
  Drawn drawn(7);
  for (std::size_t i = 0; i < codes.size(); i += 16) {
    const std::uint32_t letters = drawn();
    for (std::size_t k = i; k < std::min(i + 16, codes.size()); ++k)
      codes[k] = static_cast<Code>(letters >> (2 * (k - i)) & 3);
  }
  return set;
}

/// All targets, as many at a time as there is room for.
void look_for_all(const Device& device, Resident& resident, bool count) {
  const auto targets = static_cast<std::uint32_t>(resident.prepared->exact.targets.size());
  const std::uint64_t room = candidate_room(device);
  for (std::uint32_t first = 0; first < targets;) {
    const std::uint32_t some = std::min<std::uint32_t>(resident.prepared->batch, targets - first);
    const Candidates candidates = resident.prepared->finder->find(device, resident.text, first, some, room);
    if (candidates.count > room) {
      resident.prepared->batch = std::max(1u, some / 32 * 16);  // once: the next call begins with it
      continue;
    }
    if (count) count_hits(device, resident.text, resident.prepared->exact, candidates, resident.counts);
    first += some;
  }
}

void add(const std::string& name, const Setting& setting, const Variant& variant, Method method,
         const std::shared_ptr<Collection>& collection, const std::shared_ptr<SequenceSet>& text, std::uint64_t size) {
  const Work work{.items = 2.0 * static_cast<double>(collection->columns) * static_cast<double>(size)};
  const auto resident = std::make_shared<Resident>();
  const Device device = variant.device;
  const auto ready = [=] {
    if (resident->prepared) return;
    if (text->empty()) *text = drawn_text(size);
    collection->make();
    resident->prepared = std::make_unique<PreparedTargets>(device, collection->targets, method);
    resident->text =
        upload_text(device, *text, cut_text(*text, size).front(), resident->prepared->finder->wants_packed());
    resident->counts = genocl::Array<std::uint64_t>(device, collection->targets.size());
    resident->counts.fill(0);
  };
  const auto release = [=] { *resident = {}; };
  for (const bool count : {false, true})
    add_benchmark(
        "pwm/" + std::string(count ? "count/" : "find/") + name, setting, device, work,
        [=] {
          ready();
          look_for_all(device, *resident, count);
        },
        {}, release);
  const auto scanner = std::make_shared<std::unique_ptr<Scanner>>();
  add_benchmark(
      "pwm/scan/" + name, setting, device, work,
      [=] {
        if (text->empty()) *text = drawn_text(size);
        collection->make();
        if (!*scanner)
          *scanner = std::make_unique<Scanner>(std::span(&device, 1), collection->matrices, collection->thresholds,
                                               ScanOptions{.method = method, .counts_only = true});
        (*scanner)->scan(*text);
      },
      {}, [=] { scanner->reset(); });
}

}  // namespace

void add_pwm_scan(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  const std::uint64_t size = std::uint64_t{1} << (cpu ? 22 : 29);
  const auto text = std::make_shared<SequenceSet>();
  const auto one = std::make_shared<Collection>(1, 20, 20);
  // As many and, by and large, as long as those of JASPAR 2024.
  const auto many = std::make_shared<Collection>(2346, 6, 13);
  for (const Variant& variant : setting.variants) {
    for (const Method method : {Method::naive, Method::lookahead, Method::slices, Method::loss})
      add("one-of-20/" + std::string(to_string(method)) + "/" + variant.name, setting, variant, method, one, text,
          size);
    add("2346/loss/" + variant.name, setting, variant, Method::loss, many, text, size);
  }
}

}  // namespace genocl_bench
