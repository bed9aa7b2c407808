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
#include "marose/options.hpp"

namespace program {
namespace {

void add_errors(CLI::App& command, Request& request) {
  add_value(command, "-e,--max-errors N|N%", request.errors,
            "Maximum edit distance, absolute or relative to the read length")
      ->capture_default_str();
}

void add_model(CLI::App& command, Request& request) {
  CLI::Option* const hamming =
      command.add_flag("--hamming", request.hamming, "Errors are substitutions only, without gaps");
  command
      .add_flag("--levenshtein", request.levenshtein, "Errors are substitutions, insertions and deletions [default]")
      ->excludes(hamming);
}

void add_index_method(CLI::App& command, Request& request) {
  add_value(command, "--method NAME", request.method,
            "Index: kmers (all reads), canonical (reads of one length and bound, text without repeats); published: "
            "list, binary, phf, bitmap, offset; auto: kmers, or the one that fits --seed-mask")
      ->capture_default_str();
  command.add_flag("--as-published", request.as_published,
                   "With --method phf: hash, tables and work-groups as in the paper");
  add_value(command, "--seed-mask MASK", request.mask,
            "Positions of a seed that count (#) and do not (-), as in ####--####--#### [chosen]");
  add_number(command, "--neighbourhood N", request.neighbourhood,
             "Bases stored with each seed, published methods only [8]");
}

void add_published_search(CLI::App& command, Request& request) {
  add_number(command, "--shift N", request.shift, "Distance of neighbouring seeds of a read, in bases [proved]");
  add_number(command, "--neighbourhood-errors N", request.neighbourhood_errors,
             "Maximum number of substitutions in a neighbourhood, 0 to 2 [proved]", 0, 2);
  command.add_flag("--heuristic", request.heuristic,
                   "If no lossless plan exists, use one that may miss hits instead of a lower error bound");
}

void add_index_command(CLI::App& app, IndexSettings& settings) {
  CLI::App& command = *app.add_subcommand("index", "Build the index of a reference genome.");
  add_value(command, "reference", settings.reference, "FASTA, maybe compressed; - is standard input")->required();
  begin_group(command, "Output");
  add_value(command, "-o,--output FILE", settings.output, "Index file, e.g. genome.mrs (required)")->required();
  begin_group(command, "Input");
  command.add_flag("--strict", settings.strict, "Treat the first contig that would be renamed or left out as an error");
  begin_group(command, "Index");
  add_number_with_default(command, "--read-length N", settings.read_length, "Read length to prepare for");
  add_errors(command, settings.request);
  begin_group(command, "+Index");
  add_model(command, settings.request);
  add_value(command, "--segment N", settings.segment,
            "Maximum number of bases in a segment of the index, e.g. 500M [what the device holds]");
  begin_group(command, "+Published methods");
  add_index_method(command, settings.request);
  begin_group(command, "Running");
  add_value(command, "--device-memory SIZE", settings.memory, "Maximum device memory to use, e.g. 20G [all]");
  add_common(command, settings.common);
  add_example(command, "  genocl index genome.fa.gz -o genome.mrs\n");
  command.callback(on_root([&settings] { build_index(settings); }));
}

void add_map_output(CLI::App& command, MapSettings& settings) {
  begin_group(command, "Output");
  add_output(command, settings.output, "Output file; .sam, .bam, .cram or .tsv sets the format");
  CLI::Option* const sort =
      command.add_flag("--sort", settings.sort, "Sort by coordinate; BAM and CRAM files get an index");
  add_value(command, "-R,--read-group LINE", settings.read_group, "Read group header line, e.g. '@RG\\tID:a\\tSM:b'");
  command.add_flag("--secondary", settings.secondary, "Write secondary alignments, not only their places in XA");
  add_value(command, "--un FILE", settings.unmapped_reads,
            "Write single reads that do not map to FILE, as FASTQ; .gz compresses");
  add_value(command, "--un-conc FILE", settings.discordant_pairs,
            "Write pairs that are not proper to two files; % becomes 1 and 2");
  begin_group(command, "+Output");
  add_value(command, "--coverage FILE", settings.coverage,
            "Write the depth of the primary and supplementary alignments to FILE, as bedGraph");
  add_value(command, "--format FORMAT", settings.format, "Output format: sam, bam, cram or tsv [by file name]")
      ->check(CLI::IsMember({"sam", "bam", "cram", "tsv"}));
  add_number(command, "--max-hits N", settings.max_hits,
             "Maximum number of hits written for a read [1000 with --report best, else all]", 1);
  add_number_with_default(command, "--xa N", settings.max_xa,
                          "Write XA if a read has at most this number of other best hits");
  command.add_flag("-Y,--soft-supplementary", settings.soft_supplementary,
                   "Soft-clip supplementary records, with the whole read");
  command.add_flag("-C,--comments", settings.comments,
                   "Append the comments of FASTA and FASTQ as SAM tags, e.g. BC:Z:ACGT");
  add_value(command, "--umi-separator C", settings.umi_separator,
            "Write the UMI behind the last C of read names as tag RX: : for BCL Convert and fastp, _ for umi_tools");
  add_cigar(command, settings.cigar_style, "M");
  command.add_flag("--no-unmapped", settings.no_unmapped, "Omit reads without a hit");
  command.add_flag("--no-secondary-seq", settings.no_secondary_letters, "Write * as SEQ and QUAL of secondary records");
  add_number_with_default(command, "--level N", settings.level, "Compression level of BAM and CRAM, 0 to 9", 0, 9);
  add_value(command, "--sort-memory SIZE", settings.sort_memory,
            "Memory for sorting; more records go to temporary files in the output's folder")
      ->needs(sort)
      ->capture_default_str();
  add_value(command, "--cram-reference FASTA", settings.cram_reference,
            "FASTA that CRAM output refers to [REFERENCE if it is FASTA; otherwise CRAM holds all bases]");
}

void add_map_alignment(CLI::App& command, MapSettings& settings) {
  begin_group(command, "Alignment");
  add_errors(command, settings.request);
  add_value(command, "--report MODE", settings.report, "best, all, strata:N (within N errors of the best), or N hits")
      ->capture_default_str();
  CLI::Option* const end_to_end = command.add_flag("--end-to-end", settings.end_to_end, "Do not clip read ends");
  CLI::Option* const scoring = add_value(command, "--scoring A,B,O,E,P,F", settings.scoring,
                                         "Match, mismatch, two gap costs (open, extend) [2,8,12,2,32,1]");
  begin_group(command, "+Alignment");
  add_strand(command, settings.strands, "Strands of the reference to map to");
  add_model(command, settings.request);
  command
      .add_flag("--unit-costs", settings.unit_costs,
                "Align whole reads with the fewest edits instead of affine gap costs")
      ->excludes(scoring);
  command
      .add_flag("--clip", settings.clip,
                "Clip read ends that do not align [default, except with --hamming, --unit-costs or --report other than "
                "best]")
      ->excludes(end_to_end);
  add_number(command, "--end-bonus N", settings.end_bonus, "Score of a read end that is not clipped [10]", 0, 4000);
  add_number(command, "--min-score N", settings.min_score,
             "Minimum alignment score to report [60, or 1.5 per base of shorter reads]", 0, 16000);
  add_number_with_default(command, "--min-supplementary N", settings.min_supplementary,
                          "Minimum length of a clipped end to map it by itself", 19, 1000);
}

void add_map_reads(CLI::App& command, MapSettings& settings) {
  begin_group(command, "Reads and pairs");
  command.add_flag("-p,--interleaved", settings.interleaved, "Pairs are interleaved in READS");
  add_value(command, "--insert MIN:MAX", settings.insert,
            "Template length range of proper pairs [auto: from the first pairs]");
  CLI::Option* const adapter = add_list(command, "--adapter SEQ", settings.adapters,
                                        "3' adapter; auto finds it from overlapping mates, none disables [auto]")
                                   ->delimiter(',');
  add_number_with_default(command, "--trim-quality Q", settings.trim_quality,
                          "Clip 3' ends below quality Q, as bwa aln -q", 0, 93);
  begin_group(command, "+Reads and pairs");
  add_list(command, "-1 FILES", settings.first_mates,
           "First reads of pairs, instead of READS and MATES (repeatable, comma lists)");
  add_list(command, "-2 FILES", settings.second_mates, "Second reads of pairs, in the order of -1");
  add_list(command, "-U FILES", settings.unpaired, "Unpaired reads, mapped after the pairs of -1 and -2");
  add_choice(command, "--orientation XY", settings.orientation, {"fr", "rf", "ff"},
             "Strands of the two mates of a proper pair: fr, rf or ff");
  CLI::Option* const rescue = add_value(command, "--rescue N|N%", settings.rescue_errors,
                                        "Maximum edit distance of a mate found only by its pair, with --unit-costs "
                                        "[twice -e, at most 20%]");
  command.add_flag("--no-rescue", settings.no_rescue, "Do not search unmapped mates near their pairs")
      ->excludes(rescue);
  add_number_with_default(command, "--adapter-overlap N", settings.adapter_overlap,
                          "Minimum length of an adapter at the end of a read", 1, 1000)
      ->needs(adapter);
  command.add_flag("--phred64", settings.phred64, "Qualities are Phred+64, as in old Illumina files");
  command.add_flag("--strict", settings.strict,
                   "Treat the first read or contig that would be repaired, skipped or left unmapped as an error");
  add_value(command, "--reference FASTA", settings.reads_reference,
            "FASTA that CRAM reads refer to [as samtools finds it]");
}

void add_map_command(CLI::App& app, MapSettings& settings) {
  CLI::App& command = *app.add_subcommand("map", "Map short reads to a reference genome.");
  add_value(command, "reference", settings.reference, "Index made by `genocl index`, or FASTA")->required();
  add_value(command, "reads", settings.reads, "FASTQ, FASTA, SAM, BAM or CRAM, maybe compressed; - is standard input");
  add_value(command, "mates", settings.mates, "Second reads of pairs");
  add_map_output(command, settings);
  add_map_alignment(command, settings);
  add_map_reads(command, settings);
  begin_group(command, "Running");
  command.add_flag("--resume", settings.resume, "Continue an interrupted run; finished parts are in OUTPUT.blocks");
  begin_group(command, "+Running");
  add_number(command, "--batch-reads N", settings.batch_reads, "Reads in a batch [chosen]");
  begin_group(command, "Running");
  add_common(command, settings.common);
  begin_group(command, "+Published methods");
  add_index_method(command, settings.request);
  add_published_search(command, settings.request);
  add_example(command,
              "  genocl map genome.mrs reads_1.fq.gz reads_2.fq.gz -e 5% --sort -o reads.bam\n"
              "  genocl map genome.fa.gz reads.fq -e 3 --hamming --report all --format tsv -o hits.tsv\n");
  command.callback([&settings] { map_reads(settings); });
}

void add_plan_command(CLI::App& app, PlanSettings& settings) {
  CLI::App& command = *app.add_subcommand("plan", "Print the seeds of a read, and the proof that they miss no hit.");
  begin_group(command, "Plan");
  add_number(command, "--length N", settings.length, "Read length (required)")->required();
  add_errors(command, settings.request);
  add_value(command, "--reference-size N", settings.reference_bases, "Bases of the reference, e.g. 4.9M or 3.1G")
      ->capture_default_str();
  add_output(command, settings.output);
  begin_group(command, "+Plan");
  add_model(command, settings.request);
  begin_group(command, "+Published methods");
  add_index_method(command, settings.request);
  add_published_search(command, settings.request);
  add_quiet(command);
  add_example(command, "  genocl plan --length 150 -e 5% --reference-size 3.1G\n");
  command.callback(on_root([&settings] { show_plan(settings); }));
}

// With glibc's defaults, threads that allocate and free memory for each batch wait for one another in the kernel.
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
  CLI::App app("Map short reads: every position within the error bound, on both strands.");
  add_program_options(app, GENOCL_VERSION);
  app.require_subcommand(1);
  IndexSettings index;
  MapSettings map;
  PlanSettings plan;
  add_index_command(app, index);
  add_map_command(app, map);
  add_plan_command(app, plan);
  add_example(app,
              "  genocl index genome.fa.gz -o genome.mrs\n"
              "  genocl map genome.mrs reads_1.fq.gz reads_2.fq.gz -e 5% -o reads.bam\n");
  for (int i = 0; i < argc; ++i) map.command_line += (i == 0 ? own_name(argv[0]) : " " + std::string(argv[i]));
  parse(app,
        arguments_of(argc, argv,
                     {{"--errors", "--max-errors"}, {"--cigar-style", "--cigar"}, {"--memory", "--device-memory"}}));
}

}  // namespace program
