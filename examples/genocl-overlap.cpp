// genocl-overlap: suffix arrays and what they tell of sequences that share text, on any OpenCL device.
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "overlap/commands.hpp"

namespace program {
namespace {

constexpr const char* file_help = "FASTA or FASTQ, may be compressed; - is standard input";

void add_output(CLI::App& command, std::string& output) {
  command.add_option("-o,--output", output, "Write here; - is standard output")->capture_default_str();
}

void add_build(CLI::App& command, BuildSettings& settings) {
  command
      .add_option("text", settings.text, std::string(file_help) + ". Its records are one text, nothing between them")
      ->required();
  command.add_flag("--bytes", settings.bytes, "Take any file as it is: every byte is a symbol");
  command
      .add_option(
          "--algorithm", settings.algorithm,
          "Build the array by auto (hybrid), dc3, hybrid (keys, then only what is not unique), or published (dc3 as "
          "the paper has it: triples, sorted bit by bit)")
      ->check(CLI::IsMember({"auto", "dc3", "hybrid", "published"}))
      ->capture_default_str();
  command
      .add_option("--report", settings.report,
                  "Print, as one line of json on standard error, how the array was built and what each step took")
      ->check(CLI::IsMember({"json"}));
  add_common(command, settings.common);
}

void add_pieces(CLI::App& command, std::optional<std::uint64_t>& pieces) {
  add_number(command, "--pieces", pieces,
             "Make so many pieces of the array at least, by all devices, each all suffixes between two (default: one, "
             "unless the device has too little memory, several GPUs are named or there are 2^32 symbols)",
             1, 4096);
}

void add_array_command(CLI::App& app, ArraySettings& settings, const char* name, const char* what) {
  settings.what = name;
  CLI::App& command = *app.add_subcommand(name, what);
  add_build(command, settings);
  if (settings.what != "bwt") {
    CLI::Option* const wide = command.add_flag(
        "--wide", settings.wide,
        "Write 64-bit integers, as is done anyway for texts of 2^31 symbols and more, not 32-bit ones");
    command
        .add_flag("--unsigned", settings.as_unsigned,
                  "Write 32-bit integers for texts of less than 2^32 symbols: who reads them takes them as unsigned")
        ->excludes(wide);
  }
  settings.records = settings.what == "da";
  if (settings.what == "sa" || settings.what == "isa" || settings.what == "lcp")
    command.add_flag("--records", settings.records,
                     "Keep records apart: a place behind each is smaller than any symbol, and stands for nothing");
  if (settings.what == "bwt")
    command.add_flag("--records", settings.records,
                     "Transform of a set of strings: each record ends in a terminator, written as $; terminators are "
                     "smaller than all letters and sorted by record");
  if (settings.what == "sa" || settings.what == "isa" || settings.what == "lcp")
    command.add_flag("--n-break", settings.n_break,
                     "With records apart: let letters other than A, C, G and T match nothing; bases take 2 bits then");
  if (settings.what == "sa" || settings.what == "lcp")
    command.add_flag("--both-strands", settings.both_strands,
                     "Put behind each record its reverse complement; records are kept apart");
  add_pieces(command, settings.pieces);
  if (settings.what == "lcp")
    command
        .add_option(
            "--method", settings.lcp_method,
            "Find common prefixes by irreducible or kasai (which goes with --algorithm published); both find the "
            "same")
        ->check(CLI::IsMember({"irreducible", "kasai"}))
        ->capture_default_str();
  command.add_flag("--check", settings.check, "Check the suffix array on the device, and fail if it is wrong");
  command.add_option("-o,--output", settings.output, "Write here; - is standard output")->required();
  add_example(command, "  genocl-overlap " + settings.what + " genome.fa.gz" +
                           (settings.what == "sa" ? " --check" : "") + " -o genome." + settings.what + "\n");
  command.callback(on_root([&settings] { write_array(settings); }));
}

void add_inverse_command(CLI::App& app, InverseSettings& settings) {
  CLI::App& command = *app.add_subcommand("unbwt", "Writes the text of a Burrows-Wheeler transform");
  command.add_option("transform", settings.transform, "What bwt wrote; - is standard input")->required();
  add_number(command, "--primary", settings.primary, "The row of the end, as bwt tells it");
  command.add_flag("--records", settings.records,
                   "The transform is one of bwt --records; write a line for each record");
  add_output(command, settings.output);
  add_common(command, settings.common);
  add_example(command,
              "  genocl-overlap bwt banana.txt --bytes -o banana.bwt\n"
              "  genocl-overlap unbwt banana.bwt --primary 4 -o banana.again\n");
  command.callback(on_root([&settings] { write_inverse(settings); }));
}

void add_query_command(CLI::App& app, QuerySettings& settings, const char* name, const char* what, const char* queries,
                       void (*answer)(const QuerySettings&)) {
  CLI::App& command = *app.add_subcommand(name, what);
  add_build(command, settings);
  command.add_option("--queries", settings.queries, queries)->required();
  command
      .add_option("--rmq", settings.structure,
                  "Take this structure for range minima: block, sparse, or bv1 (the paper's); all answer the same")
      ->check(CLI::IsMember({"block", "sparse", "bv1"}))
      ->capture_default_str();
  add_output(command, settings.output);
  add_example(command,
              std::string("  genocl-overlap ") + name + " genome.fa.gz --queries queries.txt -o answers.tsv\n");
  command.callback(on_root([&settings, answer] { answer(settings); }));
}

void add_records(CLI::App& command, RecordSettings& settings) {
  command.add_flag("--n-match", settings.n_match, "Let letters other than A, C, G and T match themselves");
  add_output(command, settings.output);
  add_common(command, settings.common);
}

void add_region_commands(CLI::App& app, CommonSettings& common, SharedSettings& shared, RepeatedSettings& repeated) {
  constexpr const char* bytes_help = "Take any files as they are: each is a record, every byte matches itself";
  CLI::App& lcs = *app.add_subcommand("lcs", "Finds the longest regions that two files have in common");
  lcs.add_option("a", common.a, file_help)->required();
  lcs.add_option("b", common.b, file_help)->required();
  lcs.add_flag("--both-strands,--reverse-complement", common.reverse_complement, "Look in the other strand of b too");
  lcs.add_flag("--bytes", common.bytes, bytes_help);
  add_records(lcs, common);
  add_example(lcs, "  genocl-overlap lcs human.fa orang.fa --reverse-complement -o regions.tsv\n");
  lcs.callback(on_root([&common] { write_common(common); }));

  CLI::App& multi = *app.add_subcommand("multi", "Finds the longest regions that stand in at least q of all records");
  multi.add_option("files", shared.files, file_help)->required();
  add_number(multi, "--quorum", shared.quorum, "A region stands in at least so many records (default: in all of them)");
  multi.add_flag("--bytes", shared.bytes, bytes_help);
  add_records(multi, shared);
  add_example(multi, "  genocl-overlap multi human.fa orang.fa --quorum 3 -o regions.tsv\n");
  multi.callback(on_root([&shared] { write_shared(shared); }));

  CLI::App& repeat =
      *app.add_subcommand("repeat", "Finds the longest regions that stand at two places or more, or all spans that do");
  repeat.add_option("files", repeated.files, file_help)->required();
  add_number(repeat, "--min-length", repeated.least,
             "Find all spans of what stands twice or more and has so many letters at least");
  repeat.add_flag("--later", repeated.later,
                  "Of those only what stands at an earlier place too: the first one is kept");
  repeat.add_flag("--bytes", repeated.bytes, bytes_help);
  repeat.add_option("--separator", repeated.separator,
                    "With --bytes: separator of the records of a file, like '\\n'; no repeat extends over one");
  repeat.add_option("--write-kept", repeated.kept,
                    "With --later: write the text without the spans to this file (first copies are kept)");
  add_records(repeat, repeated);
  add_example(
      repeat,
      "  genocl-overlap repeat genome.fa.gz -o repeats.tsv\n"
      "  genocl-overlap repeat corpus.txt --bytes --separator '\\n' --min-length 50 --later --write-kept clean.txt "
      "-o spans.tsv\n");
  repeat.callback(on_root([&repeated] { write_repeated(repeated); }));
}

void add_index_commands(CLI::App& app, IndexSettings& settings, FindSettings& find) {
  CLI::App& index = *app.add_subcommand("index", "Keeps the suffix array of records in a file, for find");
  index.add_option("files", settings.files, file_help)->required();
  index.add_flag("--bytes", settings.bytes, "Take any files as they are: each is a record, every byte matches itself");
  index.add_flag("--check", settings.check, "Check the suffix array on the device, and fail if it is wrong");
  index.add_flag("--n-match", settings.n_match, "Let letters other than A, C, G and T match themselves");
  add_pieces(index, settings.pieces);
  index.add_option("-o,--output", settings.output, "Write this file")->required();
  add_common(index, settings.common);
  add_example(index, "  genocl-overlap index genome.fa.gz -o genome.sfx\n");
  index.callback(on_root([&settings] { write_index(settings); }));

  CLI::App& command = *app.add_subcommand("find", "Finds where patterns occur, exactly");
  command.add_option("text", find.text, std::string("An index, or ") + file_help)->required();
  command.add_option("patterns", find.patterns, std::string("Patterns, one for each record: ") + file_help);
  command.add_option("--pattern-file", find.pattern_files,
                     "A file whose bytes are one pattern, named after the file (repeatable)");
  command.add_flag("--count", find.count, "Write how often each occurs, not where");
  command.add_flag("--both-strands", find.both_strands, "Look for the patterns' reverse complements too");
  add_number(command, "--max-hits", find.most, "Write so many places of each pattern and strand at most");
  command.add_flag("--lines", find.lines, "Patterns are the lines of their file, as they are");
  command.add_flag("--bytes", find.bytes, "Take any file as it is: it is a record, every byte matches itself");
  add_records(command, find);
  add_example(command, "  genocl-overlap find genome.sfx probes.fa --both-strands -o places.tsv\n");
  command.callback(on_root([&find] { write_occurrences(find); }));
}

void add_match_commands(CLI::App& app, MatchSettings& match, ReadSettings& reads) {
  CLI::App& mem = *app.add_subcommand("mem", "Finds all maximal exact matches between a reference and queries");
  mem.add_option("reference", match.reference, std::string("An index, or ") + file_help)->required();
  mem.add_option("queries", match.queries, file_help)->required();
  add_number_with_default(mem, "-l,--min-length,--length", match.least, "A match has at least so many letters");
  mem.add_flag("--both-strands", match.both_strands,
               "Look for the queries' reverse complements too (positions count in those, as mummer's do)");
  mem.add_flag("--mum", match.mum,
               "Only matches whose letters stand once in the reference and once in the query's strand");
  mem.add_flag("--mam", match.mam, "Only matches whose letters stand once in the reference");
  mem.add_option("--format", match.format, "Write MUMmer's lines, or PAF")
      ->check(CLI::IsMember({"mummer", "paf"}))
      ->capture_default_str();
  mem.add_flag("--four-columns", match.four_columns, "Write the reference record's name with one record too");
  mem.add_flag("--query-lengths", match.lengths, "Write each query's length behind its name");
  add_records(mem, match);
  add_example(mem, "  genocl-overlap mem reference.fa.gz queries.fa -l 50 --both-strands -o matches.mums\n");
  mem.callback([&match] { write_matches(match); });

  CLI::App& overlaps =
      *app.add_subcommand("suffix-prefix", "Finds, for each two reads, the longest end of one that begins the other");
  overlaps.add_option("reads", reads.reads, file_help)->required();
  add_number_with_default(overlaps, "-m,--min-length", reads.least,
                          "An overlap has at least so many letters, and fewer than either read");
  overlaps.add_flag("--best", reads.best, "Report only the best successor of each read");
  overlaps.add_flag("--both-strands", reads.both_strands,
                    "Look at the reads' reverse complements too; an overlap and its mirror image are one");
  add_number_with_default(overlaps, "--errors", reads.errors,
                          "So many letters of an overlap may differ; all such overlaps are found");
  overlaps.add_option("--format", reads.format, "Write a table, PAF, or GFA (reads as segments, overlaps as links)")
      ->check(CLI::IsMember({"tsv", "paf", "gfa"}))
      ->capture_default_str();
  overlaps.add_flag("--strict", reads.strict, "Equal names, and names that GFA does not allow, are errors");
  add_records(overlaps, reads);
  add_example(overlaps,
              "  genocl-overlap suffix-prefix reads.fa -m 40 --both-strands --errors 3 --format gfa -o reads.gfa\n");
  overlaps.callback([&reads] { write_read_overlaps(reads); });
}

}  // namespace

const char* const program_name = "genocl-overlap";

void run(int argc, char** argv) {
  CLI::App app(
      "Suffix arrays and what they tell: LCP values, range minima, and the longest regions that sequences share.\n\n"
      "sa, isa, lcp and da write raw little-endian 32-bit integers, from 2^31 symbols on (with --unsigned 2^32) and\n"
      "with --wide 64-bit ones, one for each symbol, no sentinel; the end\n"
      "of the text is smaller than any symbol; sa and lcp take texts of any length. bwt writes a byte for each "
      "symbol.\n"
      "Tables, with positions from 1 and a row for each occurrence:\n"
      "  lcs            length a_places b_places sequence (places are record:start, in b record:start:strand, with "
      "commas)\n"
      "  multi          length records record start sequence\n"
      "  repeat         length record start sequence, or with --min-length: record start end\n"
      "  suffix-prefix  read_a read_b length, with --both-strands strand_a strand_b, with --errors errors; or PAF, "
      "GFA\n"
      "  mem            mummer's: \"> query\", then reference_start query_start length; with several reference "
      "records\n"
      "                 the record's name in front; by place in the query, then in the reference\n"
      "  find           pattern record start end strand (the patterns in their order, places ascending), or with "
      "--count\n"
      "                 pattern count\n"
      "No match goes across a record's end; letters other than A, C, G and T match nothing (see --n-match, "
      "--bytes).\n"
      "Files of queries hold two whole numbers a line, from 0; the answers are tables:\n"
      "  lce            a b length: how far the text is equal from positions a and b on\n"
      "  rmq            first last position minimum: the leftmost minimum of LCP values first to last\n"
      "find, mem, suffix-prefix and repeat --min-length use all devices that --device names; so do sa, isa, lcp, bwt,\n"
      "da and index (GPUs from 2^26 symbols on, --pieces, or where the first has too little memory), and lcs, multi\n"
      "and repeat where none has memory enough alone. All else is done by the first of them.\n");
  app.set_version_flag("--version", "genocl-overlap " GENOCL_VERSION);
  app.require_subcommand(1);
  ArraySettings sa, isa, lcp, bwt;
  add_array_command(app, sa, "sa", "Builds the suffix array of a text");
  add_array_command(app, isa, "isa", "Builds the inverse suffix array: the rank of each suffix");
  add_array_command(app, lcp, "lcp",
                    "Writes the longest common prefixes of neighbours in the suffix array; the first is 0");
  add_array_command(app, bwt, "bwt", "Writes the Burrows-Wheeler transform, without the place of the end");
  ArraySettings da;
  add_array_command(app, da, "da", "Writes the record of each suffix in the order of sa --records, from 0");
  InverseSettings unbwt;
  add_inverse_command(app, unbwt);
  CommonSettings common;
  SharedSettings shared;
  RepeatedSettings repeated;
  add_region_commands(app, common, shared, repeated);
  MatchSettings match;
  ReadSettings reads;
  add_match_commands(app, match, reads);
  IndexSettings index;
  FindSettings find;
  add_index_commands(app, index, find);
  QuerySettings lce, rmq;
  add_query_command(app, lce, "lce", "Tells how far a text is equal from each of two positions on",
                    "Read two positions a line from this file; - is standard input", answer_extensions);
  add_query_command(app, rmq, "rmq", "Finds range minima of a text's LCP values",
                    "Read the first and last index of a range a line from this file; - is standard input",
                    answer_minima);
  add_example(app,
              "  genocl-overlap lcs human.fa orang.fa --reverse-complement\n"
              "  genocl-overlap mem reference.fa.gz queries.fa -l 50 --both-strands -o matches.mums\n"
              "  genocl-overlap index genome.fa.gz -o genome.sfx\n"
              "  genocl-overlap find genome.sfx probes.fa --both-strands\n"
              "  genocl-overlap sa genome.fa.gz --check -o genome.sa\n");
  parse(app, argc, argv);
}

}  // namespace program
