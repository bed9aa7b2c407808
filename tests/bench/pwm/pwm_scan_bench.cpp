// Scans for score matrices at P = 1e-4: positions x columns x strands per second (pc/s).
//
//   pwm/find    candidates of a text on the device: the kernel, and the wait for their number
//   pwm/scan    Scanner::scan of a text on the device, counts only: candidates and exact scores
//   pwm/stream  Scanner::scan of a text of the host's: its transfer and packing too
//
// `one` is a drawn motif of 20 columns, `jaspar` the collection that pwm_data.hpp finds.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "bench/bench.hpp"
#include "pwm/scan.hpp"
#include "pwm_data.hpp"
#include "runtime/state_access.hpp"

namespace genocl_bench {
namespace {

using genocl::Device;
using genocl::SequenceSet;
using namespace genocl::pwm;

constexpr double usual_p = 1e-4;

struct Case {
  std::shared_ptr<Collection> collection;
  std::shared_ptr<ResidentText> text;
  std::uint64_t size = 0;
  Strands strands = Strands::both;
  Method method = Method::automatic;

  Work work() const {
    return {.items = (strands == Strands::both ? 2.0 : 1.0) * static_cast<double>(collection->columns()) *
                     static_cast<double>(size)};
  }
  ScanOptions options() const { return {.strands = strands, .method = method, .counts_only = true}; }
};

/// Targets and their tables, as a Scanner has them.
struct Prepared {
  std::vector<ScoreMatrix> reversed;
  std::vector<Target> targets;
  std::unique_ptr<PreparedTargets> on_device;

  void make(const Device& device, const Case& c) {
    if (on_device) return;
    const std::vector<ScoreMatrix>& matrices = c.collection->matrices();
    const std::vector<double>& thresholds = c.collection->thresholds(device);
    for (const ScoreMatrix& matrix : matrices) reversed.push_back(matrix.reverse_complement());
    for (std::uint32_t i = 0; i < matrices.size(); ++i) {
      if (thresholds[i] != thresholds[i]) continue;
      targets.push_back({i, false, &matrices[i], thresholds[i]});
      if (c.strands == Strands::both) targets.push_back({i, true, &reversed[i], thresholds[i]});
    }
    std::stable_sort(targets.begin(), targets.end(),
                     [](const Target& a, const Target& b) { return a.scores->length() < b.scores->length(); });
    on_device = std::make_unique<PreparedTargets>(device, targets, c.method);
  }
};

/// All targets, as many at a time as fit.
void find_all(const Device& device, const Prepared& prepared, const DeviceText& text) {
  const auto targets = static_cast<std::uint32_t>(prepared.targets.size());
  const std::uint64_t capacity = candidate_capacity(device);
  for (std::uint32_t first = 0; first < targets;) {
    const std::uint32_t some = std::min<std::uint32_t>(prepared.on_device->batch, targets - first);
    if (prepared.on_device->finder->find(device, text, first, some, capacity).count > capacity)
      prepared.on_device->batch = std::max(1u, some / 256 * 128);  // once: the next call begins with it
    else
      first += some;
  }
}

void add_find(const std::string& name, const Setting& setting, const Device& device, const Case& c) {
  const auto prepared = std::make_shared<Prepared>();
  add_benchmark(
      "pwm/find/" + name, setting, device, c.work(),
      [=] {
        prepared->make(device, c);
        for (const ResidentRange& range :
             ranges_of(genocl::runtime::state_of(c.text->of(c.size)), 0, prepared->targets.size()))
          find_all(device, *prepared, range.text(device));
      },
      {}, [=] { *prepared = {}; });
}

/// `hold`: gives what is scanned, anew for each scan.
template <class Hold>
void add_scan(const std::string& name, const Setting& setting, const Device& device, const Case& c, Hold hold) {
  const auto scanner = std::make_shared<std::unique_ptr<Scanner>>();
  add_benchmark(
      name, setting, device, c.work(),
      [=] {
        if (!*scanner)
          *scanner = std::make_unique<Scanner>(std::span(&device, 1), c.collection->matrices(),
                                               c.collection->thresholds(device), c.options());
        (*scanner)->scan(hold());
      },
      {}, [=] { scanner->reset(); });
}

void add_resident(const std::string& name, const Setting& setting, const Device& device, const Case& c) {
  add_scan("pwm/scan/" + name, setting, device, c, [=]() -> const Text& { return c.text->of(c.size); });
}

void add_stream(const std::string& name, const Setting& setting, const Device& device, const Case& c) {
  const auto text = std::make_shared<SequenceSet>();
  add_scan("pwm/stream/" + name, setting, device, c, [=]() -> const SequenceSet& {
    if (text->empty()) *text = bench_text(c.size);
    return *text;
  });
}

}  // namespace

void add_pwm_scan(const Setting& setting) {
  const bool cpu = setting.device().info().type == genocl::DeviceType::cpu;
  // A bacterium for a CPU; a human genome, and a chromosome, for a GPU with the memory for them.
  constexpr std::uint64_t human = 3'100'000'000, chromosome = 225'000'000;
  const std::uint64_t part = cpu ? ecoli_size : chromosome;
  const std::uint64_t whole = cpu ? ecoli_size : fits(setting.device(), 1 << 30, human * 2) ? human : part;
  const auto text = std::make_shared<ResidentText>(setting.device());
  Drawn drawn(3);
  const auto one = std::make_shared<Collection>(std::vector<ScoreMatrix>{drawn_matrix(drawn, 20)}, usual_p);
  const auto jaspar = std::make_shared<Collection>(bench_matrices(), usual_p);
  for (const Variant& variant : setting.variants) {
    const std::string of_whole = "/" + letters_name(whole) + "/" + variant.name;
    const std::string of_part = letters_name(part) + "/" + variant.name;
    for (const auto& [name, collection] : {std::pair("one", one), std::pair("jaspar", jaspar)}) {
      add_find(name + of_whole, setting, variant.device, {collection, text, whole});
      add_resident(name + of_whole, setting, variant.device, {collection, text, whole});
    }
    add_resident(of_part, setting, variant.device, {one, text, part, Strands::forward});
    add_find("one-strand/" + of_part, setting, variant.device, {one, text, part, Strands::forward});
    for (const Method method : {Method::naive, Method::lookahead, Method::kmp, Method::slices, Method::loss})
      add_find("one-" + std::string(to_string(method)) + "/" + of_part, setting, variant.device,
               {one, text, part, Strands::both, method});
    add_stream("one/" + of_part, setting, variant.device, {one, text, part});
    add_stream("jaspar/" + of_part, setting, variant.device, {jaspar, text, part});
  }
}

}  // namespace genocl_bench
