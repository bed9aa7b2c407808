// genocl-align: exact Smith-Waterman database search on any OpenCL device.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "align/options.hpp"
#include "align/result_writer.hpp"
#include "align/search_command.hpp"
#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "common/strand.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

constexpr const char* sequences_help = "FASTA or FASTQ, maybe compressed; - is standard input";

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const OutputFormat& format : output_formats()) names.emplace_back(format.name);
  return names;
}

void add_alphabet(CLI::App& command, MakingSettings& making) {
  begin_group(command, "Scoring");
  command.add_flag("--dna", making.dna, "Sequences are DNA, not proteins");
  begin_group(command, "+Input");
  command.add_flag("--protein", making.protein,
                   "Sequences are proteins, even if nine of ten letters are A, C, G, T, U or N");
  command.add_flag("--replace-letters", making.replace_letters,
                   "Replace letters outside the alphabet by X, in DNA by N, instead of stopping");
  command.add_flag("--strict", making.strict, "Treat the first record that would be repaired as an error");
}

void add_making(CLI::App& command, MakingSettings& making) {
  add_alphabet(command, making);
  begin_group(command, "+Input");
  add_value(command, "--memory SIZE", making.memory,
            "Host memory for making a database of FASTA, e.g. 16G; the rest goes to a temporary file [a quarter of "
            "free memory]");
  add_value(command, "--temporary-folder DIR", making.temporary_folder, "Folder of that file");
}

void add_makedb_command(CLI::App& app, MakedbSettings& settings) {
  CLI::App& command = *app.add_subcommand("makedb", "Make a database of sequences from FASTA.");
  add_value(command, "input", settings.inputs, "FASTA files, maybe compressed; - is standard input")->required();
  begin_group(command, "Output");
  add_value(command, "-o,--output FILE", settings.output, "Database file, e.g. proteins.gdb (required)")->required();
  command.add_flag("--append", settings.append, "Add the sequences to the database FILE, which exists");
  add_making(command, settings.making);
  begin_group(command, "Running");
  add_quiet(command, settings.quiet);
  add_example(command, "  genocl makedb proteins.fa.gz -o proteins.gdb\n");
  command.callback(on_root([&settings] { make_database(settings); }));
}

void add_info_command(CLI::App& app, InfoSettings& settings) {
  CLI::App& command = *app.add_subcommand("info", "Check a database and print its contents.");
  add_value(command, "database", settings.database, "Database file")->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_quiet(command);
  add_example(command, "  genocl info proteins.gdb\n");
  command.callback(on_root([&settings] { show_database(settings); }));
}

void add_get_command(CLI::App& app, GetSettings& settings) {
  CLI::App& command = *app.add_subcommand("get", "Print sequences of a database as FASTA.");
  add_value(command, "database", settings.database, "Database file")->required();
  add_value(command, "ids", settings.ids, "First words of headers, or accessions in them")->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_quiet(command);
  add_example(command, "  genocl get proteins.gdb s7 -o s7.fa\n");
  command.callback(on_root([&settings] { get_sequences(settings); }));
}

void add_scoring(CLI::App& command, ScoringSettings& settings) {
  begin_group(command, "Scoring");
  add_value(command, "--matrix NAME", settings.matrix,
            "BLOSUM45 to 90, PAM30 to 250, or a file in NCBI's format [BLOSUM62]");
  add_number(command, "--gap-open N", settings.gap_open,
             "Cost of opening a gap [as in BLAST: 11 for BLOSUM62, 5 for DNA]");
  add_number(command, "--gap-extend N", settings.gap_extend,
             "Cost of each letter of a gap [as in BLAST: 1 for BLOSUM62, 2 for DNA]");
  begin_group(command, "+Scoring");
  add_number(command, "--match N", settings.match, "Score of a match, with --dna [2]");
  add_number(command, "--mismatch N", settings.mismatch, "Score of a mismatch, with --dna [-3]");
  add_value(command, "--gap-convention NAME", settings.gap_convention,
            "Cost of a gap of k letters: ncbi, open + k * extend; first, open + (k - 1) * extend [ncbi]")
      ->check(CLI::IsMember({"ncbi", "first"}));
}

