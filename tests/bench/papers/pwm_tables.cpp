// 000: Giraud and Varre, "Parallel Position Weight Matrices Algorithms".
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "bench/pwm/pwm_data.hpp"
#include "genocl/pwm.hpp"
#include "papers.hpp"
#include "reference/pwm/pwm.hpp"

namespace genocl_papers {
namespace {

using genocl::Device;
using genocl::SequenceSet;
using namespace genocl::pwm;
using genocl_bench::bucket_words;
using genocl_bench::distinct_matrix;
using genocl_bench::drawn_matrix;

constexpr unsigned paper_buckets = 3600;

/// A text of the scans. `paper`: millions of letters of the paper's text.
SequenceSet scan_text(const Run& run, std::uint64_t paper) {
  return genocl_bench::bench_text(run.by_size<std::uint64_t>(20'000, genocl_bench::ecoli_size, paper * 1'000'000));
}

std::string text_note(const Run& run, std::uint64_t paper) {
  const std::string size = std::to_string(paper) + " Mb";
  return run.full() ? "Text: " + size + " of drawn letters, of the size of the paper's."
                    : "Text instead of the paper's " + size + ": " +
                          (run.toy() ? std::string("20 kb of drawn letters.") : "E. coli K-12, 4.6 Mb.");
}

/// A collection of matrices with thresholds, scanned by one method on the forward strand.
struct Scanned {
  std::vector<ScoreMatrix> matrices;
  std::vector<double> scores;

  std::uint64_t columns() const {
    std::uint64_t sum = 0;
    for (const ScoreMatrix& matrix : matrices) sum += matrix.length();
    return sum;
  }
  Scanner scanner(const Device& device, Method method, unsigned slice_columns) const {
    return Scanner(
        std::span(&device, 1), matrices, scores,
        ScanOptions{
            .strands = Strands::forward, .method = method, .slice_columns = slice_columns, .counts_only = true});
  }
};

/// Thresholds for P = 1e-4.
Scanned with_thresholds(const Device& device, std::vector<ScoreMatrix> matrices) {
  Scanned scanned;
  constexpr std::array<double, 1> p = {1e-4};
  for (const auto& found : thresholds(std::span(&device, 1), matrices, p)) {
    if (!found[0].none) {
      scanned.scores.push_back(found[0].score);
      scanned.matrices.push_back(matrices[scanned.scores.size() - 1]);
    } else {
      matrices.erase(matrices.begin() + static_cast<std::ptrdiff_t>(scanned.scores.size()));
    }
  }
  return scanned;
}

/// Counts on the forward strand by a scalar loop, one matrix after the other.
std::vector<std::uint64_t> scalar_counts(const Scanned& scanned, const SequenceSet& text) {
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < scanned.matrices.size(); ++i) {
    const ScoreMatrix& matrix = scanned.matrices[i];
    std::uint64_t count = 0;
    for (std::size_t r = 0; r < text.size(); ++r) {
      const std::span<const genocl::Code> codes = text[r];
      for (std::size_t k = 0; k + matrix.length() <= codes.size(); ++k) {
        double score = 0;
        bool bases = true;
        for (std::size_t j = 0; j < matrix.length(); ++j) {
          const genocl::Code letter = codes[k + j];
          if (letter > 3) {
            bases = false;
            break;
          }
          score += matrix(j, letter);
        }
        count += bases && score >= scanned.scores[i] ? 1 : 0;
      }
    }
    counts.push_back(count);
  }
  return counts;
}

struct ScanTimes {
  double init = 0, kernels = 0, total = 0;
  std::vector<std::uint64_t> counts;
};

ScanTimes scan_times(const Run& run, const Scanned& scanned, const SequenceSet& text, Method method,
                     unsigned slice_columns = 0) {
  ScanTimes times;
  std::optional<Text> resident;
  std::optional<Scanner> scanner;
  times.init = seconds_of(
      run,
      [&] {
        resident.emplace(run.device, text);
        scanner.emplace(scanned.scanner(run.device, method, slice_columns));
      },
      1);
  const double scan = seconds_of(run, [&] { scanner->scan(*resident); });
  const auto both = scanner->counts();
  for (std::size_t i = 0; i < scanned.matrices.size(); ++i) times.counts.push_back(both[2 * i]);
  times.total = times.init + scan;
  const Device profiled = run.device.with_own_queue();
  Device timed = profiled;
  const Text same(timed, text);
  const Scanner other = scanned.scanner(timed, method, slice_columns);
  times.kernels = kernel_seconds_of(timed, [&] { other.scan(same); });
  return times;
}

void table1_scan(Run& run, const SequenceSet& text) {
  Table table(run, "table1", "Table 1: SCAN, one strand, P = 1e-4 (ms)",
              {"matrices", "init", "naive: kernels", "naive: total", "default: kernels", "default: total",
               "naive G pc/s", "naive-matrix G pc/s", "default G pc/s", "paper GPU G pc/s", "paper CPU G pc/s"});
  std::vector<std::pair<std::string, Scanned>> rows;
  for (const unsigned length : {10u, 15u, 20u, 25u, 30u}) {
    genocl_bench::Drawn drawn(length);
    rows.emplace_back("m = " + std::to_string(length), with_thresholds(run.device, {drawn_matrix(drawn, length)}));
  }
  std::vector<ScoreMatrix> jaspar = genocl_bench::bench_matrices();
  std::erase_if(jaspar, [](const ScoreMatrix& matrix) { return matrix.length() > 22; });
  const std::size_t most = run.by_size<std::size_t>(10, 40, jaspar.size());
  const std::size_t all = jaspar.size();
  if (jaspar.size() > most) jaspar.erase(jaspar.begin() + static_cast<std::ptrdiff_t>(most), jaspar.end());
  rows.emplace_back("JASPAR", with_thresholds(run.device, std::move(jaspar)));
  for (const auto& [name, scanned] : rows) {
    const ScanTimes naive = scan_times(run, scanned, text, Method::naive);
    const ScanTimes matrix = scan_times(run, scanned, text, Method::naive_matrix);
    const ScanTimes best = scan_times(run, scanned, text, Method::automatic);
    const bool right = naive.counts == best.counts && matrix.counts == best.counts &&
                       (!run.toy() || naive.counts == scalar_counts(scanned, text));
    const double work = static_cast<double>(text.residues()) * static_cast<double>(scanned.columns()) / 1e9;
    table.row(
        name,
        {milliseconds(naive.init), milliseconds(naive.kernels), milliseconds(naive.total), milliseconds(best.kernels),
         milliseconds(best.total), digits(work / naive.kernels), digits(work / matrix.kernels),
         digits(work / best.kernels), table.paper(name, "GPU"), table.paper(name, "CPU")},
        right);
  }
  table.note(text_note(run, 225));
  table.note("JASPAR: " + count_text(rows.back().second.matrices.size()) + " matrices with a threshold, of the first " +
             count_text(std::min(most, all)) + " of " + count_text(all) + " with at most 22 columns. Lengths other " +
             "than 20 are ours: of the paper's Table 1 only the scan by 20 columns is on record.");
}

void figure6(Run& run, const SequenceSet& text) {
  Table table(run, "figure6", "Figure 6: SCAN against the length of the matrix (G pc/s, kernels; CPU: one thread)",
              {"length", "naive", "naive-matrix", "lookahead", "kmp", "slices", "slices, 8", "default",
               "scalar C++, one thread", "paper GPU"});
  const std::vector<unsigned> lengths =
      run.toy() ? std::vector<unsigned>{10, 40, 90} : std::vector<unsigned>{10, 20, 40, 60, 90};
  for (const unsigned length : lengths) {
    genocl_bench::Drawn drawn(length);
    const Scanned scanned = with_thresholds(run.device, {drawn_matrix(drawn, length)});
    const double work = static_cast<double>(text.residues()) * length / 1e9;
    std::vector<std::string> cells;
    std::vector<std::uint64_t> counts;
    bool right = true;
    constexpr std::pair<Method, unsigned> methods[] = {
        {Method::naive, 0},  {Method::naive_matrix, 0}, {Method::lookahead, 0}, {Method::kmp, 0},
        {Method::slices, 0}, {Method::slices, 8},       {Method::automatic, 0}};
    for (const auto& [method, slice_columns] : methods) {
      const ScanTimes times = scan_times(run, scanned, text, method, slice_columns);
      right = right && (counts.empty() || counts == times.counts);
      counts = times.counts;
      cells.push_back(digits(work / times.kernels));
    }
    // A tenth of a large text is enough for the rate of one thread, but not for the counts.
    const bool whole = !run.full();
    SequenceSet part;
    if (!whole) part.append("part", text[0].subspan(0, 20'000'000));
    std::vector<std::uint64_t> scalar;
    const double seconds = seconds_once([&] { scalar = scalar_counts(scanned, whole ? text : part); });
    right = right && (!whole || scalar == counts);
    cells.push_back(digits(work / seconds * (whole ? 1.0 : 20e6 / static_cast<double>(text.residues()))));
    const std::string name = "m = " + std::to_string(length);
    cells.push_back(table.paper(name, "GPU"));
    table.row(name, cells, right);
  }
  table.note("\"slices, 8\" has tables of 8 columns, as published, and \"slices\" those of 4 or 5 columns.");
  table.note(text_note(run, 500) + " The default also computes the exact scores of candidates on the host.");
}

/// Whether the tail of a distribution is one of 4^length words: it starts at 1 and never rises. With `exact`, the
/// tail is compared with the P-values of `certified` at some edges.
bool valid_tail(const Device& device, const ScoreMatrix& matrix, const Distribution& tail, bool exact) {
  bool right = std::abs(tail.low.front() - 1) < 1e-9;
  for (std::size_t i = 1; i < tail.low.size(); ++i) right = right && tail.low[i] <= tail.low[i - 1] * (1 + 1e-12);
  if (!exact) return right;
  for (std::size_t i = 0; i < tail.edge.size(); i += tail.edge.size() / 16) {
    const PValue at = p_value(device, matrix, tail.edge[i]);
    right = right && tail.low[i] <= at.high * (1 + 1e-9) + 1e-300 && tail.high[i] >= at.low * (1 - 1e-9);
  }
  return right;
}

void figure7(Run& run) {
  Table table(run, "figure7", "Figure 7 and Table 1: BUCKET SCORE DISTRIBUTION, B = 3600 (G words/s)",
              {"length", "N = 1", "N = 2", "N = 3", "N = 4", "paper GPU, N = 4", "paper CPU, N = 4"});
  const double most = run.by_size(7e4, 3e8, 4e10);
  const std::vector<std::size_t> lengths =
      run.toy() ? std::vector<std::size_t>{8, 16, 24} : std::vector<std::size_t>{8, 12, 16, 20, 24, 32, 40, 48, 56, 65};
  for (const std::size_t length : lengths) {
    std::vector<std::string> cells;
    bool right = true, any = false;
    for (const unsigned slices : {1u, 2u, 3u, 4u}) {
      const double words = bucket_words(length, slices);
      if (words > most) {
        cells.emplace_back("-");
        continue;
      }
      PValueOptions options;
      options.method = PValueMethod::bucket;
      options.slices = slices;
      options.buckets = paper_buckets;
      const ScoreMatrix matrix = distinct_matrix(length);
      Distribution tail;
      const double seconds = seconds_of(
          run, [&] { tail = distribution(run.device, matrix, options); }, 1);
      cells.push_back(digits(words / seconds / 1e9));
      right = right && valid_tail(run.device, matrix, tail, length <= 20);
      any = true;
    }
    const std::string name = "m = " + std::to_string(length);
    cells.push_back(table.paper(name, "GPU"));
    cells.push_back(table.paper(name, "CPU"));
    if (any)
      table.row(name, cells, right);
    else
      table.note_row(name, cells);
  }
  table.note("A cell without a number needs more than " + digits(most) + " words, which this size leaves out. Rates " +
             "include the merges of the slices.");
}

/// Atomic increments of local memory, and increments of one item after the other, which the paper compares.
void serialised_buckets(Run& run) {
  Table table(run, "serialised", "Figure 7: increments of buckets, GPU kernels, one slice (G words/s)",
              {"length", "atomic", "serialised", "atomic / serialised", "paper"});
  const genocl::Device device = run.device.with_family(genocl::KernelFamily::gpu);
  const std::vector<std::size_t> lengths = run.toy()    ? std::vector<std::size_t>{6, 8}
                                           : run.full() ? std::vector<std::size_t>{10, 12, 14}
                                                        : std::vector<std::size_t>{8, 9, 10};
  for (const std::size_t length : lengths) {
    const ScoreMatrix matrix = distinct_matrix(length);
    std::array<double, 2> rates{};
    std::array<Distribution, 2> tails;
    for (const bool serialised : {false, true}) {
      PValueOptions options;
      options.method = PValueMethod::bucket;
      options.slices = 1;
      options.buckets = paper_buckets;
      options.serialised_buckets = serialised;
      const double seconds =
          seconds_of(run, [&] { tails[serialised ? 1 : 0] = distribution(device, matrix, options); });
      rates[serialised ? 1 : 0] = bucket_words(length, 1) / seconds / 1e9;
    }
    const std::string name = "m = " + std::to_string(length);
    table.row(name, {digits(rates[0]), digits(rates[1]), digits(rates[0] / rates[1]), table.paper("all", "ratio")},
              tails[0].low == tails[1].low && valid_tail(device, matrix, tails[0], true));
  }
  if (run.cpu())
    table.note("A CPU runs GPU kernels here; its own kernel has a table for each worker, without atomics.");
}

void figure8(Run& run) {
  std::vector<ScoreMatrix> matrices;
  for (const Motif& motif : genocl_bench::bench_motifs())
    if (motif.length() >= 10 && motif.length() <= 22) matrices.push_back(log_odds(motif));
  const bool real = !matrices.empty();
  genocl_bench::Drawn drawn(1);
  for (std::size_t length = 10; !real && length <= 22; ++length) matrices.push_back(drawn_matrix(drawn, length));
  if (run.toy()) std::erase_if(matrices, [](const ScoreMatrix& matrix) { return matrix.length() > 12; });
  const std::size_t all = matrices.size(), wanted = run.by_size<std::size_t>(6, 150, all);
  std::vector<ScoreMatrix> chosen;
  for (std::size_t i = 0; i < std::min(wanted, all); ++i) chosen.push_back(matrices[i * all / std::min(wanted, all)]);
  constexpr std::array<double, 3> ps = {1e-3, 1e-5, 1e-7};
  Table table(run, "figure8", "Figure 8: matrices with an error of at most 10% in P, B = 3600 (%)",
              {"slices", "against exact P: 1e-3", "1e-5", "1e-7", "against requested P: 1e-3", "1e-5", "1e-7"});
  for (const unsigned slices : {2u, 3u, 4u}) {
    PValueOptions options;
    options.method = PValueMethod::bucket;
    options.slices = slices;
    options.buckets = paper_buckets;
    options.paper_convention = true;
    const auto found = thresholds(std::span(&run.device, 1), chosen, ps, options);
    std::vector<std::vector<double>> scores;
    for (const auto& of_matrix : found) {
      scores.emplace_back();
      for (const Threshold& one : of_matrix) scores.back().push_back(one.score);
    }
    const auto exact = p_values(std::span(&run.device, 1), chosen, scores);
    std::array<std::size_t, 3> of_exact{}, of_requested{};
    bool right = true;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      for (std::size_t k = 0; k < ps.size(); ++k) {
        const double truth = (exact[i][k].low + exact[i][k].high) / 2;
        of_exact[k] += std::abs(found[i][k].p.low - truth) <= 0.1 * truth ? 1 : 0;
        of_requested[k] += std::abs(truth - ps[k]) <= 0.1 * ps[k] ? 1 : 0;
        right = right && found[i][k].p.low <= exact[i][k].high * (1 + 1e-9);
      }
    std::vector<std::string> cells;
    for (const auto& counts : {of_exact, of_requested})
      for (const std::size_t count : counts)
        cells.push_back(digits(100.0 * static_cast<double>(count) / static_cast<double>(chosen.size())));
    table.row("N = " + std::to_string(slices), cells, right);
  }
  table.note("Matrices: " + count_text(chosen.size()) + " of " + count_text(all) +
             (real ? " of JASPAR 2024 with 10 to 22 columns" : " drawn") + "; the paper has 101, " +
             table.paper("101 matrices", "within 10%") +
             "% of them within 10%. Its reference value is not on record, nor is the number of slices.");
}

void compare_table(Run& run) {
  Table table(run, "compare", "COMPARE by buckets against exact COMPARE: error of the similarity",
              {"slices, buckets", "pairs", "mean error", "largest error", "exact within the proved bounds (%)",
               "time of a pair (ms)", "exact: time of a pair (ms)"});
  std::vector<ScoreMatrix> matrices;
  const std::size_t longest = run.by_size<std::size_t>(5, 6, 8), wanted = run.by_size<std::size_t>(2, 3, 8);
  std::vector<double> scores;
  for (const ScoreMatrix& matrix : genocl_bench::bench_matrices()) {
    if (matrix.length() > longest || matrices.size() == wanted) continue;
    const Threshold found = threshold(run.device, matrix, 4e-3);
    if (found.none) continue;
    matrices.push_back(matrix);
    scores.push_back(found.score);
  }
  const auto pairs = [&](const CompareOptions& options) {
    std::vector<std::vector<Overlap>> results;
    for (std::size_t i = 0; i < matrices.size(); ++i)
      for (std::size_t j = i; j < matrices.size(); ++j)
        results.push_back(compare(run.device, matrices[i], scores[i], matrices[j], scores[j], options));
    return results;
  };
  std::vector<std::vector<Overlap>> exact;
  const double exact_seconds = seconds_of(
      run, [&] { exact = pairs({}); }, 1);
  const std::vector<std::pair<unsigned, unsigned>> settings =
      run.toy() ? std::vector<std::pair<unsigned, unsigned>>{{2, 64}, {2, 256}}
                : std::vector<std::pair<unsigned, unsigned>>{{2, 64}, {2, 256}, {2, 1024}, {3, 64}};
  for (const auto& [slices, buckets] : settings) {
    CompareOptions options;
    options.method = PValueMethod::bucket;
    options.slices = slices;
    options.buckets = buckets;
    std::vector<std::vector<Overlap>> found;
    const double seconds = seconds_once([&] { found = pairs(options); });
    double sum = 0, largest = 0;
    std::size_t shifts = 0, within = 0;
    bool right = found.size() == exact.size();
    for (std::size_t i = 0; i < exact.size(); ++i) {
      right = right && found[i].size() == exact[i].size();
      for (std::size_t k = 0; right && k < exact[i].size(); ++k) {
        const double error = std::abs(found[i][k].similarity - exact[i][k].similarity);
        sum += error;
        largest = std::max(largest, error);
        ++shifts;
        within += found[i][k].both.low <= exact[i][k].both.high * (1 + 1e-9) + 1e-12 &&
                          found[i][k].both.high >= exact[i][k].both.low * (1 - 1e-9)
                      ? 1
                      : 0;
      }
    }
    right = right && within == shifts;
    table.row("N = " + std::to_string(slices) + ", B = " + std::to_string(buckets),
              {count_text(exact.size()), digits(sum / static_cast<double>(shifts)), digits(largest),
               digits(100.0 * static_cast<double>(within) / static_cast<double>(shifts)),
               milliseconds(seconds / static_cast<double>(exact.size())),
               milliseconds(exact_seconds / static_cast<double>(exact.size()))},
              right);
  }
  table.note("Matrices of at most " + std::to_string(longest) +
             " columns, P = 4e-3. The paper prints no error of "
             "COMPARE.");
}

}  // namespace

void print_pwm(Run& run) {
  table1_scan(run, scan_text(run, 225));
  figure6(run, scan_text(run, 500));
  figure7(run);
  serialised_buckets(run);
  figure8(run);
  compare_table(run);
}

}  // namespace genocl_papers
