// genocl-pwm enrich: motifs that are more frequent in sequences than in controls, with the table of SEA.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <set>
#include <string_view>

#include "common/check_files.hpp"
#include "common/program.hpp"
#include "common/progress_bar.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/output.hpp"
#include "pwm/texts.hpp"

namespace program {

std::string exponent_text(double logarithm) {
  if (logarithm == 0) return "1.00e0";
  const double decimal = logarithm / std::numbers::ln10;
  double exponent = std::floor(decimal), mantissa = std::pow(10, decimal - exponent);
  if (mantissa >= 9.995) {
    mantissa = 1;
    ++exponent;
  }
  return formatted("%.2f", mantissa) + "e" + formatted("%.0f", exponent);
}

namespace {

using genocl::SequenceSet;

void note(const EnrichSettings& settings, const std::string& text) {
  if (!settings.common.quiet) std::cerr << called_name() << ": note: " << text << '\n';
}

genocl::io::SequenceReader reader_of(const std::string& file, const EnrichSettings& settings) {
  return genocl::io::SequenceReader(file, {.bad_letters = genocl::bad_letters(settings.replace_letters),
                                           .keep_qualities = false,
                                           .keep_descriptions = false,
                                           .threads = reading_threads()});
}

SequenceSet read_sequences(const std::string& file, const EnrichSettings& settings) {
  genocl::io::SequenceReader reader = reader_of(file, settings);
  SequenceSet all(genocl::Alphabet::dna);
  while (reader.append(all)) {
  }
  return all;
}

double mean_length(const SequenceSet& set) {
  return set.empty() ? 0 : static_cast<double>(set.residues()) / static_cast<double>(set.size());
}

/// The middles of the records, shortened so that their mean length is `length`.
SequenceSet trimmed(const SequenceSet& set, double length) {
  const double share = length / mean_length(set);
  SequenceSet result(genocl::Alphabet::dna);
  result.reserve(set.size(), static_cast<std::uint64_t>(share * static_cast<double>(set.residues())) + set.size());
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto kept = static_cast<std::uint64_t>(std::round(static_cast<double>(set.length(i)) * share));
    result.append(set.name(i), set[i].subspan((set.length(i) - kept) / 2, kept));
  }
  return result;
}

/// Throws InputError for sequences that are all shorter than a motif.
void check_lengths(const std::string& file, const SequenceSet& set, const char* what,
                   std::span<const pwm::Motif> motifs) {
  const pwm::Motif& longest = *std::ranges::max_element(motifs, {}, &pwm::Motif::length);
  if (set.longest() < longest.length())
    throw genocl::InputError(file, {}, std::string(what) + " of " + std::to_string(set.longest()) + " letters at most",
                             std::to_string(longest.length()) + ", the length of motif " + genocl::shown(longest.id));
}

SequenceSet controls_of_file(const SequenceSet& sequences, const EnrichSettings& settings,
                             std::span<const pwm::Motif> motifs) {
  SequenceSet controls = read_sequences(settings.background, settings);
  check_lengths(settings.background, controls, "controls", motifs);
  const double of_sequences = mean_length(sequences), of_controls = mean_length(controls);
  const std::string means = "controls of " + formatted("%.0f", of_controls) + " letters on average";
  if (of_controls > of_sequences && !settings.keep_lengths) {
    controls = trimmed(controls, of_sequences);
    if (of_controls > 1.01 * of_sequences)
      note(settings, settings.background + ": " + means + " are trimmed to " + formatted("%.0f", of_sequences) +
                         ", as the sequences");
  } else if (std::abs(of_controls - of_sequences) > 0.01 * of_sequences) {
    note(settings, settings.background + ": " + means + ", sequences of " + formatted("%.0f", of_sequences) +
                       ": longer ones have more hits by chance");
  }
  return controls;
}

/// The places of sequences with names like chr1:101-200.
pwm::MatchedControls::Places places_of(const SequenceSet& sequences, const EnrichSettings& settings) {
  pwm::MatchedControls::Places places;
  std::size_t without = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    std::optional<GenomicName> place;
    try {
      place = genomic_name(sequences.name(i), sequences.length(i));
    } catch (const genocl::InputError&) {  // the numbers in the name are not a position of the record
    }
    if (place)
      places[place->sequence].push_back({place->offset, place->offset + sequences.length(i)});
    else
      ++without;
  }
  if (without > 0)
    note(settings,
         settings.sequences + ": " + std::to_string(without) + (without == 1 ? " sequence has" : " sequences have") +
             " no place in the name (chr1:100-200), and controls may overlap " + (without == 1 ? "it" : "them"));
  return places;
}

