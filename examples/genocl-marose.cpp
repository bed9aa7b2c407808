// genocl-marose: maps reads, every position within the error bound, on any OpenCL device.
#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "common/command_line.hpp"
#include "common/main.hpp"
#include "common/program.hpp"
#include "common/strand.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/version.hpp"
#include "marose/commands.hpp"

namespace program {
namespace {

void add_model(CLI::App& command, Request& request) {
  command
      .add_option("-e,--errors", request.errors,
                  "Allow so many errors at most: a number, or a share of the read's length")
      ->capture_default_str();
  CLI::Option* const hamming = command.add_flag("--hamming", request.hamming, "Count substitutions as errors");
  command
      .add_flag("--levenshtein", request.levenshtein,
                "Count substitutions, insertions and deletions as errors (default)")
      ->excludes(hamming);
}

void add_index(CLI::App& command, Request& request) {
  command.add_option("--seed-mask", request.mask,
                     "Count these bases of a seed, like '####--####--####' (default: chosen)");
  add_number(command, "--neighbourhood", request.neighbourhood,
             "Store so many bases beside a seed, for the published methods (default: 8)");
  command
      .add_option(
          "--method", request.method,
          "Build these tables: kmers (for reads of all kinds), canonical (for reads of one length and bound, "
          "fastest on text without repeats), list, binary, phf, bitmap or offset (the paper's); auto: kmers, or "
          "what suits --seed-mask")
      ->capture_default_str();
}

void add_paper(CLI::App& command, Request& request) {
  add_number(command, "--shift", request.shift,
             "Put so many bases from one pattern to the next, for the published methods");
  add_number(command, "--neighbourhood-errors", request.neighbourhood_errors,
             "Look for so many substitutions in a neighbourhood, for the published methods", 0, 2);
  command.add_flag("--heuristic", request.heuristic,
                   "Where no lossless plan is known, take one that may miss hits instead of one for fewer errors");
}

void add_index_command(CLI::App& app, IndexSettings& settings) {
  CLI::App& command = *app.add_subcommand("index", "Builds the index of a reference");
  command.add_option("reference", settings.reference, "FASTA, may be compressed; - is standard input")->required();
  command
      .add_option(
          "-o,--output", settings.output,
          "Write the index to this file, like REFERENCE.mrs; it has to be named, for an index does not go to standard "
          "output")
      ->required();
  add_index(command, settings.request);
  add_number_with_default(
      command, "--read-length", settings.read_length,
      "Reads of so many bases with -e errors are to be mapped without loss: canonical chooses its seed mask "
      "for them, kmers says when it cannot");
  add_model(command, settings.request);
  command.add_flag("--strict", settings.strict, "Make the first contig that would be renamed or left out an error");
  command.add_option("--memory", settings.memory,
                     "Build in so many bytes of the device's memory, like 20G (default: what the device has)");
  command.add_option("--segment", settings.segment,
                     "Give a segment so many bases at most, like 500M (default: what the device holds)");
  add_common(command, settings.common);
  add_example(command, "  genocl-marose index genome.fa.gz -o genome.mrs\n");
  command.callback(on_root([&settings] { build_index(settings); }));
}

void add_clip(CLI::App& command, MapSettings& settings) {
  CLI::Option* const scoring =
      command.add_option("--scoring", settings.scoring,
                         "Alignment scores A,B,O,E[,O2,E2]: match, mismatch cost, and gap costs min(O+kE, O2+kE2) "
                         "[2,8,12,2,32,1]");
  add_number(command, "--end-bonus", settings.end_bonus, "Bonus of an end of the read that is not clipped [10]", 0,
             4000);
  add_number(command, "--min-score", settings.min_score,
             "Minimum score of a reported alignment [60, or 1.5 a base of a shorter read]", 0, 16000);
  CLI::Option* const unit_costs = command.add_flag("--unit-costs", settings.unit_costs,
                                                   "Align whole reads with fewest edits instead of affine gaps");
  unit_costs->excludes(scoring);
  CLI::Option* const end_to_end = command.add_flag("--end-to-end", settings.end_to_end, "Do not clip read ends");
  command
      .add_flag("--clip", settings.clip,
                "Clip read ends that do not align; the default, but for --hamming, --unit-costs and reports beyond "
                "the best hits")
      ->excludes(end_to_end);
  command.add_flag("-Y,--soft-supplementary", settings.soft_supplementary,
                   "Use soft clips and the whole read in supplementary records");
  add_number_with_default(command, "--min-supplementary", settings.min_supplementary,
                          "Minimum length of a clipped end that is mapped itself", 19, 1000);
  CLI::Option* const adapter =
      command
          .add_option("--adapter", settings.adapters,
                      "3' adapter sequence, or illumina for TruSeq's (repeatable, comma lists); auto finds it where "
                      "mates overlap; none disables that [auto]")
          ->delimiter(',')
          ->allow_extra_args(false);
  add_number_with_default(command, "--adapter-overlap", settings.adapter_overlap,
                          "Take at least so many letters at the end of a read for an adapter", 1, 1000)
      ->needs(adapter);
  add_number_with_default(command, "--trim-quality", settings.trim_quality,
                          "Clip 3' ends where the scores lie below this, as bwa aln -q does", 0, 93);
}

/// An option with lists of files.
void add_list(CLI::App& command, const std::string& name, std::vector<std::string>& files, const std::string& help) {
  command.add_option(name, files, help)->allow_extra_args(false);
}

void add_map_command(CLI::App& app, MapSettings& settings) {
  CLI::App& command = *app.add_subcommand("map", "Maps reads to a reference");
  command.add_option("reference", settings.reference, "Index, or FASTA, from which one is built in memory")->required();
  command.add_option(
      "reads", settings.reads,
      "FASTA or FASTQ, optionally compressed; or SAM, BAM or CRAM, with their flags, tags and read groups. "
      "-: standard input");
  command.add_option("mates", settings.mates, "The second reads of pairs");
  add_list(command, "-1", settings.first_mates,
           "Instead of reads and mates: files of first reads of pairs (repeatable, comma lists)");
  add_list(command, "-2", settings.second_mates, "The files of their mates, in the same order");
  add_list(command, "-U", settings.unpaired,
           "Files of single reads (repeatable, comma lists), which come behind the pairs of -1 and -2");
  command.add_flag(
      "-p,--interleaved", settings.interleaved,
      "The reads are pairs, mate after mate by their names (default for SAM, BAM and CRAM: by their flags)");
  command.add_option("--reference", settings.reads_reference,
                     "FASTA that aligned CRAM reads were written with (default: as samtools finds it)");
  command.add_flag(
      "-C,--comments", settings.comments,
      "Give each record what is behind the name of its read: tags of SAM with tabs between, like BC:Z:ACGT");
  command.add_flag("--phred64", settings.phred64, "Read qualities as Phred+64, as old Illumina files have them");
  command.add_flag("--strict", settings.strict,
                   "Make the first read or contig that would be repaired, skipped or left unmapped an error");
  add_model(command, settings.request);
  command
      .add_option("--report", settings.report,
                  "Report these hits of a read: best, all, strata:N (errors beyond the best), or a number")
      ->capture_default_str();
  add_strand(command, settings.strands, "Map to this strand");
  command
      .add_option("--insert", settings.insert,
                  "A proper pair's template has this many bases, LEAST:MOST; auto: as the first pairs have it")
      ->capture_default_str();
  command
      .add_option("--orientation", settings.orientation,
                  "Mates lie forward and reverse (fr), reverse and forward (rf) or both the same way (ff)")
      ->check(CLI::IsMember({"fr", "rf", "ff"}))
      ->capture_default_str();
  CLI::Option* const rescue = command.add_option(
      "--rescue", settings.rescue_errors,
      "Allow so many errors at most in a mate that has no hit and is looked for beside its read: a number, "
      "or a share of its length (default: twice -e, up to a fifth of its length)");
  command.add_flag("--no-rescue", settings.no_rescue, "Do not look for mates without a hit beside their reads")
      ->excludes(rescue);
  add_clip(command, settings);
  command.add_option("--format", settings.format, "Write sam, bam, cram or tsv (default: by the name of the output)")
      ->check(CLI::IsMember({"sam", "bam", "cram", "tsv"}));
  command
      .add_option("-o,--output", settings.output, "Write the hits to this file; without it, or with -, standard output")
      ->capture_default_str();
  add_number_with_default(command, "--level", settings.level, "Compress BAM and CRAM at this level", 0, 9);
  CLI::Option* const sort =
      command.add_flag("--sort", settings.sort,
                       "Write the records by coordinate, as samtools sort does, files of BAM and CRAM with an index");
  command
      .add_option("--sort-memory", settings.sort_memory,
                  "To sort, hold so many bytes of records, like 768M or 4G; others go to a file beside the output")
      ->needs(sort)
      ->capture_default_str();
  command.add_option("--cram-reference", settings.cram_reference,
                     "Write CRAM against this FASTA, plain or by bgzip (default: the reference, where it is a file of "
                     "FASTA; with an index alone CRAM holds the bases itself); its .fai is made where there is none");
  command.add_option("-R,--read-group", settings.read_group,
                     "Give all reads this @RG, like 'ID:x\\tSM:y'; '@RG\\t' before it does no harm");
  command
      .add_option("--cigar-style", settings.cigar_style, "Write matches and mismatches both as M (m) or as = and X (x)")
      ->check(CLI::IsMember({"m", "x"}))
      ->capture_default_str();
  command.add_flag("--secondary", settings.secondary,
                   "Write a record for each of several best hits; without it a read has one, and XA names the others");
  add_number(
      command, "--max-hits", settings.most_hits,
      "Write so many hits of a read at most, and count the others (default: 1000 of the best, all of other reports)",
      1);
  add_number_with_default(command, "--xa", settings.most_in_xa,
                          "Name the other best hits of a read in XA where they are not more than that");
  command.add_flag("--no-secondary-seq", settings.no_secondary_letters,
                   "Leave SEQ and QUAL out of the second and further records of a read (some programs ask for them)");
  command.add_flag("--no-unmapped", settings.no_unmapped, "Leave reads without a hit out");
  add_index(command, settings.request);
  add_paper(command, settings.request);
  add_number(command, "-t,--threads", settings.threads,
             "Read a bgzip file, and compress CRAM or what is sorted, with so many threads (default: by the machine)");
  add_number(command, "--batch-reads", settings.batch_reads, "Map so many reads at a time (default: chosen)");
  command.add_flag(
      "--resume", settings.resume,
      "Keep what is finished in a folder beside the output, FILE.blocks, and go on from what a job with the "
      "same command line and inputs has left there when it was stopped");
  add_common(command, settings.common);
  add_example(command,
              "  genocl-marose map genome.mrs reads_1.fq.gz reads_2.fq.gz -e 5% --sort -o reads.bam\n"
              "  genocl-marose map genome.fa.gz reads.fq -e 3 --hamming --report all --format tsv -o hits.tsv\n");
  command.callback([&settings] { map_reads(settings); });
}

void add_plan_command(CLI::App& app, PlanSettings& settings) {
  CLI::App& command =
      *app.add_subcommand("plan", "Shows what is looked up for a read, and the proof that nothing is missed");
  add_number(command, "--length", settings.length, "The read has so many bases")->required();
  add_model(command, settings.request);
  add_index(command, settings.request);
  add_paper(command, settings.request);
  command
      .add_option("--reference-size", settings.reference_bases, "The reference has so many bases, like 4.9M or 3.1G")
      ->capture_default_str();
  command.add_option("-o,--output", settings.output, "Write here; - is standard output")->capture_default_str();
  add_example(command, "  genocl-marose plan --length 150 -e 5% --reference-size 3.1G\n");
  command.callback(on_root([&settings] { show_plan(settings); }));
}

// Many threads that take memory from the system and give it back, batch after batch, wait for one another in the
// kernel.
void keep_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace

const char* const program_name = "genocl-marose";

void run(int argc, char** argv) {
  keep_memory();
  CLI::App app("Maps reads: every position within the error bound, on both strands.");
  app.set_version_flag("--version", "genocl-marose " GENOCL_VERSION);
  app.require_subcommand(1);
  IndexSettings index;
  MapSettings map;
  PlanSettings plan;
  add_index_command(app, index);
  add_map_command(app, map);
  add_plan_command(app, plan);
  add_example(app,
              "  genocl-marose index genome.fa.gz -o genome.mrs\n"
              "  genocl-marose map genome.mrs reads_1.fq.gz reads_2.fq.gz -e 5% -o reads.bam\n");
  for (int i = 0; i < argc; ++i) map.command_line += (i == 0 ? own_name(argv[0]) : " " + std::string(argv[i]));
  parse(app, argc, argv);
}

}  // namespace program
