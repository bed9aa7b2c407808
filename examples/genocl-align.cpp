// genocl-align: exact Smith-Waterman database search on any OpenCL device.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "align/commands.hpp"
#include "align/search/search_modes.hpp"
#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "common/strand.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

void add_alphabet(CLI::App& command, MakingSettings& making) {
  command.add_flag("--dna", making.dna, "Take the sequences for DNA, not for proteins");
  command.add_flag(
      "--protein", making.protein,
      "Take the sequences for proteins though their letters are A, C, G, T, U and N, nine of ten, which is an "
      "error otherwise");
  command.add_flag("--replace-letters", making.replace_letters,
                   "Turn letters outside the alphabet into X (N in DNA) instead of making them an error");
  command.add_flag("--strict", making.strict, "The first record that would be repaired is an error");
}

void add_making(CLI::App& command, MakingSettings& making) {
  add_alphabet(command, making);
  command.add_option(
      "--memory", making.memory,
      "Hold so many residues of FASTA in memory while a database is made of it, like 16G (default: a quarter "
      "of the machine's memory); the rest goes to a temporary file");
  command.add_option("--temporary-folder", making.temporary_folder, "Put that file into this folder");
}

void add_makedb_command(CLI::App& app, MakedbSettings& settings) {
  CLI::App& command = *app.add_subcommand("makedb", "Makes a database of FASTA files");
  command.add_option("input", settings.inputs, "FASTA, may be compressed; - is standard input")->required();
  command
      .add_option("-o,--output", settings.output,
                  "Write the database to this file, like PROTEINS.gdb; it has to be named, for a database does not go "
                  "to standard "
                  "output")
      ->required();
  add_making(command, settings.making);
  command.add_flag("--quiet", settings.quiet, "Show neither progress nor a summary");
  add_example(command, "  genocl-align makedb proteins.fa.gz -o proteins.gdb\n");
  command.callback(on_root([&settings] { make_database(settings); }));
}

void add_info_command(CLI::App& app, InfoSettings& settings) {
  CLI::App& command = *app.add_subcommand("info", "Checks a database and shows what is in it");
  command.add_option("database", settings.database, "The file of the database")->required();
  command.add_option("-o,--output", settings.output, "Write here; - is standard output")->capture_default_str();
  add_example(command, "  genocl-align info proteins.gdb\n");
  command.callback(on_root([&settings] { show_database(settings); }));
}

void add_scoring(CLI::App& command, ScoringSettings& settings) {
  command.add_option(
      "--matrix", settings.matrix,
      "Score by BLOSUM45, BLOSUM50, BLOSUM62 (default), BLOSUM80, BLOSUM90, PAM30, PAM70, PAM250, or a file as "
      "NCBI writes them");
  add_number(command, "--match", settings.match, "Score a match so, with --dna (default: 2)");
  add_number(command, "--mismatch", settings.mismatch, "Score a mismatch so, with --dna (default: -3)");
  add_number(command, "--gap-open", settings.gap_open,
             "A gap costs this much to open (default: what BLAST takes for the matrix, 11 for BLOSUM62; 5 for DNA)");
  add_number(command, "--gap-extend", settings.gap_extend,
             "Each letter of a gap costs this much (default: 1 for BLOSUM62; 2 for DNA)");
  command
      .add_option("--gap-convention", settings.gap_convention,
                  "ncbi (default): a gap of k letters costs open + k * extend; first: open is what the first letter "
                  "costs, extend each further one")
      ->check(CLI::IsMember({"ncbi", "first"}));
}