SequenceSet matched_controls(const SequenceSet& sequences, const EnrichSettings& settings) {
  pwm::MatchedControls::Places places = places_of(sequences, settings);
  std::set<std::string, std::less<>> missing;
  for (const auto& [name, unused] : places) missing.insert(name);
  pwm::MatchedOptions options;
  options.copies = settings.controls.value_or(1);
  options.seed = settings.seed.value_or(1);
  options.max_unknown = settings.max_n.value_or(0.1);
  pwm::MatchedControls controls(sequences, std::move(places), options);
  const auto read = [&](auto&& use) {
    genocl::io::SequenceReader reader = reader_of(settings.genome, settings);
    SequenceSet batch;
    while (reader.read(batch, {.residues = std::uint64_t{64} << 20})) use(batch);
  };
  try {
    read([&](const SequenceSet& batch) {
      controls.survey(batch);
      for (std::size_t i = 0; i < batch.size(); ++i)
        if (const auto found = missing.find(batch.name(i)); found != missing.end()) missing.erase(found);
    });
    read([&](const SequenceSet& batch) { controls.draw(batch); });
  } catch (const genocl::InputError& error) {
    if (!error.file().empty()) throw;  // of the reader
    throw genocl::InputError(settings.genome, {}, error.wrong(), error.expected());
  }
  if (!missing.empty())
    note(settings,
         settings.genome + ": no sequence " + genocl::shown(*missing.begin()) +
             (missing.size() == 1 ? "" : ", nor " + std::to_string(missing.size() - 1) + " others of the names") +
             ": controls may overlap sequences");
  return controls.take();
}

SequenceSet controls_for(const SequenceSet& sequences, const EnrichSettings& settings,
                         std::span<const pwm::Motif> motifs) {
  if (settings.has_file_of_controls()) return controls_of_file(sequences, settings, motifs);
  if (settings.background == "matched") return matched_controls(sequences, settings);
  return pwm::shuffled(
      sequences,
      {.kmer = settings.kmer.value_or(2), .copies = settings.controls.value_or(1), .seed = settings.seed.value_or(1)});
}

pwm::Background background_for(const EnrichSettings& settings, const MotifCollection& collection,
                               const SequenceSet& sequences) {
  if (settings.matrix.background != "input") return read_background(settings.matrix, collection);
  try {
    return pwm::Background::of(sequences, settings.matrix.background_order);
  } catch (const genocl::InputError& error) {
    throw genocl::InputError("--bfile", {}, "input, " + error.wrong(), error.expected());
  }
}

/// The table of SEA.
std::string enrichment_table(const EnrichSettings& settings, const EnrichmentReport& report) {
  std::string text =
      "RANK\tDB\tID\tALT_ID\tCONSENSUS\tTP\tTP%\tFP\tFP%\tENR_RATIO\tSCORE_THR\tPVALUE\tLOG_PVALUE\tEVALUE\tLOG_"
      "EVALUE\t"
      "QVALUE\tLOG_QVALUE\n";
  const auto percent = [](std::uint64_t some, std::uint64_t all) {
    return formatted("%.2f", 100 * static_cast<double>(some) / static_cast<double>(all));
  };
  const auto both = [](double logarithm) {
    return exponent_text(logarithm) + '\t' + formatted("%.2f", logarithm > -0.005 && logarithm <= 0 ? 0 : logarithm);
  };
  std::size_t rank = 0;
  for (const pwm::MotifEnrichment& row : report.rows) {
    const pwm::Motif& motif = report.motifs[row.motif];
    text += std::to_string(++rank) + '\t' + settings.motifs + '\t' + motif.id + '\t' + motif.alt_id + '\t' +
            pwm::consensus(motif) + '\t' + std::to_string(row.true_positives) + '\t' +
            percent(row.true_positives, report.sequences) + '\t' + std::to_string(row.false_positives) + '\t' +
            percent(row.false_positives, report.controls) + '\t' + formatted("%.3g", row.ratio) + '\t' +
            formatted("%.3g", row.threshold) + '\t' + both(row.log_p) + '\t' + both(row.log_e) + '\t' +
            both(row.log_q) + '\n';
  }
  return text;
}