void add_search_hits(CLI::App& command, SearchSettings& settings) {
  begin_group(command, "Hits");
  add_number(command, "--evalue E", settings.evalue, "Maximum E-value [10]");
  add_number(command, "--max-hits N", settings.top, "Maximum number of subjects of a query [10]");
  add_number(command, "--max-hsps N", settings.max_hsps, "Maximum number of alignments of a query and a subject [all]");
  add_number(command, "--min-identity,--perc_identity P", settings.min_identity,
             "Minimum percentage of identical columns of an alignment [0]");
  begin_group(command, "+Hits");
  add_number(command, "--query-coverage,--qcov_hsp_perc P", settings.query_coverage,
             "Minimum percentage of the query that an alignment spans [0]");
  add_number(command, "--subject-coverage P", settings.subject_coverage,
             "Minimum percentage of the subject that an alignment spans [0]");
  command.add_flag("--best-hit", settings.best_hit, "Report the best alignment of each query only");
  add_strand(command, settings.strands, "Strands of DNA queries, also of translated ones");
  add_number(command, "--min-score N", settings.min_score, "Minimum score [1]");
  add_number(command, "--culling-limit,--culling_limit N", settings.culling_limit,
             "Delete an alignment that N better ones dominate on the query; 0: none [0]");
  add_value(command, "--include,--seqidlist FILE", settings.include,
            "Search the subjects with these ids only; E-values refer to them");
  add_value(command, "--exclude,--negative_seqidlist FILE", settings.exclude,
            "Search all subjects but those with these ids");
  add_number(command, "--dbsize N", settings.dbsize, "Residues of the database for E-values [its own]", 1);
  add_number(command, "--searchsp N", settings.searchsp, "Effective search space for E-values [computed]", 1);
  command.add_flag("--no-evalue", settings.no_evalue,
                   "Sort by score, without E-values; for scoring systems without known statistics");
  add_value(command, "--statistics NAME", settings.statistics,
            "Edge correction of E-values: finite-size, as blastp; length-adjustment, as blastn [by alphabet]")
      ->check(CLI::IsMember({"finite-size", "length-adjustment"}));
  command.add_flag("--mask-hard", settings.mask_hard, "Score masked letters as X, in DNA as N");
  begin_group(command, "Hits");
  add_value(command, "--translate NAME", settings.translate,
            "Translate in six frames: query (blastx), database (tblastn) or both")
      ->check(CLI::IsMember({"query", "database", "both"}));
  begin_group(command, "+Hits");
  add_number(command, "--query-gencode,--query_gencode N", settings.query_gencode,
             "Genetic code of translated queries: 1 to 6, 9 to 16, 21 to 33 [1]");
  add_number(command, "--db-gencode,--db_gencode N", settings.db_gencode,
             "Genetic code of a translated database, as --query-gencode [1]");
  begin_group(command, "Hits");
  add_choice(command, "--mask NAME", settings.mask, {"seg", "dust", "lower", "none"},
             "Query regions that start no hit: seg, dust, lower (case) or none");
  add_number_with_default(command, "--comp-based-stats N", settings.comp_based_stats,
                          "Composition-based statistics, 0 to 2, as in blastp and psiblast", 0, 2);
}

void add_search_output(CLI::App& command, SearchSettings& settings) {
  begin_group(command, "Output");
  add_output(command, settings.output);
  add_value(command, "--format FORMAT", settings.format,
            "tsv, csv, blast6, blast7, xml, sam, bam, pairwise or json [tsv]")
      ->check(CLI::IsMember(format_names()));
  command.add_flag("--align", settings.align, "Align hits in tsv and json; other formats always do");
  add_value(command, "--columns LIST", settings.columns,
            "Columns of blast6, blast7 and csv, e.g. std,qcovs,btop [std]");
  begin_group(command, "+Output");
  add_value(command, "--taxid-map,--taxid_map FILE", settings.taxid_map,
            "Taxonomy of subjects for columns staxids, sscinames: id TAB taxid [TAB name]");
  add_cigar(command, settings.cigar_style, "=X");
  command.add_flag("--all-scores", settings.all_scores, "Write the score of every pair, in database order");
  command.add_flag("--stats", settings.stats, "Cells, seconds and GCUPS on standard error");
}