void add_search_command(CLI::App& app, SearchSettings& settings) {
  CLI::App& command = *app.add_subcommand("search", "Searches a database, or FASTA, for each query's best hits");
  command.add_option("queries", settings.queries, "FASTA or FASTQ, may be compressed; - is standard input");
  command.add_option("subjects", settings.subjects, "A database, or FASTA files, of which one is made");
  command
      .add_option("--pssm", settings.pssm,
                  "Search with this profile, NCBI's ASCII PSSM (psiblast -out_ascii_pssm, genocl-align pssm), and with "
                  "no queries: search --pssm FILE SUBJECTS (repeatable, comma lists). Its name is the file's without "
                  "what follows the last point")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_scoring(command, settings.scoring);
  add_strand(command, settings.strands, "Search this strand of DNA queries");
  add_number(command, "--top", settings.top,
             "Report so many subjects of a query at most (default: 10); without alignments, so many hits");
  add_number(
      command, "--max-hsps", settings.max_hsps,
      "Report so many alignments of a query with a subject at most, both strands together: the best one, then those "
      "that share no pair of letters with a better one (default: all that --evalue allows; 1 with --no-evalue)");
  add_number(command, "--min-score", settings.min_score, "A hit scores at least this much (default: 1)");
  add_number(command, "--evalue", settings.evalue, "A hit has at most this E-value (default: 10)");
  command.add_flag("--no-evalue", settings.no_evalue,
                   "Do without E-values and bit scores, which are nan then: for gap penalties and matrices whose "
                   "statistics are not known. Hits are sorted by score");
  command
      .add_option("--statistics", settings.statistics,
                  "E-values allow for the ends of sequences by finite-size (default for proteins: those of today's "
                  "blastp, which depend on the subject's length too) or by length-adjustment (those of blastn, the "
                  "default for DNA, and of blastp with OLD_FSC=1 in its environment)")
      ->check(CLI::IsMember({"finite-size", "length-adjustment"}));
  add_number_with_default(
      command, "--comp-based-stats", settings.comp_based_stats,
      "How the letters of both sequences count, as blastp's -comp_based_stats: 0, not at all; 1, "
      "scores are scaled by them (Schaeffer 2001); 2, made to fit them under conditions (Altschul 2005)",
      0, 2);
  command
      .add_option(
          "--mask", settings.mask,
          "Query letters that start no hit, though alignments extend through them (blastn -soft_masking true): "
          "seg, low complexity in proteins; dust, low complexity in DNA; lower, letters in lower case; or none. "
          "A hit has an alignment outside of them with an E-value of at most 10, or of --evalue if that is "
          "higher")
      ->check(CLI::IsMember({"seg", "dust", "lower", "none"}))
      ->capture_default_str();
  command.add_flag("--mask-hard", settings.mask_hard,
                   "Letters of --mask score as X, N in DNA (-soft_masking false, the default of blastp -seg yes)");
  command.add_flag("--align", settings.align,
                   "Align the hits in the formats tsv and json; the other formats always have alignments");
  command
      .add_option("--format", settings.format,
                  "tsv (default), blast6 and blast7 (BLAST's outfmt 6 and 7), sam, bam, pairwise, or json (one "
                  "document). In SAM the "
                  "subjects are the references, all of them in the header; SEQ is '*' for proteins")
      ->check(CLI::IsMember({"tsv", "blast6", "blast7", "sam", "bam", "pairwise", "json"}));
  command.add_option(
      "--columns", settings.columns,
      "The columns of blast6 and blast7, by BLAST's names with commas or blanks between, like std,qcovs,btop (default: "
      "std): qseqid qacc qaccver "
      "qlen "
      "sseqid sallseqid sacc saccver sallacc slen qstart qend sstart send qseq sseq evalue bitscore score length "
      "pident "
      "nident mismatch positive gapopen gaps ppos frames qframe sframe btop stitle salltitles sstrand qcovs qcovhsp");
  command
      .add_option("--cigar-style", settings.cigar_style,
                  "Write matches and mismatches as = and X (x, the default) or both as M (m)")
      ->check(CLI::IsMember({"m", "x"}));
  command.add_flag("--all-scores", settings.all_scores,
                   "Write the score of every pair, in database order, instead of hits");
  command.add_option("-o,--output", settings.output, "Write here; - is standard output")->capture_default_str();
  command
      .add_option("--kernel", settings.kernel,
                  "auto, cpu or gpu (shapes for CPUs and for GPUs); or as in swGPUcluster: inter, intra, or published, "
                  "which is both")
      ->capture_default_str();
  add_number(command, "--threshold", settings.threshold,
             "--kernel published takes intra for subjects of at least so many letters (default: 3072)");
  command.add_option("--chunk", settings.chunk,
                     "Hold so many residues on a device at a time, like 500M (default: what it holds)");
  command
      .add_option("--schedule", settings.schedule,
                  "genocl-align-mpi only. shared (default): processes take pieces of the database as they become free; "
                  "published: it is divided equally in advance, as in swGPUCluster")
      ->check(CLI::IsMember({"shared", "published"}));
  add_number(command, "--batch-queries", settings.batch_queries, "Search so many queries at a time (default: chosen)");
  command.add_option("--shard", settings.shard,
                     "Search one shard of the database, like 0/4 for the first of four, and write what is found for "
                     "genocl-align merge: many machines without MPI");
  command.add_flag(
      "--resume", settings.resume,
      "Keep what is finished in a folder beside the output, FILE.blocks, and go on from what a job with the "
      "same command line and inputs has left there when it was stopped");
  command.add_flag("--no-check", settings.no_check, "Do not read all residues of the database first to check them");
  command.add_flag("--stats", settings.stats, "Print cells, seconds and GCUPS on standard error");
  add_making(command, settings.making);
  add_common(command, settings.common);
  add_example(command,
              "  genocl-align search queries.fa proteins.gdb --evalue 1e-3 --align -o hits.tsv\n"
              "  genocl-align search --dna reads.fa genes.fa --format sam -o hits.sam\n");
  command.callback([&settings] {
    // Then there are no queries before the subjects.
    if (!settings.pssm.empty() && !settings.queries.empty()) {
      settings.subjects.insert(settings.subjects.begin(), settings.queries);
      settings.queries.clear();
    }
    search_database(settings);
  });
}