void write_summary(const EnrichSettings& settings, const EnrichmentReport& report,
                   std::span<const pwm::MotifEnrichment> all) {
  if (settings.common.quiet) return;
  if (const auto words = std::ranges::count_if(all, &pwm::MotifEnrichment::best_word); words > 0)
    note(settings, std::to_string(words) +
                       (words == 1 ? " motif is too short to reach P <= " : " motifs are too short to reach P <= ") +
                       p_text(settings.hit_p()) + ": only the best word is a hit");
  std::cerr << report.motifs.size() << (report.motifs.size() == 1 ? " motif" : " motifs") << " in " << report.sequences
            << (report.sequences == 1 ? " sequence" : " sequences") << " against " << report.controls
            << (report.controls == 1 ? " control" : " controls") << "; " << report.rows.size()
            << " with E <= " << formatted("%g", settings.evalue);
  if (settings.q_threshold) std::cerr << " and q <= " << formatted("%g", *settings.q_threshold);
  std::cerr << '\n';
}

}  // namespace

void test_enrichment(const EnrichSettings& settings) {
  settings.check();
  check_files({settings.motifs, settings.sequences, settings.genome, settings.matrix.background_file(),
               settings.has_file_of_controls() ? settings.background : ""},
              {settings.output, settings.html});
  MotifCollection collection = read_collection(settings.motifs, settings.reading, settings.common.quiet);
  choose(collection.motifs, settings.only, settings.motifs);
  const SequenceSet sequences = read_sequences(settings.sequences, settings);
  check_lengths(settings.sequences, sequences, "sequences", collection.motifs);
  const SequenceSet controls = controls_for(sequences, settings, collection.motifs);
  ProgressBar bar("enrich", settings.common.quiet, "M letters", 1e6);
  pwm::EnrichmentOptions options;
  options.test = settings.test == "rank-sum" ? pwm::EnrichmentTest::rank_sum : pwm::EnrichmentTest::fisher;
  options.p_value = settings.hit_p();
  options.scores = {.pseudocount = settings.matrix.pseudocount,
                    .base = settings.matrix.base(),
                    .background = background_for(settings, collection, sequences)};
  options.strands = settings.strands;
  options.progress = bar.progress();
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  const std::vector<pwm::MotifEnrichment> all =
      pwm::enrichment(devices, collection.motifs, sequences, controls, options);
  std::vector<pwm::MotifEnrichment> rows;
  for (const pwm::MotifEnrichment& row : all)
    if (row.log_e <= std::log(settings.evalue) &&
        (!settings.q_threshold || row.log_q <= std::log(*settings.q_threshold)))
      rows.push_back(row);
  const EnrichmentReport report{.motifs = collection.motifs,
                                .rows = rows,
                                .sequences = sequences.size(),
                                .controls = controls.size(),
                                .sequence_length = mean_length(sequences),
                                .control_length = mean_length(controls)};
  genocl::io::OutputFile table(settings.output);
  table.write(enrichment_table(settings, report));
  if (!settings.html.empty()) {
    genocl::io::OutputFile page(settings.html);
    page.write(enrichment_page(settings, report));
    page.commit();
  }
  table.commit();
  bar.clear();
  write_summary(settings, report, all);
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program
