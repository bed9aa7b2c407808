
#include "align/result_writer.hpp"

#include <iomanip>
#include <optional>
#include <ostream>
#include <string>

#include "align/subjects.hpp"
#include "common/repairs.hpp"
#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/text_file.hpp"

namespace program {

std::span<const OutputFormat> output_formats() {
  using align::Format;
  // name, format, BAM, has CIGARs, has columns
  static constexpr OutputFormat formats[] = {
      {"tsv", Format::tsv, false, true, false},       {"blast6", Format::blast6, false, false, true},
      {"blast7", Format::blast7, false, false, true}, {"csv", Format::csv, false, false, true},
      {"xml", Format::xml, false, false, false},      {"sam", Format::sam, false, true, false},
      {"bam", Format::sam, true, true, false},        {"pairwise", Format::pairwise, false, false, false},
      {"json", Format::json, false, true, false},
  };
  return formats;
}

namespace {

align::FormatOptions format_options(const Context& context) {
  const SearchSettings& settings = context.settings;
  align::FormatOptions options;
  options.command_line = settings.command_line;
  options.database = name_of(settings.subjects);
  options.queries = settings.queries;
  options.columns = settings.columns;
  if (!settings.taxid_map.empty())
    options.taxonomy = std::make_shared<const align::TaxonomyMap>(
        align::TaxonomyMap::parse(genocl::io::read_text_file(settings.taxid_map), settings.taxid_map));
  options.match_as_m = settings.match_as_m();
  options.masked_queries = settings.mask != "none";
  return options;
}

}  // namespace

struct ResultWriter::Text {
  explicit Text(const Context& context)
      : formatter(context.settings.output_format().format, context.searched,
                  search_options(context.settings, context.scoring), format_options(context)),
        file(context.settings.output) {}

  align::HitFormatter formatter;
  genocl::io::OutputFile file;
  std::string text;
};

/// SAM and BAM, whose names may change.
struct ResultWriter::Records {
  Records(const Context& context, genocl::io::AlignmentFormat format)
      : settings(context.settings),
        repairs(settings.making.strict),
        records(make_records(context)),
        writer(make_writer(settings, records.header(), format)),
        formatter(writer.formatter()) {}

  align::SamRecords make_records(const Context& context) {
    align::FormatOptions options = format_options(context);
    options.renamed = [this](const genocl::InputError& why) { repairs.add("names were changed for SAM of", why); };
    align::SamRecords made(context.database, search_options(settings, context.scoring), options);
    repairs.finish(options.database, context.database.size());
    return made;
  }
  static genocl::io::AlignmentWriter make_writer(const SearchSettings& settings, const genocl::sam::Header& header,
                                                 genocl::io::AlignmentFormat format) {
    try {
      return {settings.output, header, {.format = format}};
    } catch (const genocl::InputError& error) {  // an invalid subject
      if (!error.file().empty()) throw;
      throw genocl::InputError(settings.subjects.front(), error.where(), error.wrong(), error.expected());
    }
  }

  const SearchSettings& settings;
  Repairs repairs;
  align::SamRecords records;
  genocl::io::AlignmentWriter writer;
  genocl::io::AlignmentFormatter formatter;
  std::string text;
  std::uint64_t queries = 0;
};

ResultWriter::ResultWriter(const Context& context) {
  using genocl::io::AlignmentFormat;
  const OutputFormat& chosen = context.settings.output_format();
  if (chosen.format == align::Format::sam)
    records_ = std::make_unique<Records>(context, chosen.bam ? AlignmentFormat::bam : AlignmentFormat::sam);
  else
    text_ = std::make_unique<Text>(context);
}
ResultWriter::~ResultWriter() = default;

void ResultWriter::write(const align::QueryHits& query) {
  if (text_) {
    text_->text.clear();
    text_->formatter.add(query, text_->text);
    text_->file.write(text_->text);
    return;
  }
  ++records_->queries;
  records_->records.add(query, [this](const genocl::sam::Record& record) { records_->formatter.add(record); });
  records_->text = records_->formatter.take(std::move(records_->text));
  records_->writer.append(records_->text);
}

void ResultWriter::finish() {
  if (text_) {
    text_->text.clear();
    text_->formatter.finish(text_->text);
    text_->file.write(text_->text);
    text_->file.commit();
    return;
  }
  records_->writer.commit();
  records_->repairs.finish(records_->settings.queries, records_->queries);
}

namespace {

double gcups(std::uint64_t cells, double seconds) {
  return seconds > 0 ? static_cast<double>(cells) / seconds / 1e9 : 0;
}

}  // namespace

void Counts::add(const align::SearchCounts& one) {
  cells += one.cells;
  computed_again += one.computed_again;
  score_seconds += one.seconds;
  alignment_seconds += one.alignment_seconds;
}

void write_summary(std::ostream& out, const Context& context, const Counts& counts) {
  const align::DatabaseSize size = context.searched.whole();
  const Scoring& scoring = context.scoring;
  out << name_of(context.settings.subjects) << ": " << size.sequences << " sequences, " << size.residues
      << " residues\n"
      << scoring.name << ", " << align::gap_text(scoring.gap) << '\n';
  if (scoring.statistics)
    out << std::setprecision(4) << "lambda " << scoring.statistics->lambda << ", K " << scoring.statistics->k
        << ", E-values by " << scoring.correction_name() << '\n';
  else
    out << "no bit scores and E-values: none are known for these penalties; known are "
        << align::KarlinAltschul::known_gaps(scoring.matrix) << '\n';
  out << counts.queries << " queries, " << counts.residues << " residues";
  if (!context.settings.all_scores) out << ", " << counts.hits << " hits";
  out << std::fixed << std::setprecision(2) << "; " << gcups(counts.cells, counts.search_seconds)
      << " GCUPS with reading and writing\n";
  out.unsetf(std::ios::floatfield);
}

void write_stats(std::ostream& out, const Counts& counts) {
  const auto line = [&](const char* what, double seconds, bool rate) {
    out << what << '\t' << std::fixed << std::setprecision(6) << seconds;
    if (rate) out << '\t' << std::setprecision(3) << gcups(counts.cells, seconds);
    out << '\n';
  };
  out << "cells\t" << counts.cells << "\ncomputed_again\t" << counts.computed_again << "\nstage\tseconds\tGCUPS\n";
  line("kernels", counts.kernel_seconds, true);
  line("scores", counts.score_seconds, true);
  line("alignments", counts.alignment_seconds, false);
  line("search_with_files", counts.search_seconds, true);
  line("end_to_end", counts.whole_seconds, true);
  out.unsetf(std::ios::floatfield);
}

}  // namespace program
