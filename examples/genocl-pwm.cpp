// genocl-pwm: position weight matrices on any OpenCL device: every hit, exact P-values.
#include <CLI/CLI.hpp>
#include <string>

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "common/strand.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "pwm/options.hpp"

namespace program {
namespace {

constexpr const char* motifs_help = "JASPAR, MEME, TRANSFAC, HOMER or another format of motifs";

void add_motif_reading(CLI::App& command, MotifReading& reading) {
  begin_group(command, "+Motifs");
  add_choice(command, "--motif-rows NAME", reading.motif_rows, {"auto", "letters", "positions"},
             "Rows of a matrix without labels: letters (JASPAR), positions (HOMER), or auto");
  command.add_flag("--strict", reading.strict, "Treat the first motif that would be left out or repaired as an error");
}

void add_matrix(CLI::App& command, MatrixSettings& matrix, bool with_text) {
  begin_group(command, "Motifs");
  add_value(command, "--background B", matrix.background,
            std::string("uniform, ") + (with_text ? "input, " : "") + "motifs, A,C,G,T, or a file in MEME's format")
      ->capture_default_str();
  add_number_with_default(command, "--pseudocount N", matrix.pseudocount,
                          "Total pseudocount of a column, distributed by the background");
  begin_group(command, "+Motifs");
  if (with_text)
    add_number_with_default(command, "--background-order N", matrix.background_order,
                            "Markov order of --background input, 0 to 2");
  add_value(command, "--log-base B", matrix.log_base, "Base of the scores' logarithm: a number, or e")
      ->capture_default_str();
}

void add_scan_motifs(CLI::App& command, ScanSettings& settings) {
  add_matrix(command, settings.matrix, true);
  begin_group(command, "Motifs");
  add_list(command, "--motif ID", settings.only, "Scan with this motif only, by id or name (repeatable)");
  add_motif_reading(command, settings.reading);
  begin_group(command, "Thresholds");
  add_number(command, "-p P", settings.p, "Maximum P-value of a hit, on each strand [1e-4]");
  add_number(command, "--q-threshold Q", settings.q_threshold, "Maximum q-value of a hit");
  add_value(command, "--score S|S%", settings.score, "Minimum score, or percentage of the range of a motif's scores");
  begin_group(command, "+Thresholds");
  add_value(command, "--thresholds FILE", settings.thresholds, "Minimum scores: table of motif_id and score");
  command.add_flag("--own-thresholds", settings.own_thresholds,
                   "Thresholds of HOMER's motif file, with --log-base e and --pseudocount 0");
  command.add_flag("--average-strands", settings.average_strands,
                   "One threshold and P-value for both strands: the mean of their probabilities");
}

void add_scan_command(CLI::App& app, ScanSettings& settings) {
  CLI::App& command = *app.add_subcommand("scan", "Find all motif hits in sequences, with exact P-values.");
  add_value(command, "motifs", settings.motifs, motifs_help)->required();
  add_value(command, "texts", settings.texts, "FASTA or FASTQ, maybe compressed; - is standard input")->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_choice(command, "--format FORMAT", settings.format, {"tsv", "bed", "gff3", "counts"},
             "tsv (FIMO's columns), bed, gff3 or counts");
  command.add_flag("--q-values", settings.q_values, "Compute q-values (Benjamini-Hochberg, by motif)");
  command.add_flag("--best", settings.best, "Write only the best hit of each motif in each record or region");
  add_number(command, "--max-hits N", settings.max_hits, "Maximum number of hits [all]");
  begin_group(command, "+Output");
  command.add_flag("--genomic-coordinates", settings.genomic_coordinates,
                   "Convert positions in records named chr1:101-200 to those of chr1");
  command.add_flag("--exact", settings.exact, "Exact P-values for long motifs instead of upper bounds");
  add_scan_motifs(command, settings);
  begin_group(command, "Search");
  add_strand(command, settings.strands, "Strands searched");
  add_value(command, "--regions BED", settings.regions, "Scan only these regions");
  add_value(command, "--vcf FILE", settings.vcf, "Scan both alleles of these variants, and write hits that change");
  begin_group(command, "+Search");
  command.add_flag("--replace-letters", settings.replace_letters,
                   "Replace letters that are no nucleotide codes by N instead of stopping");
  begin_group(command, "Running");
  add_common(command, settings.common);
  begin_group(command, "+Published methods");
  add_choice(command, "--method NAME", settings.method,
             {"auto", "naive", "naive-matrix", "lookahead", "kmp", "slices", "loss"},
             "auto, naive (Giraud and Varre), naive-matrix, lookahead, kmp, slices or loss; all find the same hits");
  add_number(command, "--slice-columns N", settings.slice_columns,
             "Columns of a slice's table, up to 8, with --method slices [4 or 5]", 1, 8);
  add_example(command,
              "  genocl scan motifs.jaspar genome.fa.gz -p 1e-5 --q-values -o hits.tsv\n"
              "  genocl scan motifs.jaspar genome.fa.gz --background input --format bed -o hits.bed\n");
  command.callback([&settings] { scan_text(settings); });
}

void add_p_options(CLI::App& command, PValueSettings& settings) {
  begin_group(command, "P-values");
  add_strand(command, settings.strands, "Strand of the random words; both: mean of the two probabilities");
  begin_group(command, "+Published methods");
  add_choice(command, "--method NAME", settings.method, {"certified", "bucket"},
             "certified (proved bounds, exact up to 24 columns), or bucket (Giraud and Varre)");
  add_number_with_default(command, "--slices N", settings.slices, "Slices of the columns, with --method bucket");
  add_number_with_default(command, "--buckets N", settings.buckets, "Number of buckets, with --method bucket");
}

CLI::App& add_score_command(CLI::App& app, ScoreSettings& settings, const char* name, const char* what) {
  CLI::App& command = *app.add_subcommand(name, what);
  add_value(command, "motifs", settings.motifs, motifs_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_p_options(command, settings.p_values);
  add_matrix(command, settings.matrix, false);
  add_motif_reading(command, settings.reading);
  begin_group(command, "Running");
  add_common(command, settings.common);
  return command;
}

void add_score_commands(CLI::App& app, ScoreSettings& pvalue, ScoreSettings& threshold, ScoreSettings& distribution) {
  CLI::App& for_score = add_score_command(app, pvalue, "pvalue", "Compute the P-value of a score.");
  begin_group(for_score, "P-values");
  add_value(for_score, "--score S|S%", pvalue.score,
            "Score: a number, or a percentage of the range of each motif's scores (required)")
      ->required();
  add_example(for_score,
              "  genocl pvalue motifs.jaspar --score 8.5 -o p_values.tsv\n"
              "  genocl pvalue motifs.jaspar --score 80% -o thresholds.tsv\n");
  for_score.callback(on_root([&pvalue] { write_p_values(pvalue); }));

  CLI::App& for_p = add_score_command(app, threshold, "threshold", "Compute the score threshold of a P-value.");
  begin_group(for_p, "P-values");
  add_number(for_p, "-p P", threshold.p, "P-value, above 0 and at most 1")->default_str("1e-4");
  begin_group(for_p, "+Published methods");
  add_choice(for_p, "--convention NAME", threshold.p_values.convention, {"at-most", "paper"},
             "at-most: lowest score with a P-value of at most p; paper: highest with at least p");
  add_example(for_p, "  genocl threshold motifs.jaspar -p 1e-4 -o thresholds.tsv\n");
  for_p.callback(on_root([&threshold] { write_thresholds(threshold); }));

  CLI::App& all = add_score_command(app, distribution, "distribution", "Compute the P-values of all scores.");
  begin_group(all, "Output");
  add_value(all, "--svg FILE", distribution.svg, "Plot the distribution, on a logarithmic scale");
  add_example(all, "  genocl distribution motifs.jaspar --svg distributions.svg -o distributions.tsv\n");
  all.callback(on_root([&distribution] { write_distributions(distribution); }));
}

void add_compare_command(CLI::App& app, CompareSettings& settings) {
  CLI::App& command = *app.add_subcommand("compare", "Compare motifs by their hits, or by their columns as Tomtom.");
  add_value(command, "motifs_a", settings.first, motifs_help)->required();
  add_value(command, "motifs_b", settings.second, motifs_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_choice(command, "--format FORMAT", settings.format, {"tsv", "tomtom"},
             "tsv: similarity of hits; tomtom: similarity of columns, with Tomtom's table");
  command.add_flag("--all-shifts", settings.all_shifts, "Write every shift and orientation [the best]");
  begin_group(command, "Comparison");
  add_number(command, "-p P", settings.p, "P-value of the thresholds, with --format tsv [1e-4]");
  add_value(command, "--thresholds FILE", settings.thresholds, "Thresholds of both collections: motif_id and score");
  add_value(command, "--column-score NAME", settings.column_score,
            "With --format tomtom: euclidean or pearson [euclidean]")
      ->check(CLI::IsMember({"euclidean", "pearson"}));
  add_number(command, "--q-threshold Q", settings.q_threshold, "With --format tomtom: maximum q-value [0.5]");
  add_matrix(command, settings.matrix, false);
  add_motif_reading(command, settings.reading);
  begin_group(command, "Running");
  add_common(command, settings.common);
  begin_group(command, "+Published methods");
  add_choice(command, "--method NAME", settings.method, {"certified", "bucket"},
             "certified, or bucket (Giraud and Varre), in two dimensions");
  add_number(command, "--slices N", settings.slices, "Slices of the columns, with --method bucket [fastest]", 1);
  add_number(command, "--buckets N", settings.buckets,
             "Number of buckets in each dimension, with --method bucket [by the length of the motifs]", 2);
  add_example(command,
              "  genocl compare motifs.jaspar others.jaspar -o similarities.tsv\n"
              "  genocl compare motifs.jaspar others.jaspar --format tomtom -o tomtom.tsv\n");
  command.callback(on_root([&settings, &command] {
    settings.check(command.get_option("--method")->count() > 0);
    if (settings.format == "tomtom" && command.get_option("--pseudocount")->count() == 0)
      settings.matrix.pseudocount = 0.1;
    compare_motifs(settings);
  }));
}

void add_cluster_command(CLI::App& app, ClusterSettings& settings) {
  CLI::App& command = *app.add_subcommand("cluster", "Cluster motifs by average linkage, and align each group.");
  add_value(command, "motifs", settings.motifs, motifs_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output, "Table: motif, name, group, shift, orientation, distance");
  add_value(command, "--newick FILE", settings.newick, "Write the tree in Newick's format");
  add_value(command, "--svg FILE", settings.svg, "Draw the logo of each group of two motifs or more");
  add_value(command, "--family-motifs FILE", settings.family_motifs, "Write the mean motif of each group, as JASPAR");
  begin_group(command, "Clustering");
  add_choice(command, "--by WHAT", settings.by, {"columns", "hits"},
             "Distance: columns, 1 + log10(Tomtom's P-value) / 6, at least 0; hits, 1 - similarity of hits");
  add_number(command, "--cut D", settings.cut, "Maximum distance of a merge within a group [columns 0.7, hits 0.99]");
  add_number(command, "-p P", settings.p, "P-value of the thresholds, with --by hits [1e-4]");
  add_value(command, "--families FILE", settings.families,
            "Table of motif and family: print the adjusted Rand index of the groups");
  add_matrix(command, settings.matrix, false);
  command.get_option("--pseudocount")->default_str("columns 0.1, hits 1");
  add_motif_reading(command, settings.reading);
  begin_group(command, "Running");
  add_common(command, settings.common);
  add_example(command, "  genocl cluster motifs.jaspar --newick tree.nwk --svg families.svg -o groups.tsv\n");
  command.callback(on_root([&settings, &command] {
    if (settings.by == "columns" && command.get_option("--pseudocount")->count() == 0)
      settings.matrix.pseudocount = 0.1;
    cluster_motifs(settings);
  }));
}

void add_controls(CLI::App& command, EnrichSettings& settings) {
  begin_group(command, "Controls");
  add_value(command, "--background CONTROLS", settings.background,
            "shuffled, matched (by GC, from --genome), or a FASTA file")
      ->capture_default_str();
  add_value(command, "--genome FILE", settings.genome, "FASTA file, for --background matched");
  add_number(command, "--controls,--shuffles N", settings.controls, "Controls for each sequence [1]", 1, 1000);
  add_number(command, "--kmer K", settings.kmer, "Shuffling keeps the counts of words of K letters, 1 to 6 [2]", 1, 6);
  add_number(command, "--seed N", settings.seed, "Seed of shuffled and of matched controls [1]");
  begin_group(command, "+Controls");
  add_number(command, "--max-n F", settings.max_n, "Maximum fraction of N in a matched control [0.1]");
  command.add_flag("--notrim", settings.keep_lengths,
                   "Do not trim controls of a file that are longer than the sequences on average");
}

void add_enrich_command(CLI::App& app, EnrichSettings& settings) {
  CLI::App& command = *app.add_subcommand("enrich", "Find motifs that are enriched in sequences, as SEA.");
  add_value(command, "motifs", settings.motifs, motifs_help)->required();
  add_value(command, "sequences", settings.sequences, "FASTA or FASTQ of peaks or other sequences")->required();
  begin_group(command, "Output");
  add_output(command, settings.output, "Table with the columns of sea.tsv");
  add_value(command, "--html FILE", settings.html, "Write a page with the table and logos");
  add_number_with_default(command, "--evalue E", settings.evalue, "Maximum E-value of a motif");
  add_number(command, "--q-threshold,--qvalue Q", settings.q_threshold, "Maximum q-value of a motif");
  add_controls(command, settings);
  begin_group(command, "Test");
  add_choice(command, "--test NAME", settings.test, {"fisher", "rank-sum"},
             "fisher (sequences with a hit) or rank-sum (best scores)");
  add_number(command, "-p P", settings.p, "Maximum P-value of a hit [1e-4, with --test rank-sum 1e-3]");
  add_strand(command, settings.strands, "Strands searched");
  begin_group(command, "Motifs");
  add_value(command, "--bfile B", settings.matrix.background, "Background: input, uniform, motifs, A,C,G,T, or a file")
      ->capture_default_str();
  add_list(command, "--motif ID", settings.only, "Test only this motif, by id or name (repeatable)");
  begin_group(command, "+Motifs");
  add_number_with_default(command, "--pseudocount N", settings.matrix.pseudocount,
                          "Total pseudocount of a column, distributed by --bfile");
  add_number_with_default(command, "--background-order N", settings.matrix.background_order,
                          "Markov order of --bfile input, 0 to 2");
  add_value(command, "--log-base B", settings.matrix.log_base, "Base of the scores' logarithm: a number, or e")
      ->capture_default_str();
  add_motif_reading(command, settings.reading);
  command.add_flag("--replace-letters", settings.replace_letters,
                   "Replace letters that are no nucleotide codes by N instead of stopping");
  begin_group(command, "Running");
  add_common(command, settings.common);
  add_example(command,
              "  genocl enrich motifs.jaspar peaks.fa --html enriched.html -o enriched.tsv\n"
              "  genocl enrich motifs.jaspar peaks.fa --background matched --genome genome.fa.gz -o enriched.tsv\n");
  command.callback(on_root([&settings] { test_enrichment(settings); }));
}

void add_logo_command(CLI::App& app, LogoSettings& settings) {
  CLI::App& command = *app.add_subcommand("logo", "Draw sequence logos.");
  add_value(command, "motifs", settings.motifs, motifs_help)->required();
  begin_group(command, "Output");
  add_value(command, "--svg FILE", settings.svg, "SVG file; - is stdout (required)")->required();
  command.add_flag("--small-sample-correction", settings.correct,
                   "Subtract 3 / (2 ln 2 n) bits from columns of n sites");
  add_motif_reading(command, settings.reading);
  begin_group(command, "Running");
  add_quiet(command, settings.quiet);
  add_example(command, "  genocl logo motifs.jaspar --svg logos.svg\n");
  command.callback(on_root([&settings] { draw_logos(settings); }));
}

void add_convert_command(CLI::App& app, ConvertSettings& settings) {
  CLI::App& command = *app.add_subcommand("convert", "Convert motif files to another format.");
  add_value(command, "motifs", settings.motifs, motifs_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_value(command, "--format FORMAT", settings.format,
            "jaspar, meme, transfac, homer, cisbp, uniprobe, pcm, pfm, pwm (log-odds) or consensus (required)")
      ->required()
      ->check(CLI::IsMember(
          {"jaspar", "meme", "transfac", "homer", "cisbp", "uniprobe", "pcm", "pfm", "pwm", "consensus"}));
  add_number(command, "-p P", settings.p, "P-value of missing thresholds, with --format homer [1e-4]");
  add_number(command, "--pseudocount N", settings.pseudocount,
             "Pseudocount of a column, with --format pwm [logarithm of its sum]");
  add_value(command, "--background B", settings.background,
            "With --format meme: uniform, motifs, A,C,G,T, or a file [of a MEME file, else uniform]");
  begin_group(command, "Motifs");
  add_list(command, "--motif ID", settings.only, "Write this motif only, by id or name (repeatable)");
  add_motif_reading(command, settings.reading);
  begin_group(command, "Running");
  add_common(command, settings.common);
  add_example(command, "  genocl convert motifs.jaspar --format meme -o motifs.meme\n");
  command.callback(on_root([&settings] { convert_motifs(settings); }));
}

}  // namespace

const char* const program_name = "genocl-pwm";

void run(int argc, char** argv) {
  CLI::App app("Position weight matrices: all hits, with exact P-values and thresholds.");
  add_program_options(app, GENOCL_VERSION);
  app.require_subcommand(1);
  ScanSettings scan;
  ScoreSettings pvalue, threshold, distribution;
  CompareSettings compare;
  LogoSettings logo;
  ClusterSettings cluster;
  EnrichSettings enrich;
  ConvertSettings convert;
  add_scan_command(app, scan);
  add_enrich_command(app, enrich);
  add_score_commands(app, pvalue, threshold, distribution);
  add_compare_command(app, compare);
  add_cluster_command(app, cluster);
  add_logo_command(app, logo);
  add_convert_command(app, convert);
  add_example(app,
              "  genocl scan motifs.jaspar genome.fa.gz -p 1e-5 --q-values -o hits.tsv\n"
              "  genocl threshold motifs.jaspar -p 1e-4 -o thresholds.tsv\n");
  parse(app, arguments_of(argc, argv, {{"--orientation", "--motif-rows"}}));
}

}  // namespace program
