// 002: Pham and others, swGPUCluster.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bench/align/align_proteome.hpp"
#include "bench/data.hpp"
#include "genocl/align.hpp"
#include "papers.hpp"
#include "reference/align.hpp"

namespace genocl_papers {
namespace {

using genocl::SequenceSet;
namespace align = genocl::align;

/// The minimum length of the subjects of the intra-task kernel.
constexpr std::uint64_t paper_threshold = 3072;
constexpr std::uint64_t paper_residues = 181'676'505;
const std::vector<unsigned> paper_lengths = {144,  189,  222,  375,  553,  729,  1000,
                                             1500, 2005, 2504, 3564, 4548, 5147, 5478};

struct Data {
  SequenceSet queries{genocl::Alphabet::protein}, subjects{genocl::Alphabet::protein};
  std::string note;
};

/// Each `step`-th sequence, at most `residues` of them in all, and the first one of at least the threshold.
SequenceSet sample_of(const SequenceSet& all, std::size_t step, std::uint64_t residues) {
  SequenceSet sample(genocl::Alphabet::protein);
  bool is_long = false;
  for (std::size_t i = 0; i < all.size() && sample.residues() < residues; i += step) {
    sample.append(all.name(i), all[i]);
    is_long = is_long || all[i].size() >= paper_threshold;
  }
  for (std::size_t i = 0; i < all.size() && !is_long; ++i) {
    if (all[i].size() < paper_threshold) continue;
    sample.append(all.name(i), all[i]);
    is_long = true;
  }
  return sample;
}

Data make_data(const Run& run) {
  Data data;
  const std::string queries = genocl_bench::test_data("proteins/queries14.fasta");
  data.queries = queries.empty() ? genocl_bench::drawn_queries(paper_lengths)
                                 : genocl_bench::read_fasta(queries, genocl::Alphabet::protein);
  data.note = queries.empty() ? "Queries: drawn, of the paper's 14 lengths. " : "Queries: the paper's 14. ";
  if (run.full()) {
    data.subjects = genocl_bench::drawn_proteome(paper_residues);
    data.note += "Database: drawn, with the number of residues of the paper's and lengths of UniProt proteomes.";
    return data;
  }
  const std::string file = genocl_bench::test_data("proteins/proteins_2m.fasta.gz");
  const SequenceSet all = file.empty() ? genocl_bench::drawn_proteome(2'000'000)
                                       : genocl_bench::read_fasta(file, genocl::Alphabet::protein);
  data.subjects = run.toy() ? sample_of(all, 200, 6'000) : sample_of(all, 2, 1'000'000);
  data.note += "Database instead of the paper's of 181,676,505 residues: " +
               std::string(file.empty() ? "drawn" : "proteins of UniProt") + ", " +
               count_text(data.subjects.residues()) + " residues.";
  return data;
}

using Scores = std::vector<std::vector<std::int32_t>>;

struct Search {
  Scores scores;              ///< [query][subject]
  std::vector<double> total;  ///< [query], with loading and transfers
  double loading = 0;         ///< seconds to make the database and copy it to the device
  std::vector<double> computing;
};

/// Searches with one query at a time, as Table I has it: the time of loading is counted for each query.
Search search(const Run& run, const Data& data, align::Kernel kernel, bool as_published = false) {
  Search result;
  align::SearchOptions options;
  options.kernel = kernel;
  options.threshold = paper_threshold;
  options.as_published = as_published;
  options.evalues = false;
  std::optional<align::Database> database;
  std::optional<align::Searcher> searcher;
  const auto scores_of = [&](std::size_t query) {
    SequenceSet one(genocl::Alphabet::protein);
    one.append(data.queries.name(query), data.queries[query]);
    std::vector<std::int32_t> scores;
    searcher->all_scores(one, [&](std::size_t, std::uint64_t, std::span<const std::int32_t> part) {
      scores.insert(scores.end(), part.begin(), part.end());
    });
    return scores;
  };
  database.emplace(align::Database::build(data.subjects));
  searcher.emplace(std::span(&run.device, 1), *database, options);
  for (std::size_t query = 0; query < data.queries.size(); ++query) {
    // The first search of a length compiles its kernels; that of the first query also copies the database.
    scores_of(query);
    std::vector<std::int32_t> scores;
    const double seconds = seconds_once([&] { scores = scores_of(query); });
    result.scores.push_back(std::move(scores));
    result.computing.push_back(seconds);
  }
  // Without compilation.
  result.loading = seconds_once([&] {
    searcher.reset();
    database.emplace(align::Database::build(data.subjects));
    searcher.emplace(std::span(&run.device, 1), *database, options);
    scores_of(0);
  });
  result.loading = std::max(0.0, result.loading - result.computing[0]);
  for (const double seconds : result.computing) result.total.push_back(seconds + result.loading);
  return result;
}

bool scalar_agrees(const Data& data, const Scores& scores, std::size_t query) {
  for (std::size_t i = 0; i < data.subjects.size(); ++i)
    if (genocl_reference::local_score(data.queries[query], data.subjects[i], align::blosum62(), align::GapPenalty{}) !=
        scores[query][i])
      return false;
  return true;
}

/// The searches that the tables compare.
struct Searches {
  Search exact;      ///< with the batches and work-items of the paper
  Search published;  ///< with tiles
  Search best;       ///< the default

  bool agree(std::size_t query) const {
    return exact.scores[query] == best.scores[query] && published.scores[query] == best.scores[query];
  }
};

void table1(Run& run, const Data& data, const Searches& searches) {
  Table table(run, "table1", "Table I: the 14 queries one at a time, with loading and transfers",
              {"query, length", "as published: s", "as published: GCUPS", "published: s", "published: GCUPS",
               "default: s", "default: GCUPS", "paper: s", "paper: GCUPS"});
  const auto residues = static_cast<double>(data.subjects.residues());
  const std::array<const Search*, 3> columns = {&searches.exact, &searches.published, &searches.best};
  std::array<double, 3> seconds{};
  double cells = 0;
  bool all = true;
  for (std::size_t q = 0; q < data.queries.size(); ++q) {
    const double work = static_cast<double>(data.queries[q].size()) * residues / 1e9;
    const bool right = searches.agree(q) && (!run.toy() || q >= 4 || scalar_agrees(data, searches.best.scores, q));
    const std::string length = std::to_string(data.queries[q].size());
    std::vector<std::string> row;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      row.push_back(digits(columns[c]->total[q]));
      row.push_back(digits(work / columns[c]->total[q]));
      seconds[c] += columns[c]->total[q];
    }
    row.push_back(table.paper(length, "s"));
    row.push_back(table.paper(length, "GCUPS"));
    table.row(std::string(data.queries.name(q)) + ", " + length, row, right);
    cells += work;
    all = all && right;
  }
  std::vector<std::string> sums;
  for (const double sum : seconds) {
    sums.push_back(digits(sum));
    sums.push_back(digits(cells / sum));
  }
  sums.push_back(table.paper("all", "s"));
  sums.push_back(table.paper("all", "GCUPS"));
  table.row("all", sums, all);
  table.note(data.note + " Gaps 11 and 1 as in NCBI BLAST, BLOSUM62.");
  table.note(
      "`as published`: `--kernel published --as-published`, with a work-item for each cell of three swapped diagonals, "
      "batches of 256 x 30 subjects and the threshold 3,072. `published` divides long subjects into tiles along "
      "anti-diagonals. The paper's cluster has several GPUs.");
}

void figure6(Run& run, const Data& data, const Searches& searches) {
  Table table(run, "figure6", "Figure 6: GCUPS without loading, next to other programs",
              {"program", "all 14 queries", "hardware, date"});
  double cells = 0;
  bool right = true;
  for (std::size_t q = 0; q < data.queries.size(); ++q) {
    cells += static_cast<double>(data.queries[q].size()) * static_cast<double>(data.subjects.residues()) / 1e9;
    right = right && searches.agree(q);
  }
  const std::string here = run.device.info().name;
  const auto row = [&](const std::string& name, const Search& search) {
    double seconds = 0;
    for (const double one : search.computing) seconds += one;
    table.row("genocl, " + name, {digits(cells / seconds), here}, right);
  };
  row("as published", searches.exact);
  row("published", searches.published);
  row("default", searches.best);
  table.note_row("swGPUCluster", {table.paper("all", "GCUPS"), "the paper's cluster"});
  for (const char* const peer : {"swps3", "SWIPE", "CUDASW++4.0"})
    table.note_row(peer, {table.peer(peer, "GCUPS"), table.peer(peer, "hardware, date")});
}

void division(Run& run, const Data& data) {
  Table table(run, "section5", "Section V: subjects of the two kernels at the threshold of 3,072",
              {"database", "inter", "intra", "paper: inter", "paper: intra"});
  std::uint64_t inter = 0;
  for (std::size_t i = 0; i < data.subjects.size(); ++i) inter += data.subjects[i].size() < paper_threshold ? 1 : 0;
  const std::uint64_t intra = data.subjects.size() - inter;
  table.row("this run",
            {count_text(inter), count_text(intra), table.paper("database", "inter"), table.paper("database", "intra")},
            inter > 0 && intra > 0);
  table.note("The paper's text swaps its two numbers.");
}

}  // namespace

void write_align_data(const Run& run, const std::string& folder) {
  const Data data = make_data(run);
  write_records(data.queries, folder + "/queries.fasta", false);
  write_records(data.subjects, folder + "/proteins.fasta", false);
}

void print_align(Run& run) {
  const Data data = make_data(run);
  const Searches searches = {search(run, data, align::Kernel::published, true),
                             search(run, data, align::Kernel::published), search(run, data, align::Kernel::automatic)};
  table1(run, data, searches);
  figure6(run, data, searches);
  division(run, data);
}

}  // namespace genocl_papers
