// genocl-pwm: position weight matrices on any OpenCL device: every hit, exact P-values.
#include <CLI/CLI.hpp>
#include <string>

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "common/strand.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "pwm/commands.hpp"

namespace program {
namespace {

constexpr const char* motifs_help =
    "JASPAR, MEME, TRANSFAC, HOMER, HOCOMOCO, CIS-BP, UniPROBE, aligned sites or IUPAC consensus; may be compressed; - "
    "is standard input";

void add_motif_reading(CLI::App& command, MotifReading& reading) {
  command
      .add_option(
          "--orientation", reading.orientation,
          "What a row of a matrix without letters holds: letters (JASPAR), positions (HOMER), or auto: from the "
          "number of rows and their sums")
      ->check(CLI::IsMember({"auto", "letters", "positions"}))
      ->capture_default_str();
  command.add_flag("--strict", reading.strict, "The first motif that would be left out or repaired is an error");
}

void add_matrix(CLI::App& command, MatrixSettings& matrix, bool with_text) {
  command
      .add_option(
          "--background", matrix.background,
          std::string("uniform, ") + (with_text ? "input (the text's letters), " : "") +
              "motifs (what MEME's motif file says), four numbers a,c,g,t, or a file in MEME's Markov format (up "
              "to order 2)")
      ->capture_default_str();
  if (with_text)
    add_number_with_default(command, "--background-order", matrix.background_order,
                            "Take words of so many letters and one more for --background input: 0, 1 or 2");
  add_number_with_default(command, "--pseudocount", matrix.pseudocount,
                          "Add so many counts to each column, shared out by the background");
  command.add_option("--log-base", matrix.log_base, "Scores are logarithms to this base: a number, or e")
      ->capture_default_str();
}

void add_output(CLI::App& command, std::string& output) {
  command.add_option("-o,--output", output, "Write here; - is standard output")->capture_default_str();
}

void add_scan_command(CLI::App& app, ScanSettings& settings) {
  CLI::App& command = *app.add_subcommand("scan", "Finds every place where a motif scores at least its threshold");
  command.add_option("motifs", settings.motifs, motifs_help)->required();
  command.add_option("texts", settings.texts, "FASTA or FASTQ, may be compressed; - is standard input")->required();
  add_number(command, "-p", settings.p, "Find words of at most this P-value (default: 1e-4), on each strand by itself");
  add_number(command, "--score", settings.score, "Take this score as the threshold of all motifs");
  command.add_option(
      "--thresholds", settings.thresholds,
      "Take thresholds from a table of motif_id and score, or from what the command threshold writes; other "
      "motifs are left out");
  command.add_flag("--own-thresholds", settings.own_thresholds,
                   "Take the thresholds of HOMER's motif file, with --log-base e and --pseudocount 0");
  command.add_option("--motif", settings.only, "Look for this motif only, by id or second name (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--regions", settings.regions,
                     "Scan the regions of this BED file only: hits are within one of them, once where they overlap");
  command.add_flag("--best", settings.best,
                   "Write the most significant hit of each motif in each record, or in each region");
  command.add_flag("--genomic-coordinates", settings.genomic_coordinates,
                   "Understand names like chr1:101-200 (samtools faidx) or chr1:100-200 (bedtools getfasta) as places, "
                   "and write positions of chr1");
  add_strand(command, settings.strands, "Scan this strand");
  command.add_flag(
      "--average-strands", settings.average_strands,
      "Take one threshold and one P-value for both strands, from the average of their probabilities, where the "
      "background makes a word more probable on one of them");
  command.add_flag("--replace-letters", settings.replace_letters,
                   "Turn letters that are no nucleotide codes into N instead of making them an error");
  add_matrix(command, settings.matrix, true);
  command
      .add_option("--format", settings.format, "tsv (FIMO's columns), bed, gff3, or counts (of each motif and strand)")
      ->check(CLI::IsMember({"tsv", "bed", "gff3", "counts"}))
      ->capture_default_str();
  add_number(command, "--max-hits", settings.max_hits, "Write so many hits at most, the first ones of the text");
  command.add_flag(
      "--q-values", settings.q_values,
      "Write a false discovery rate for each hit, by Benjamini and Hochberg's method for each motif: all hits "
      "are kept until the end, beyond 256 MB in a temporary file (TMPDIR)");
  add_number(command, "--q-threshold", settings.q_threshold, "Write hits of at most this false discovery rate");
  command.add_flag(
      "--exact", settings.exact,
      "Compute P-values for the scores that were found, where the tables made before have bounds (hits are "
      "kept until the end, too)");
  command
      .add_option("--method", settings.method,
                  "auto, naive (the paper's), lookahead, slices (tables of k-mers), or loss (8-bit losses, then exact "
                  "scores); all find the same")
      ->check(CLI::IsMember({"auto", "naive", "lookahead", "slices", "loss"}))
      ->capture_default_str();
  add_output(command, settings.output);
  add_motif_reading(command, settings.reading);
  add_common(command, settings.common);
  add_example(command,
              "  genocl-pwm scan motifs.jaspar genome.fa.gz -p 1e-5 --q-values -o hits.tsv\n"
              "  genocl-pwm scan motifs.jaspar genome.fa.gz --background input --format bed -o hits.bed\n");
  command.callback([&settings] { scan_text(settings); });
}

void add_p_options(CLI::App& command, PSettings& settings) {
  command
      .add_option("--method", settings.method,
                  "certified (proved bounds, exact where words can be counted), or bucket (Giraud and Varre's)")
      ->check(CLI::IsMember({"certified", "bucket"}))
      ->capture_default_str();
  add_number_with_default(command, "--slices", settings.slices, "Number of slices of the columns for --method bucket");
  add_number_with_default(command, "--buckets", settings.buckets, "Number of buckets for --method bucket");
  add_strand(command, settings.strands,
             "Whose words are random: +, - (their reverse complements), or both (the average of both probabilities)");
}

CLI::App& add_score_command(CLI::App& app, ScoreSettings& settings, const char* name, const char* what) {
  CLI::App& command = *app.add_subcommand(name, what);
  command.add_option("motifs", settings.motifs, motifs_help)->required();
  add_matrix(command, settings.matrix, false);
  add_p_options(command, settings.p_values);
  add_output(command, settings.output);
  add_motif_reading(command, settings.reading);
  add_common(command, settings.common);
  return command;
}

void add_score_commands(CLI::App& app, ScoreSettings& pvalue, ScoreSettings& threshold, ScoreSettings& distribution) {
  CLI::App& for_score = add_score_command(app, pvalue, "pvalue", "Computes P-values of a score");
  add_number(for_score, "--score", pvalue.score,
             "Compute how probable it is that a random word scores this much or more")
      ->required();
  add_example(for_score, "  genocl-pwm pvalue motifs.jaspar --score 8.5 -o p_values.tsv\n");
  for_score.callback(on_root([&pvalue] { write_p_values(pvalue); }));

  CLI::App& for_p = add_score_command(app, threshold, "threshold", "Finds the scores that have a P-value");
  add_number(for_p, "-p", threshold.p, "Find the score that has this P-value, above 0, up to 1")->default_str("1e-4");
  for_p
      .add_option("--convention", threshold.p_values.convention,
                  "at-most: the smallest score whose P-value is at most p; paper: the largest one with at least p")
      ->check(CLI::IsMember({"at-most", "paper"}))
      ->capture_default_str();
  add_example(for_p, "  genocl-pwm threshold motifs.jaspar -p 1e-4 -o thresholds.tsv\n");
  for_p.callback(on_root([&threshold] { write_thresholds(threshold); }));

  CLI::App& all = add_score_command(app, distribution, "distribution", "Writes P-values of all scores");
  all.add_option("--svg", distribution.svg, "Draw them into this file, on a logarithmic scale");
  add_example(all, "  genocl-pwm distribution motifs.jaspar --svg distributions.svg -o distributions.tsv\n");
  all.callback(on_root([&distribution] { write_distributions(distribution); }));
}

void add_compare_command(CLI::App& app, CompareSettings& settings) {
  CLI::App& command = *app.add_subcommand("compare", "Shows how alike the hits of two collections' motifs are");
  command.add_option("motifs_a", settings.first, motifs_help)->required();
  command.add_option("motifs_b", settings.second, motifs_help)->required();
  add_number(command, "-p", settings.p, "Take thresholds for this P-value (default: 1e-4)");
  command.add_option("--thresholds", settings.thresholds,
                     "Take thresholds from a table of motif_id and score, for both collections");
  command.add_flag("--all-shifts", settings.all_shifts,
                   "Report every shift and orientation of each pair, not the best alone");
  add_matrix(command, settings.matrix, false);
  command.add_option("--method", settings.method, "certified, or bucket: the paper's, in two dimensions")
      ->check(CLI::IsMember({"certified", "bucket"}))
      ->capture_default_str();
  add_number(command, "--slices", settings.slices,
             "Number of slices of the columns for --method bucket (default: the fastest, at least 2)", 1);
  add_number_with_default(command, "--buckets", settings.buckets,
                          "Number of buckets in each direction for --method bucket");
  command
      .add_option("--format", settings.format,
                  "tsv: how alike hits are; tomtom: how alike columns are, with Tomtom's columns, statistic and "
                  "pseudocount (0.1)")
      ->check(CLI::IsMember({"tsv", "tomtom"}))
      ->capture_default_str();
  command
      .add_option("--column-score", settings.column_score,
                  "Score columns for --format tomtom: euclidean (minus the distance, default) or pearson")
      ->check(CLI::IsMember({"euclidean", "pearson"}));
  add_number(command, "--q-threshold", settings.q_threshold,
             "Write matches of a q-value up to this one with --format tomtom (default: 0.5)");
  add_output(command, settings.output);
  add_motif_reading(command, settings.reading);
  add_common(command, settings.common);
  add_example(command,
              "  genocl-pwm compare motifs.jaspar others.jaspar -o similarities.tsv\n"
              "  genocl-pwm compare motifs.jaspar others.jaspar --format tomtom -o tomtom.tsv\n");
  command.callback(on_root([&settings, &command] {
    settings.check(command.get_option("--method")->count() > 0);
    if (settings.format == "tomtom" && command.get_option("--pseudocount")->count() == 0)
      settings.matrix.pseudocount = 0.1;
    compare_motifs(settings);
  }));
}

void add_logo_command(CLI::App& app, LogoSettings& settings) {
  CLI::App& command =
      *app.add_subcommand("logo", "Draws sequence logos: letters as high as their share of the information");
  command.add_option("motifs", settings.motifs, motifs_help)->required();
  command.add_option("--svg", settings.svg, "Write here; - is standard output")->required();
  add_motif_reading(command, settings.reading);
  command.add_flag("--small-sample-correction", settings.correct,
                   "Take 3 / (2 ln 2 n) bits off a column of n sites (the picture says whether)");
  add_example(command, "  genocl-pwm logo motifs.jaspar --svg logos.svg\n");
  command.callback(on_root([&settings] { draw_logos(settings); }));
}

}  // namespace

const char* const program_name = "genocl-pwm";

void run(int argc, char** argv) {
  CLI::App app(
      "Position weight matrices, exactly: every hit in a text, P-values and thresholds with proved bounds.\n\n"
      "The table of scan has the columns\n"
      "  motif_id motif_alt_id sequence_name start stop strand score p-value q-value matched_sequence\n"
      "by sequence, position, motif and strand. Positions count from 1, the last one included; the matched sequence "
      "of\n"
      "the strand - is its reverse complement. Those of pvalue and threshold are\n"
      "  motif_id length p score p_low p_high exact words\n"
      "and of compare, where probabilities are those of a random word of union_length letters,\n"
      "  motif_a motif_b orientation shift union_length true_positives only_a only_b similarity\n"
      "With --format tomtom they are Tomtom's: p-value is the probability that the best of all alignments of both\n"
      "strands scores so high where the target's columns are drawn from those of all targets (Gupta 2007, Tanaka "
      "2011),\n"
      "E-value that times the targets, q-value by Benjamini and Hochberg over a query's targets; Optimal_offset is "
      "the\n"
      "column of the target, as Orientation has it, at which the query begins.\n");
  app.set_version_flag("--version", "genocl-pwm " GENOCL_VERSION);
  app.require_subcommand(1);
  ScanSettings scan;
  ScoreSettings pvalue, threshold, distribution;
  CompareSettings compare;
  LogoSettings logo;
  add_scan_command(app, scan);
  add_score_commands(app, pvalue, threshold, distribution);
  add_compare_command(app, compare);
  add_logo_command(app, logo);
  add_example(app,
              "  genocl-pwm scan motifs.jaspar genome.fa.gz -p 1e-5 --q-values -o hits.tsv\n"
              "  genocl-pwm threshold motifs.jaspar -p 1e-4 -o thresholds.tsv\n");
  parse(app, argc, argv);
}

}  // namespace program