void add_pairs_command(CLI::App& app, PairsSettings& settings) {
  CLI::App& command = *app.add_subcommand(
      "pairs", "Compares each sequence of one file with the one of the same number in another: scores, edit distances");
  command.add_option("queries", settings.queries, "FASTA or FASTQ, may be compressed; - is standard input")->required();
  command.add_option("subjects", settings.subjects, "The same, with as many records")->required();
  command
      .add_option("--mode", settings.mode,
                  "global, whole sequences; local, any parts of them; semi-global, whole ones but for ends that are "
                  "--free; edit, the least number of letters to replace, put in and leave out")
      ->check(CLI::IsMember({"local", "global", "semi-global", "edit"}))
      ->capture_default_str();
  command
      .add_option("--free", settings.free,
                  "Letters that cost nothing where they are left out, like subject-begin,subject-end (default with "
                  "semi-global: all four ends): query-begin, query-end, subject-begin, subject-end")
      ->delimiter(',')
      ->check(CLI::IsMember({"query-begin", "query-end", "subject-begin", "subject-end"}));
  add_scoring(command, settings.scoring);
  command.add_flag("--align", settings.align, "Align the pairs, with places, identity and CIGAR");
  command
      .add_option("--cigar-style", settings.cigar_style,
                  "Write matches and mismatches as = and X (x, the default) or both as M (m)")
      ->check(CLI::IsMember({"m", "x"}));
  command.add_option("-o,--output", settings.output, "Write here; - is standard output")->capture_default_str();
  add_alphabet(command, settings.making);
  command.add_flag("--text", settings.text, "Take the letters for bytes of any kind, case and all, with --mode edit");
  add_common(command, settings.common);
  add_example(command,
              "  genocl-align pairs first.fa second.fa --mode global --align -o pairs.tsv\n"
              "  genocl-align pairs first.fa second.fa --mode edit --text -o distances.tsv\n");
  command.callback([&settings] { compare_pairs(settings); });
}