void add_search_running(CLI::App& command, SearchSettings& settings) {
  begin_group(command, "Running");
  command.add_flag("--resume", settings.resume, "Continue an interrupted run; finished parts are in OUTPUT.blocks");
  begin_group(command, "+Running");
  add_value(command, "--shard I/N", settings.shard, "Search part I of N of the database, from 0, for `genocl merge`");
  add_value(command, "--chunk N", settings.chunk, "Residues on a device at a time, e.g. 500M [device memory]");
  add_number(command, "--batch-queries N", settings.batch_queries, "Queries in a batch [chosen]");
  command.add_flag("--no-check", settings.no_check, "Do not verify the database before the search");
  begin_group(command, "Running");
  add_common(command, settings.common);
  begin_group(command, "+Published methods");
  add_value(command, "--kernel NAME", settings.kernel,
            "auto, cpu or gpu; of swGPUCluster: inter, intra, or published (both)")
      ->capture_default_str();
  add_number(command, "--threshold N", settings.threshold,
             "Minimum subject length for kernel intra of --kernel published [3072]");
  command.add_flag("--as-published", settings.as_published,
                   "With --kernel published, inter or intra: batches and work-items as in the paper");
  add_value(command, "--schedule NAME", settings.schedule,
            "With MPI: shared, pieces on demand; published, equal parts in advance [shared]")
      ->check(CLI::IsMember({"shared", "published"}));
}

void add_search_command(CLI::App& app, SearchSettings& settings) {
  CLI::App& command = *app.add_subcommand("search", "Search a sequence database: exact Smith-Waterman scores.");
  add_value(command, "queries", settings.queries, sequences_help);
  add_value(command, "subjects", settings.subjects, "Database made by `genocl makedb`, or FASTA files");
  add_search_output(command, settings);
  add_search_hits(command, settings);
  add_scoring(command, settings.scoring);
  add_making(command, settings.making);
  begin_group(command, "+Input");
  add_list(command, "--pssm FILE", settings.pssm,
           "Search with a profile instead of queries: NCBI's PSSM, ASCII or ASN.1 (repeatable, comma lists)")
      ->delimiter(',');
  add_list(command, "--msa,--in_msa FILE", settings.msa,
           "Search with the profile of an alignment: FASTA, A2M, A3M, Stockholm or Clustal (repeatable)")
      ->delimiter(',');
  begin_group(command, "+Hits");
  add_number(command, "--iterations,--num_iterations N", settings.iterations,
             "Repeat the search with profiles of its hits, as psiblast; 0: until convergence [1]");
  add_number(command, "--inclusion-ethresh,--inclusion_ethresh E", settings.inclusion_evalue,
             "With --iterations: maximum E-value of a hit in a profile [0.002]");
  begin_group(command, "+Output");
  add_value(command, "--out-pssm,--out_pssm FILE", settings.asn1_output,
            "With --iterations and one query: write the profile of the last search, for psiblast -in_pssm");
  add_value(command, "--out-ascii-pssm,--out_ascii_pssm FILE", settings.ascii_output, "The same as a table to read");
  add_search_running(command, settings);
  add_example(command,
              "  genocl search queries.fa proteins.gdb --evalue 1e-3 --format blast6 -o hits.tsv\n"
              "  genocl search --dna reads.fa genes.fa --format sam -o hits.sam\n");
  command.callback([&settings] {
    // With --pssm and --msa there is no positional file of queries before the subjects.
    if (settings.has_profiles() && !settings.queries.empty()) {
      settings.subjects.insert(settings.subjects.begin(), settings.queries);
      settings.queries.clear();
    }
    search_database(settings);
  });
}

void add_pairs_command(CLI::App& app, PairsSettings& settings) {
  CLI::App& command = *app.add_subcommand("pairs", "Align the sequences of two files pair by pair.");
  add_value(command, "queries", settings.queries, sequences_help)->required();
  add_value(command, "subjects", settings.subjects, "FASTA or FASTQ with the same number of records")->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  command.add_flag("--align", settings.align, "Write alignments: coordinates, identity and CIGAR");
  begin_group(command, "+Output");
  add_cigar(command, settings.cigar_style, "=X");
  begin_group(command, "Alignment");
  add_choice(command, "--mode MODE", settings.mode, {"local", "global", "semi-global", "edit"},
             "global, local, semi-global or edit (edit distance)");
  add_value(command, "--free ENDS", settings.free,
            "Ends without gap costs in semi-global mode: query-begin, query-end, subject-begin, subject-end [all]")
      ->delimiter(',')
      ->check(CLI::IsMember({"query-begin", "query-end", "subject-begin", "subject-end"}));
  add_scoring(command, settings.scoring);
  add_alphabet(command, settings.making);
  command.add_flag("--text", settings.text, "Letters are bytes of any kind, with --mode edit");
  begin_group(command, "Running");
  add_common(command, settings.common);
  add_example(command,
              "  genocl pairs first.fa second.fa --mode global --align -o pairs.tsv\n"
              "  genocl pairs first.fa second.fa --mode edit --text -o distances.tsv\n");
  command.callback(on_root([&settings] { compare_pairs(settings); }));
}

