#include "align/options.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "align/result_writer.hpp"
#include "common/numbers.hpp"
#include "genocl/error.hpp"

namespace program {
namespace {

using genocl::Alphabet;
using genocl::InputError;

[[noreturn]] void contradiction(const std::string& option, const std::string& with) {
  throw InputError(option + " " + with);
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return text;
}

align::Matrix matrix_of(const std::string& name, Alphabet alphabet) {
  const auto& names = align::Matrix::names();
  if (std::ranges::find(names, upper(name)) != names.end()) {
    if (alphabet == Alphabet::dna)
      contradiction("--matrix " + name, "is for proteins; expected --match and --mismatch, or a file of DNA scores");
    return align::Matrix::named(name);
  }
  std::ifstream in(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) {
    std::string known;
    for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
    throw InputError("--matrix", {}, genocl::in_quotes(name) + " is no file that can be read", known + ", or a file");
  }
  return align::Matrix::parse(text, name, alphabet);
}

align::GapPenalty gap_of(const ScoringSettings& settings, const align::Matrix& matrix) {
  align::GapPenalty gap = matrix.alphabet() == Alphabet::dna
                              ? align::GapPenalty{5, 2}
                              : align::KarlinAltschul::usual_gap(matrix).value_or(align::GapPenalty{11, 1});
  const bool first = settings.gap_convention == "first";
  if (first && (!settings.gap_open || !settings.gap_extend))
    contradiction("--gap-convention first", "needs --gap-open and --gap-extend");
  const int open = settings.gap_open.value_or(gap.open), extend = settings.gap_extend.value_or(gap.extend);
  if (open < 0) throw InputError("--gap-open", {}, std::to_string(open), "0 or more");
  if (extend < 0) throw InputError("--gap-extend", {}, std::to_string(extend), "0 or more");
  gap = first ? align::GapPenalty::from_first(open, extend) : align::GapPenalty{open, extend};
  gap.check();
  return gap;
}

void check_columns(const std::string& columns) {
  try {
    align::blast_columns(columns);
  } catch (const InputError& error) {
    throw InputError("--columns", {}, error.wrong(), error.expected());
  }
}

}  // namespace

const OutputFormat& SearchSettings::output_format() const {
  for (const OutputFormat& one : output_formats())
    if (format == one.name) return one;
  return output_formats().front();
}

bool SearchSettings::needs_alignments() const {
  return align || has_filter() || genocl::align::needs_alignments(output_format().format);
}

void PairsSettings::check() const {
  making.check();
  scoring.check();
  if (text && making.dna) contradiction("--text", "with --dna");
  if (text && making.protein) contradiction("--text", "with --protein");
  if (text && making.replace_letters) contradiction("--text", "with --replace-letters");
  if (text && mode != "edit") contradiction("--text", "without --mode edit");
  if (text && align) contradiction("--text", "with --align, which is for proteins and DNA");
  if (mode == "edit") {
    const auto refuse = [](bool given, const char* option) {
      if (given) contradiction("--mode edit", std::string("with ") + option);
    };
    refuse(!scoring.matrix.empty(), "--matrix");
    refuse(scoring.match.has_value(), "--match");
    refuse(scoring.mismatch.has_value(), "--mismatch");
    refuse(scoring.gap_open.has_value(), "--gap-open");
    refuse(scoring.gap_extend.has_value(), "--gap-extend");
    for (const std::string& end : free)
      if (end.starts_with("query"))
        contradiction("--mode edit", "with --free " + end + "; the whole query is compared");
  }
  if (!free.empty() && mode != "semi-global" && mode != "edit")
    contradiction("--free", "without --mode semi-global or edit");
  if (!cigar_style.empty() && !align) contradiction("--cigar", "without --align");
}

void MakingSettings::check() const {
  if (dna && protein) contradiction("--dna", "with --protein");
}

void ScoringSettings::check() const {
  if ((match || mismatch) && !matrix.empty()) contradiction("--match and --mismatch", "with --matrix");
  if (!gap_convention.empty() && !gap_open && !gap_extend)
    contradiction("--gap-convention", "without --gap-open and --gap-extend");
}

void SearchSettings::check_filters() const {
  const auto check_percentage = [](const std::optional<double>& percent, const char* option) {
    if (percent && !(*percent >= 0 && *percent <= 100))
      throw InputError(option, {}, std::to_string(*percent), "a percentage, 0 to 100");
  };
  check_percentage(min_identity, "--min-identity");
  check_percentage(query_coverage, "--query-coverage");
  check_percentage(subject_coverage, "--subject-coverage");
  if (best_hit && (top || max_hsps))
    contradiction("--best-hit", std::string("with ") + (top ? "--max-hits" : "--max-hsps"));
  if (!include.empty() && !exclude.empty()) contradiction("--include", "with --exclude");
  if (searchsp && !statistics.empty()) contradiction("--searchsp", "with --statistics");
  if (no_evalue && (dbsize || searchsp))
    contradiction("--no-evalue", std::string("with ") + (dbsize ? "--dbsize" : "--searchsp"));
  for (const std::string& list : {include, exclude})
    if (list == "-") throw InputError(include.empty() ? "--exclude" : "--include", {}, "standard input", "a file");
}

align::Translation SearchSettings::translation() const {
  return {.queries = translate == "query" || translate == "both",
          .database = translate == "database" || translate == "both",
          .query_code = query_gencode.value_or(1),
          .database_code = db_gencode.value_or(1)};
}

void SearchSettings::check_translation() const {
  const align::Translation chosen = translation();
  if (query_gencode && !chosen.queries) contradiction("--query-gencode", "without --translate query or both");
  if (db_gencode && !chosen.database) contradiction("--db-gencode", "without --translate database or both");
  if (!chosen.any()) return;
  const auto check_code = [](const std::optional<int>& code, const char* option) {
    try {
      if (code) genocl::GeneticCode{*code};
    } catch (const InputError& error) {
      throw InputError(option, {}, error.wrong(), error.expected());
    }
  };
  check_code(query_gencode, "--query-gencode");
  check_code(db_gencode, "--db-gencode");
  const auto refuse = [&](bool given, const std::string& option) {
    if (given) contradiction("--translate " + translate, "with " + option);
  };
  refuse(making.dna, "--dna, which compares nucleotides");
  refuse(strands.has_value() && !chosen.queries, "--strand, which is for queries");
  refuse(mask != "none" && chosen.queries, "--mask");
  refuse(comp_based_stats != 0 && chosen.queries && chosen.database, "--comp-based-stats, as in tblastx");
  refuse(mask != "none" && !mask_hard && comp_based_stats != 0, "--mask and --comp-based-stats but not --mask-hard");
  refuse(!pssm.empty(), "--pssm");
  refuse(!msa.empty(), "--msa");
  refuse(output_format().format == align::Format::sam, "--format " + format + ", which has no amino acids");
  const align::Kernel of_scores = align::kernel_named(kernel);
  refuse(
      of_scores == align::Kernel::published || of_scores == align::Kernel::inter || of_scores == align::Kernel::intra,
      "a published kernel");
}

void SearchSettings::check_all_scores() const {
  // These options apply to hits, and --all-scores reports none.
  const auto refuse = [&](bool given, const char* option) {
    if (given) contradiction("--all-scores", std::string("with ") + option);
  };
  refuse(align, "--align");
  refuse(top.has_value(), "--max-hits");
  refuse(max_hsps.has_value(), "--max-hsps");
  refuse(best_hit, "--best-hit");
  refuse(min_identity.has_value(), "--min-identity");
  refuse(query_coverage.has_value(), "--query-coverage");
  refuse(subject_coverage.has_value(), "--subject-coverage");
  refuse(culling_limit.has_value(), "--culling-limit");
  refuse(dbsize.has_value(), "--dbsize");
  refuse(searchsp.has_value(), "--searchsp");
  refuse(!include.empty(), "--include");
  refuse(!exclude.empty(), "--exclude");
  refuse(min_score.has_value(), "--min-score");
  refuse(evalue.has_value(), "--evalue");
  refuse(no_evalue, "--no-evalue");
  refuse(!statistics.empty(), "--statistics");
  refuse(comp_based_stats != 0, "--comp-based-stats");
  refuse(!format.empty() && format != "tsv", "--format");
  refuse(!cigar_style.empty(), "--cigar");
  if (mask != "none" && !mask_hard)
    contradiction("--all-scores", "with --mask, which extends hits; expected also --mask-hard");
}

void SearchSettings::check_pssm() const {
  const std::string profiles = iterations ? "--iterations" : msa.empty() ? "--pssm" : "--msa";
  const auto refuse = [&profiles](bool given, const char* option) {
    if (given) contradiction(profiles, std::string("with ") + option);
  };
  refuse(making.dna, "--dna");
  refuse(mask != "none", "--mask");
  refuse(all_scores, "--all-scores");
  refuse(resume, "--resume");
  refuse(!shard.empty(), "--shard");
  refuse(batch_queries.has_value(), "--batch-queries");
  refuse(team().size() > 1, "genocl-align-mpi");
  const align::Kernel chosen = align::kernel_named(kernel);
  refuse(chosen == align::Kernel::published || chosen == align::Kernel::inter || chosen == align::Kernel::intra,
         "a published kernel");
}

void SearchSettings::check_iterations() const {
  if (!iterations) {
    if (inclusion_evalue) contradiction("--inclusion-ethresh", "without --iterations");
    if (!asn1_output.empty()) contradiction("--out-pssm", "without --iterations");
    if (!ascii_output.empty()) contradiction("--out-ascii-pssm", "without --iterations");
    return;
  }
  check_pssm();
  if (has_profiles()) contradiction("--iterations", "with --pssm or --msa; expected queries");
  if (translation().any()) contradiction("--iterations", "with --translate");
  if (no_evalue) contradiction("--iterations", "with --no-evalue");
  if (!parts.empty()) contradiction("--iterations", "with parts");
  if (inclusion_evalue && !(*inclusion_evalue > 0 && std::isfinite(*inclusion_evalue)))
    throw InputError("--inclusion-ethresh", {}, std::to_string(*inclusion_evalue), "above 0");
}

void SearchSettings::check() const {
  making.check();
  if (top == 0) throw InputError("--max-hits", {}, "0", "1 or more");
  if (max_hsps == 0) throw InputError("--max-hsps", {}, "0", "1 or more");
  if (min_score && *min_score < 1) throw InputError("--min-score", {}, std::to_string(*min_score), "1 or more");
  if (evalue && !(*evalue >= 0 && std::isfinite(*evalue)))
    throw InputError("--evalue", {}, std::to_string(*evalue), "0 or more");
  if (batch_queries == 0) throw InputError("--batch-queries", {}, "0", "1 or more");
  scoring.check();
  if (threshold && align::kernel_named(kernel) != align::Kernel::published)
    contradiction("--threshold", "without --kernel published");
  const align::Kernel of_scores = align::kernel_named(kernel);
  if (as_published && of_scores != align::Kernel::published && of_scores != align::Kernel::inter &&
      of_scores != align::Kernel::intra)
    contradiction("--as-published", "without --kernel published, inter or intra");
  check_filters();
  check_translation();
  if (all_scores) check_all_scores();
  if (!has_profiles() && queries.empty()) throw InputError("search", {}, "no queries", "queries and subjects");
  if (subjects.empty())
    throw InputError("search", {}, "no subjects",
                     !has_profiles() ? "queries and subjects"
                                     : std::string("subjects behind ") + (msa.empty() ? "--pssm" : "--msa"));
  if (has_profiles()) check_pssm();
  check_iterations();
  if (mask_hard && mask == "none") contradiction("--mask-hard", "without --mask");
  if (no_evalue && evalue) contradiction("--no-evalue", "with --evalue");
  if (no_evalue && !statistics.empty()) contradiction("--no-evalue", "with --statistics");
  if (no_evalue && comp_based_stats != 0) contradiction("--no-evalue", "with --comp-based-stats");
  if (resume && all_scores) contradiction("--resume", "with --all-scores");
  if (resume && !schedule.empty()) contradiction("--resume", "with --schedule");
  if (!shard.empty()) {
    if (all_scores) contradiction("--shard", "with --all-scores");
    if (resume) contradiction("--shard", "with --resume");
    if (queries == "-" || (std::filesystem::exists(queries) && !std::filesystem::is_regular_file(queries)) ||
        queries == "/dev/stdin")
      contradiction("--shard",
                    "with queries from standard input or a pipe, which merge cannot read again; expected a file");
    if (team().size() > 1) contradiction("--shard", "with genocl-align-mpi, which shares a search itself");
    if (output == "-") contradiction("--shard", "without -o: a part is no text");
  }
  const OutputFormat& chosen = output_format();
  if (max_hsps && !needs_alignments()) contradiction("--max-hsps", "without --align");
  if (!columns.empty() && !chosen.has_columns) contradiction("--columns", "without --format blast6, blast7 or csv");
  if (chosen.has_columns) check_columns(columns);
  const bool has_taxa = chosen.has_columns && std::ranges::any_of(align::blast_columns(columns), [](const auto& name) {
                          return name.starts_with("staxid") || name.starts_with("ssciname");
                        });
  const std::string taxa = "staxid, staxids, ssciname and sscinames";
  if (!taxid_map.empty() && !has_taxa) contradiction("--taxid-map", "without one of the columns " + taxa);
  if (taxid_map.empty() && has_taxa) contradiction("--columns with one of " + taxa, "without --taxid-map");
  if (taxid_map == "-") throw InputError("--taxid-map", {}, "standard input", "a file");
  if (!cigar_style.empty() && (!chosen.has_cigar || !needs_alignments()))
    contradiction("--cigar", chosen.has_cigar ? "without --align" : "with a format that has no CIGAR");
}

std::string Scoring::correction_name() const {
  if (searchsp) return "search-space";
  const bool finite = statistics->finite_size && edge_correction == align::EdgeCorrection::finite_size;
  return finite ? "finite-size" : "length-adjustment";
}

Scoring pair_scoring(const ScoringSettings& settings, Alphabet alphabet) {
  Scoring scoring;
  const bool dna = alphabet == Alphabet::dna;
  if (!dna && (settings.match || settings.mismatch)) contradiction("--match and --mismatch", "without --dna");
  if (!settings.matrix.empty()) {
    scoring.matrix = matrix_of(settings.matrix, alphabet);
  } else if (dna) {
    scoring.matrix = align::Matrix::dna(settings.match.value_or(2), settings.mismatch.value_or(-3));
  }
  scoring.name = align::scoring_name(scoring.matrix);
  scoring.gap = gap_of(settings, scoring.matrix);
  return scoring;
}

Scoring scoring_of(const SearchSettings& settings, Alphabet alphabet) {
  const bool dna = alphabet == Alphabet::dna;
  Scoring scoring = pair_scoring(settings.scoring, alphabet);
  // tblastx allows no gaps: the cost of one exceeds the score of any alignment of less than thousands of letters.
  const bool ungapped = settings.translate == "both" && !settings.scoring.gap_open && !settings.scoring.gap_extend;
  if (ungapped) scoring.gap = {.open = align::GapPenalty::most - 1, .extend = 1};
  if (!dna && settings.strands && !settings.translation().any()) contradiction("--strand", "without --dna");
  if (dna && settings.mask == "seg") contradiction("--mask seg", "with --dna; expected dust, lower or none");
  if (!dna && settings.mask == "dust") contradiction("--mask dust", "without --dna; expected seg, lower or none");
  if (dna && settings.comp_based_stats != 0) contradiction("--comp-based-stats", "with --dna");
  if (!settings.no_evalue) scoring.statistics = align::KarlinAltschul::find(scoring.matrix, scoring.gap);
  if (!scoring.statistics && !settings.no_evalue && !settings.all_scores)
    throw InputError(
        "E-values", {},
        "no statistics are known for " + scoring.name + " with gap penalties " + std::to_string(scoring.gap.open) +
            "/" + std::to_string(scoring.gap.extend),
        align::KarlinAltschul::known_gaps(scoring.matrix) + ", or --no-evalue to do without E-values and bit scores");
  scoring.searchsp = settings.searchsp.has_value();
  if (settings.statistics == "length-adjustment") scoring.edge_correction = align::EdgeCorrection::length_adjustment;
  if (settings.statistics == "finite-size" && !(scoring.statistics && scoring.statistics->finite_size))
    contradiction("--statistics finite-size", "is known for NCBI's protein matrices with its gap penalties alone");
  return scoring;
}

align::SearchOptions search_options(const SearchSettings& settings, const Scoring& scoring) {
  align::SearchOptions options;
  options.matrix = scoring.matrix;
  options.gap = scoring.gap;
  options.top = settings.top.value_or(options.top);
  options.min_score = settings.min_score.value_or(options.min_score);
  options.evalues = !settings.no_evalue;
  options.max_evalue = settings.evalue.value_or(options.max_evalue);
  options.by_subject = settings.needs_alignments();
  // Without E-values no other option limits the number of hits.
  options.max_hsps = settings.max_hsps.value_or(
      options.by_subject && scoring.statistics ? std::numeric_limits<std::uint32_t>::max() : options.max_hsps);
  if (settings.best_hit) options.top = options.max_hsps = 1;
  options.filter = {.min_identity = settings.min_identity.value_or(0),
                    .query_coverage = settings.query_coverage.value_or(0),
                    .subject_coverage = settings.subject_coverage.value_or(0),
                    .culling_limit = settings.culling_limit.value_or(0)};
  options.sizes = {.residues = settings.dbsize.value_or(0), .search_space = settings.searchsp.value_or(0)};
  options.composition = static_cast<align::CompositionStatistics>(settings.comp_based_stats);
  options.edge_correction = scoring.edge_correction;
  options.align = settings.needs_alignments();
  options.masking = settings.mask_hard ? align::Masking::hard : align::Masking::soft;
  options.strands = settings.strands.value_or(options.strands);
  options.translation = settings.translation();
  options.kernel = align::kernel_named(settings.kernel);
  options.threshold = settings.threshold.value_or(options.threshold);
  options.as_published = settings.as_published;
  if (!settings.chunk.empty()) options.chunk_residues = amount_of("--chunk", settings.chunk);
  return options;
}

}  // namespace program