void add_pssm_command(CLI::App& app, PssmSettings& settings) {
  CLI::App& command = *app.add_subcommand(
      "pssm", "Makes a profile of a multiple alignment, as psiblast -in_msa does, for search --pssm");
  command
      .add_option("alignment", settings.alignment,
                  "Aligned FASTA or A2M, all sequences of one length with - or . for gaps; the letters of the "
                  "first sequence are the rows of the profile. - is standard input")
      ->required();
  command.add_option("--matrix", settings.matrix, "One of NCBI's matrices, which gives pseudocounts and scale")
      ->capture_default_str();
  add_number(command, "--gap-open", settings.gap_open, "For the statistics that are written (default: BLAST's)");
  add_number(command, "--gap-extend", settings.gap_extend, "For the statistics that are written (default: BLAST's)");
  command.add_option("-o,--output", settings.output, "Write here; - is standard output")->capture_default_str();
  add_example(command,
              "  genocl-align pssm family.a2m -o family.pssm\n"
              "  genocl-align search --pssm family.pssm proteins.gdb -o members.tsv\n");
  command.callback(on_root([&settings] { make_pssm(settings); }));
}

struct MergeSettings {
  std::vector<std::string> parts;
  std::string output = "-";
  bool quiet = false;
};

/// Writes the search that the parts are of: with its own command line, but for the output.
void merge_parts(const MergeSettings& merge, const std::string& program) {
  SearchSettings settings;
  settings.parts = merge.parts;
  std::vector<std::string> arguments = command_of_part(merge.parts.front());
  settings.arguments = arguments;
  if (merge.output != "-") arguments.insert(arguments.end(), {"-o", merge.output});
  if (merge.quiet) arguments.push_back("--quiet");
  settings.command_line = program;
  for (const std::string& argument : arguments) settings.command_line += " " + argument;
  CLI::App app;
  add_search_command(app, settings);
  std::ranges::reverse(arguments);  // as CLI11 takes a list
  app.parse(arguments);
}

void add_merge_command(CLI::App& app, MergeSettings& settings, const std::string& program) {
  CLI::App& command =
      *app.add_subcommand("merge", "Writes the results of a search from the parts that search --shard has made");
  command.add_option("parts", settings.parts, "The parts, one for each shard, in any order")->required();
  command.add_option("-o,--output", settings.output, "Write here; - is standard output")->capture_default_str();
  command.add_flag("--quiet", settings.quiet, "Show neither progress nor a summary");
  add_example(command,
              "  genocl-align search queries.fa proteins.gdb --shard 0/2 -o hits.0\n"
              "  genocl-align search queries.fa proteins.gdb --shard 1/2 -o hits.1\n"
              "  genocl-align merge hits.0 hits.1 -o hits.tsv\n");
  command.callback(on_root([&settings, program] { merge_parts(settings, program); }));
}

}  // namespace

const char* const program_name = "genocl-align";

void run(int argc, char** argv) {
  CLI::App app(
      "Exact Smith-Waterman database search: every score right, with BLAST's bit scores and E-values.\n\n"
      "The table of search has the columns\n"
      "  query subject score bits evalue query_length subject_length\n"
      "for DNA also strand, and with --align\n"
      "  query_start query_end subject_start subject_end identity cigar\n"
      "Positions count from 1, the last one included, on the plus strands; identity is of 100; the CIGAR runs along\n"
      "the subject. E-values are those of blastp\n"
      "-comp_based_stats 0 -seg no, and of blastn; hits come by E-value, then by score.\n");
  app.set_version_flag("--version", "genocl-align " GENOCL_VERSION);
  app.require_subcommand(1);
  MakedbSettings makedb;
  InfoSettings info;
  SearchSettings search;
  add_makedb_command(app, makedb);
  add_info_command(app, info);
  add_search_command(app, search);
  PssmSettings pssm;
  add_pssm_command(app, pssm);
  PairsSettings pairs;
  add_pairs_command(app, pairs);
  MergeSettings merge;
  add_merge_command(app, merge, own_name(argv[0]));
  add_example(app,
              "  genocl-align makedb proteins.fa.gz -o proteins.gdb\n"
              "  genocl-align search queries.fa proteins.gdb --top 5 --format blast6 -o hits.tsv\n");
  search.arguments.assign(argv + 1, argv + argc);
  for (int i = 0; i < argc; ++i) search.command_line += (i == 0 ? own_name(argv[0]) : " " + std::string(argv[i]));
  parse(app, argc, argv);
}

}  // namespace program
