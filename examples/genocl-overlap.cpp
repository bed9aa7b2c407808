// genocl-overlap: suffix arrays, and common text of sequences, on any OpenCL device.
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "common/strand.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "overlap/commands.hpp"

namespace program {
namespace {

constexpr const char* file_help = "FASTA or FASTQ, maybe compressed; - is standard input";
constexpr const char* bytes_help = "Files are bytes of any kind; each file is one record";

/// Adds --strand for commands that search the forward strand or both.
void add_both_strands(CLI::App& command, bool& both, const std::string& help) {
  const auto take = [&both](const std::string& text) {
    if (text != "both" && text != "+")
      throw CLI::ValidationError("--strand", genocl::in_quotes(text) + "; expected + or both");
    both = text == "both";
  };
  command.add_option_function<std::string>("--strand", take, help + ": + or both")
      ->type_name("STRAND:{+,both}")
      ->default_str("+");
}

void add_text(CLI::App& command, BuildSettings& settings) {
  add_value(command, "text", settings.text, std::string(file_help) + "; all records are one text")->required();
}

void add_build(CLI::App& command, BuildSettings& settings) {
  begin_group(command, "Input");
  command.add_flag("--bytes", settings.bytes, "The file is bytes of any kind");
  begin_group(command, "+Running");
  add_value(command, "--report FORMAT", settings.report, "Steps and times of the construction on standard error: json")
      ->check(CLI::IsMember({"json"}));
  begin_group(command, "+Published methods");
  add_choice(command, "--algorithm NAME", settings.algorithm, {"auto", "dc3", "hybrid", "published"},
             "Suffix array: auto or hybrid, prefix keys and ranks; dc3, triples; published, dc3 of Zhong et al.");
  begin_group(command, "Running");
  add_common(command, settings.common);
}

void add_pieces(CLI::App& command, std::optional<std::uint64_t>& pieces) {
  begin_group(command, "+Running");
  add_number(command, "--pieces N", pieces,
             "Minimum number of pieces of the suffix array, made one after another on all devices [as memory needs]", 1,
             4096);
}

void add_array_records(CLI::App& command, ArraySettings& settings) {
  const bool is_positions = settings.what == "sa" || settings.what == "isa" || settings.what == "lcp";
  if (is_positions)
    command.add_flag("--records", settings.records,
                     "Keep records apart: a position behind each is smaller than any letter");
  if (settings.what == "bwt")
    command.add_flag("--records", settings.records,
                     "Transform of a string set: each record ends in $; terminators are sorted by record");
  if (is_positions)
    command.add_flag("--n-break", settings.n_break, "With --records: letters other than A, C, G and T match nothing");
  if (settings.what == "sa" || settings.what == "lcp")
    add_both_strands(command, settings.both_strands, "With both, the reverse complement follows each record");
}

void add_array_command(CLI::App& app, ArraySettings& settings, const char* name, const char* what) {
  settings.what = name;
  settings.records = settings.what == "da";
  CLI::App& command = *app.add_subcommand(name, what);
  add_text(command, settings);
  begin_group(command, "Output");
  add_output(command, settings.output)->required()->default_str("")->description("Output file; - is stdout (required)");
  if (settings.what != "bwt") {
    CLI::Option* const wide =
        command.add_flag("--wide", settings.wide, "Write 64-bit integers [32-bit for texts of less than 2^31 letters]");
    command.add_flag("--unsigned", settings.as_unsigned, "Write 32-bit integers for texts of less than 2^32 letters")
        ->excludes(wide);
  }
  begin_group(command, "Input");
  add_array_records(command, settings);
  begin_group(command, "Running");
  command.add_flag("--check", settings.check, "Verify the suffix array");
  add_pieces(command, settings.pieces);
  if (settings.what == "lcp") {
    begin_group(command, "+Published methods");
    add_choice(command, "--method NAME", settings.lcp_method, {"irreducible", "kasai"},
               "LCP array: irreducible, or kasai (with --algorithm published)");
  }
  add_build(command, settings);
  add_example(command, "  genocl " + settings.what + " genome.fa.gz" + (settings.what == "sa" ? " --check" : "") +
                           " -o genome." + settings.what + "\n");
  command.callback(on_root([&settings] { write_array(settings); }));
}

void add_inverse_command(CLI::App& app, InverseSettings& settings) {
  CLI::App& command = *app.add_subcommand("unbwt", "Invert a Burrows-Wheeler transform.");
  add_value(command, "transform", settings.transform, "Output of `genocl bwt`; - is standard input")->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  begin_group(command, "Input");
  add_number(command, "--primary N", settings.primary, "Primary index, as bwt prints it");
  command.add_flag("--records", settings.records, "Transform of `bwt --records`; write one line for each record");
  begin_group(command, "Running");
  add_common(command, settings.common);
  add_example(command,
              "  genocl bwt banana.txt --bytes -o banana.bwt\n"
              "  genocl unbwt banana.bwt --primary 4 -o banana.again\n");
  command.callback(on_root([&settings] { write_inverse(settings); }));
}

void add_merge_command(CLI::App& app, MergeSettings& settings) {
  CLI::App& command = *app.add_subcommand("merge-bwt", "Merge the Burrows-Wheeler transforms of sets of records.");
  add_value(command, "transforms", settings.transforms,
            "Outputs of `genocl bwt --records`, in the order of the records")
      ->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  begin_group(command, "Running");
  add_quiet(command, settings.quiet);
  add_example(command,
              "  genocl bwt human.fa --records -o human.bwt\n"
              "  genocl bwt orang.fa --records -o orang.bwt\n"
              "  genocl merge-bwt human.bwt orang.bwt -o apes.bwt\n");
  command.callback(on_root([&settings] { write_merged(settings); }));
}

void add_query_command(CLI::App& app, QuerySettings& settings, const char* name, const char* what, const char* queries,
                       void (*answer)(const QuerySettings&)) {
  CLI::App& command = *app.add_subcommand(name, what);
  add_text(command, settings);
  begin_group(command, "Output");
  add_output(command, settings.output);
  begin_group(command, "Input");
  add_value(command, "--queries FILE", settings.queries, queries)->required();
  add_build(command, settings);
  begin_group(command, "+Published methods");
  add_choice(command, "--rmq NAME", settings.structure, {"block", "sparse", "bv1"},
             "Range minimum structure: block, sparse, or bv1 of Zhong et al.");
  add_example(command, std::string("  genocl ") + name + " genome.fa.gz --queries queries.txt -o answers.tsv\n");
  command.callback(on_root([&settings, answer] { answer(settings); }));
}

void add_records(CLI::App& command, RecordSettings& settings) {
  begin_group(command, "+Input");
  command.add_flag("--n-match", settings.n_match, "Letters other than A, C, G and T match themselves [match nothing]");
  begin_group(command, "Running");
  add_common(command, settings.common);
}

void add_lcs_command(CLI::App& app, CommonSettings& settings) {
  CLI::App& command = *app.add_subcommand("lcs", "Find the longest common substrings of two files.");
  add_value(command, "a", settings.a, file_help)->required();
  add_value(command, "b", settings.b, file_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output, "Table: length, positions in A, positions in B, sequence");
  begin_group(command, "Input");
  add_both_strands(command, settings.reverse_complement, "Strands of B");
  command.add_flag("--bytes", settings.bytes, bytes_help);
  add_records(command, settings);
  begin_group(command, "+Published methods");
  add_choice(command, "--algorithm NAME", settings.algorithm, {"auto", "dc3", "hybrid", "published"},
             "Suffix array: auto, dc3 or hybrid; published, all steps of Zhong et al.");
  add_example(command, "  genocl lcs human.fa orang.fa --strand both -o regions.tsv\n");
  command.callback(on_root([&settings] { write_common(settings); }));
}

void add_multi_command(CLI::App& app, SharedSettings& settings) {
  CLI::App& command = *app.add_subcommand("multi", "Find the longest substrings common to several records.");
  add_value(command, "files", settings.files, file_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output, "Table: length, number of records, record, start, sequence");
  begin_group(command, "Input");
  add_number(command, "--quorum N", settings.quorum, "Minimum number of records with the substring [all]");
  command.add_flag("--bytes", settings.bytes, bytes_help);
  add_records(command, settings);
  add_example(command, "  genocl multi human.fa orang.fa --quorum 3 -o regions.tsv\n");
  command.callback(on_root([&settings] { write_shared(settings); }));
}

void add_repeat_command(CLI::App& app, RepeatedSettings& settings) {
  CLI::App& command = *app.add_subcommand("repeat", "Find the longest repeats, or all regions that are repeated.");
  add_value(command, "files", settings.files, file_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output, "Table: length, record, start, sequence; with -l: record, start, end");
  add_value(command, "--write-kept FILE", settings.kept, "With --later: the text without the regions");
  command.add_flag("--drop-empty", settings.drop_empty, "With --write-kept: omit records that become empty");
  begin_group(command, "Repeats");
  add_number(command, "-l,--min-length N", settings.min_length,
             "Find all regions covered by repeats of N or more letters [only the longest repeats]");
  command.add_flag("--later", settings.later, "With -l: only regions with an earlier copy, not the first copies");
  begin_group(command, "Input");
  command.add_flag("--bytes", settings.bytes, bytes_help);
  add_value(command, "--separator TEXT", settings.separator,
            "With --bytes: separator of records in a file, e.g. '\\n'; no repeat crosses it");
  begin_group(command, "Running");
  add_value(command, "--memory SIZE", settings.memory,
            "With --bytes -l: bound of host memory, e.g. 4G [a quarter of free memory]");
  begin_group(command, "+Running");
  add_value(command, "--temporary-folder DIR", settings.temporary_folder,
            "With --bytes -l: folder of temporary files [TMPDIR, /var/tmp or /tmp]");
  add_records(command, settings);
  add_example(
      command,
      "  genocl repeat genome.fa.gz -o repeats.tsv\n"
      "  genocl repeat corpus.txt --bytes --separator '\\n' -l 50 --later --write-kept clean.txt --memory 4G\n");
  command.callback(on_root([&settings] { write_repeated(settings); }));
}

void add_index_command(CLI::App& app, IndexSettings& settings) {
  CLI::App& command = *app.add_subcommand("index", "Make an index of a genome for find and mem.");
  add_value(command, "files", settings.files, file_help)->required();
  begin_group(command, "Output");
  add_value(command, "-o,--output FILE", settings.output, "Index file, e.g. genome.sfx (required)")->required();
  command.add_flag("--fm", settings.fm, "FM-index of DNA, for find: an eighth of the memory [suffix array]");
  begin_group(command, "Input");
  command.add_flag("--bytes", settings.bytes, bytes_help);
  begin_group(command, "Running");
  command.add_flag("--check", settings.check, "Verify the suffix array");
  add_pieces(command, settings.pieces);
  add_records(command, settings);
  add_example(command,
              "  genocl overlap index genome.fa.gz -o genome.sfx\n"
              "  genocl overlap index genome.fa.gz --fm -o genome.fmx\n");
  command.callback(on_root([&settings] { write_index(settings); }));
}

void add_find_command(CLI::App& app, FindSettings& settings) {
  CLI::App& command = *app.add_subcommand("find", "Find all exact occurrences of patterns.");
  add_value(command, "text", settings.text, "Index made by `genocl overlap index`, or FASTA or FASTQ")->required();
  add_value(command, "patterns", settings.patterns, "FASTA or FASTQ with one pattern in each record");
  begin_group(command, "Output");
  add_output(command, settings.output, "Table: pattern, record, start, end, strand");
  command.add_flag("--count", settings.count, "Write only the number of occurrences of each pattern");
  add_number(command, "--max-hits N", settings.most, "Maximum number of occurrences of a pattern and strand [all]");
  begin_group(command, "Input");
  add_both_strands(command, settings.both_strands, "Strands searched");
  add_list(command, "--pattern-file FILE", settings.pattern_files, "File whose bytes are one pattern (repeatable)");
  command.add_flag("--lines", settings.lines, "Patterns are the lines of their file");
  command.add_flag("--bytes", settings.bytes, "Text and patterns are bytes of any kind");
  add_records(command, settings);
  add_example(command, "  genocl find genome.sfx probes.fa --strand both -o places.tsv\n");
  command.callback(on_root([&settings] { write_occurrences(settings); }));
}

void add_mem_command(CLI::App& app, MatchSettings& settings) {
  CLI::App& command = *app.add_subcommand("mem", "Find all maximal exact matches, as mummer does.");
  add_value(command, "reference", settings.reference, "Index made by `genocl overlap index`, or FASTA or FASTQ")
      ->required();
  add_value(command, "queries", settings.queries, file_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_choice(command, "--format FORMAT", settings.format, {"mummer", "paf"}, "mummer or paf");
  command.add_flag("--four-columns", settings.four_columns, "Always write the name of the reference record");
  command.add_flag("--query-lengths", settings.lengths, "Write the lengths of queries");
  begin_group(command, "Matches");
  add_number_with_default(command, "-l,--min-length N", settings.least, "Minimum length of a match");
  command.add_flag("--mum", settings.mum, "Only matches unique in the reference and in the query");
  command.add_flag("--mam", settings.mam, "Only matches unique in the reference");
  add_both_strands(command, settings.both_strands, "Strands of the queries");
  add_records(command, settings);
  add_example(command, "  genocl mem reference.fa.gz queries.fa -l 50 --strand both -o matches.mums\n");
  command.callback([&settings] { write_matches(settings); });
}

void add_genome_options(CLI::App& command, GenomeSettings& settings) {
  overlap::GenomeAlignOptions& options = settings.options;
  begin_group(command, "Anchors");
  add_number_with_default(command, "-l,--min-length N", options.min_length, "Minimum length of an anchor");
  command.add_flag("--mum", settings.mum, "Anchors unique in the reference and in the query [in the reference]");
  command.add_flag("--mem", settings.all, "All maximal exact matches are anchors, as nucmer --maxmatch");
  add_strand(command, options.strands, "Strands of the queries: both, + or -");
  begin_group(command, "Alignment");
  add_number_with_default(command, "--min-cluster N", options.min_cluster,
                          "Minimum number of equal bases of an alignment");
  add_number_with_default(command, "--max-gap N", options.max_gap, "Maximum distance between neighbouring anchors", 0,
                          1 << 20);
  add_number_with_default(command, "--max-drop N", options.max_drop,
                          "An alignment ends where its score falls by more than N", 0, 1'000'000);
  add_value(command, "--scoring A,B,O,E", settings.scoring,
            "Match, mismatch, gap open, gap extension; a gap of k bases costs O + k * E [1,4,6,1]");
}

void add_genome_command(CLI::App& app, GenomeSettings& settings) {
  CLI::App& command = *app.add_subcommand("align-genomes", "Align genomes with a reference, as nucmer does.");
  command.alias("align");
  add_value(command, "reference", settings.reference, "FASTA or FASTQ, maybe compressed")->required();
  add_value(command, "queries", settings.queries, file_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_choice(command, "--format FORMAT", settings.format, {"paf", "delta", "coords", "snps"},
             "paf; delta of nucmer; coords, as show-coords -T -l; snps, as show-snps -T -C");
  add_cigar(command, settings.cigar, "=X");
  command.add_flag("--cs", settings.cs, "With paf: write the tag cs, which paftools.js call reads");
  add_genome_options(command, settings);
  begin_group(command, "Running");
  add_common(command, settings.common);
  add_example(command,
              "  genocl align-genomes reference.fa.gz strain.fa.gz -o strain.paf\n"
              "  genocl align-genomes reference.fa.gz strain.fa.gz --format delta -o strain.delta\n");
  command.callback(on_root([&settings] { write_genome_alignments(settings); }));
}

void add_plot_command(CLI::App& app, PlotSettings& settings) {
  CLI::App& command = *app.add_subcommand("plot", "Draw a dot plot of matches or alignments, as mummerplot.");
  add_value(command, "matches", settings.input, "PAF, delta, or output of `genocl mem`; - is standard input")
      ->required();
  begin_group(command, "Output");
  add_value(command, "-o,--output FILE", settings.output, "Picture, .svg or .png; - is stdout (required)")->required();
  add_value(command, "--format FORMAT", settings.format, "svg or png [by the name of the file, else svg]")
      ->check(CLI::IsMember({"svg", "png"}));
  add_number_with_default(command, "--size N", settings.size, "Pixels of the longer side", 100, 10'000);
  begin_group(command, "Input");
  add_value(command, "--reference-record NAME", settings.reference, "Draw only this record of the reference [all]");
  add_value(command, "--query-record NAME", settings.query, "Draw only this query [all]");
  add_number_with_default(command, "-l,--min-length N", settings.min_length,
                          "Minimum length of a match or alignment in the reference");
  add_quiet(command);
  add_example(command,
              "  genocl align-genomes reference.fa.gz strain.fa.gz -o strain.paf\n"
              "  genocl plot strain.paf -o strain.svg\n");
  command.callback(on_root([&settings] { write_plot(settings); }));
}

void add_suffix_prefix_command(CLI::App& app, ReadSettings& settings) {
  CLI::App& command =
      *app.add_subcommand("suffix-prefix", "Find the longest suffix-prefix overlaps of all read pairs.");
  add_value(command, "reads", settings.reads, file_help)->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_choice(command, "--format FORMAT", settings.format, {"tsv", "paf", "gfa"},
             "tsv, paf, or gfa (reads are segments, overlaps are links)");
  command.add_flag("--best", settings.best, "Write only the best successor of each read");
  begin_group(command, "Overlaps");
  add_number_with_default(command, "-l,-m,--min-length N", settings.least,
                          "Minimum length of an overlap, which is shorter than both reads");
  add_number_with_default(command, "-e,--max-errors N", settings.errors, "Maximum number of mismatches in an overlap");
  add_both_strands(command, settings.both_strands, "Strands of the reads");
  begin_group(command, "+Input");
  command.add_flag("--strict", settings.strict, "Treat equal names, and names that GFA does not allow, as errors");
  add_records(command, settings);
  add_example(command, "  genocl suffix-prefix reads.fa -l 40 --strand both -e 3 --format gfa -o reads.gfa\n");
  command.callback([&settings] { write_read_overlaps(settings); });
}

}  // namespace

const char* const program_name = "genocl-overlap";

void run(int argc, char** argv) {
  CLI::App app("Suffix arrays, exact matches and common substrings.");
  add_program_options(app, GENOCL_VERSION);
  app.require_subcommand(1);
  MatchSettings match;
  add_mem_command(app, match);
  GenomeSettings genomes;
  add_genome_command(app, genomes);
  PlotSettings plot;
  add_plot_command(app, plot);
  FindSettings find;
  add_find_command(app, find);
  IndexSettings index;
  add_index_command(app, index);
  ReadSettings reads;
  add_suffix_prefix_command(app, reads);
  CommonSettings common;
  add_lcs_command(app, common);
  SharedSettings shared;
  add_multi_command(app, shared);
  RepeatedSettings repeated;
  add_repeat_command(app, repeated);
  ArraySettings sa, isa, lcp, bwt, da;
  add_array_command(app, sa, "sa", "Compute the suffix array of a text.");
  add_array_command(app, isa, "isa", "Compute the inverse suffix array: the rank of each suffix.");
  add_array_command(app, lcp, "lcp", "Compute the LCP array: common prefix lengths of neighbouring suffixes.");
  add_array_command(app, bwt, "bwt", "Compute the Burrows-Wheeler transform.");
  add_array_command(app, da, "da", "Compute the document array: the record of each suffix.");
  InverseSettings unbwt;
  add_inverse_command(app, unbwt);
  MergeSettings merged;
  add_merge_command(app, merged);
  QuerySettings lce, rmq;
  add_query_command(app, lce, "lce", "Compute longest common extensions of pairs of positions.",
                    "Two positions a line, from 0; - is standard input (required)", answer_extensions);
  add_query_command(app, rmq, "rmq", "Compute range minima of the LCP array.",
                    "First and last index a line, from 0; - is standard input (required)", answer_minima);
  add_example(app,
              "  genocl mem reference.fa.gz queries.fa -l 50 --strand both -o matches.mums\n"
              "  genocl align-genomes reference.fa.gz strain.fa.gz -o strain.paf\n"
              "  genocl overlap index genome.fa.gz -o genome.sfx\n"
              "  genocl find genome.sfx probes.fa --strand both\n"
              "  genocl lcs human.fa orang.fa --strand both\n"
              "  genocl sa genome.fa.gz --check -o genome.sa\n");
  parse(app, arguments_of(argc, argv,
                          {{"--both-strands", "--strand=both"},
                           {"--reverse-complement", "--strand=both"},
                           {"--length", "--min-length"},
                           {"--errors", "--max-errors"}}));
}

}  // namespace program