void add_pssm_command(CLI::App& app, PssmSettings& settings) {
  CLI::App& command = *app.add_subcommand("pssm", "Make a profile of a multiple alignment, as psiblast -in_msa.");
  add_value(command, "alignment", settings.alignment,
            "Aligned FASTA, A2M, A3M, Stockholm or Clustal; the first sequence has the rows of the profile")
      ->required();
  begin_group(command, "Output");
  add_output(command, settings.output, "Profile");
  add_choice(command, "--format NAME", settings.format, {"ascii", "asn1"},
             "NCBI's ASCII PSSM or, for psiblast -in_pssm, ASN.1");
  begin_group(command, "Profile");
  add_value(command, "--matrix NAME", settings.matrix, "Matrix of pseudocounts and scale: one of NCBI's")
      ->capture_default_str();
  add_number(command, "--gap-open N", settings.gap_open, "Gap opening cost of the statistics [BLAST's]");
  add_number(command, "--gap-extend N", settings.gap_extend, "Gap extension cost of the statistics [BLAST's]");
  add_quiet(command);
  add_example(command,
              "  genocl pssm family.a2m -o family.pssm\n"
              "  genocl search --pssm family.pssm proteins.gdb -o members.tsv\n");
  command.callback(on_root([&settings] { make_pssm(settings); }));
}

struct MergeSettings {
  std::vector<std::string> parts;
  std::string output = "-";
  bool quiet = false;
};

/// Writes the results of a search in parts: repeats its command line, except for the output.
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
  CLI::App& command = *app.add_subcommand("merge", "Merge the parts written by `genocl search --shard`.");
  add_value(command, "parts", settings.parts, "Parts of one search, one of each shard, in any order")->required();
  begin_group(command, "Output");
  add_output(command, settings.output);
  begin_group(command, "Running");
  add_quiet(command, settings.quiet);
  add_example(command,
              "  genocl search queries.fa proteins.gdb --shard 0/2 -o hits.0\n"
              "  genocl search queries.fa proteins.gdb --shard 1/2 -o hits.1\n"
              "  genocl merge hits.0 hits.1 -o hits.tsv\n");
  command.callback(on_root([&settings, program] { merge_parts(settings, program); }));
}

}  // namespace

const char* const program_name = "genocl-align";

void run(int argc, char** argv) {
  CLI::App app("Sequence database search and pairwise alignment: exact scores, with BLAST's statistics.");
  add_program_options(app, GENOCL_VERSION);
  app.require_subcommand(1);
  MakedbSettings makedb;
  InfoSettings info;
  SearchSettings search;
  add_makedb_command(app, makedb);
  add_info_command(app, info);
  GetSettings get;
  add_get_command(app, get);
  add_search_command(app, search);
  PssmSettings pssm;
  add_pssm_command(app, pssm);
  PairsSettings pairs;
  add_pairs_command(app, pairs);
  MergeSettings merge;
  add_merge_command(app, merge, own_name(argv[0]));
  add_example(app,
              "  genocl makedb proteins.fa.gz -o proteins.gdb\n"
              "  genocl search queries.fa proteins.gdb --max-hits 5 --format blast6 -o hits.tsv\n");
  std::vector<std::string> arguments =
      arguments_of(argc, argv, {{"--top", "--max-hits"}, {"--cigar-style", "--cigar"}});
  search.arguments = arguments;
  search.command_line = own_name(argv[0]);
  for (const std::string& argument : arguments) search.command_line += " " + argument;
  parse(app, std::move(arguments));
}

}  // namespace program
