// genocl-pwm scan: all positions at which a motif scores at least its threshold.
#include <algorithm>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "common/check_files.hpp"
#include "common/format_name.hpp"
#include "common/program.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/hits.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/search.hpp"
#include "pwm/significance.hpp"
#include "pwm/texts.hpp"

namespace program {
namespace {

void write_counts(const ScanSettings& settings, std::span<const pwm::ScoreMatrix> matrices,
                  const std::vector<std::uint64_t>& counts, genocl::io::OutputFile& out) {
  std::string text = "motif_id\tstrand\thits\n";
  for (std::size_t i = 0; i < matrices.size(); ++i)
    for (const bool reverse : {false, true})
      if (settings.strands != (reverse ? pwm::Strands::forward : pwm::Strands::reverse))
        text +=
            matrices[i].id() + (reverse ? "\t-\t" : "\t+\t") + std::to_string(counts[2 * i + (reverse ? 1 : 0)]) + "\n";
  out.write(text);
}

Making making_of(const ScanSettings& settings) {
  if (settings.format == "counts") return Making::counts;
  if (settings.best) return Making::best;
  return settings.exact || settings.with_q_values() ? Making::packed : Making::text;
}

/// Writes the results of all members in the order of the text. Only the root writes.
class Results {
 public:
  Results(const ScanSettings& settings, const Search& search, const pwm::HitFormatter& format,
          genocl::io::OutputFile* out)
      : settings_(settings),
        search_(search),
        format_(format),
        out_(out),
        collected_(search.matrices.size(), search.model.apart),
        best_([this](const PackedHit& hit) { write(hit, hit.p, -1); }) {
    if (out_ != nullptr && settings.format != "counts") out_->write(format_.header());
  }

  void add(std::uint64_t count, std::string_view bytes) {
    switch (making_of(settings_)) {
      case Making::text:
        write_lines(bytes, count);
        break;
      case Making::packed:
        collected_.add(std::string(bytes));
        break;
      case Making::best:
        best_.add(bytes);
        break;
      case Making::counts:
        break;
    }
  }
  /// Ends the output. All members of the team call it. tests[motif]: number of words that were scored.
  void finish(const std::vector<double>& tests) {
    if (making_of(settings_) == Making::best) best_.finish();
    if (making_of(settings_) == Making::packed) {
      if (settings_.exact) collected_.compute_p(search_.devices, search_.matrices, search_.model);
      if (settings_.with_q_values()) collected_.compute_q(tests);
      if (out_ != nullptr)
        collected_.read([this](const PackedHit& hit, const Significance& one) {
          if (!settings_.q_threshold || one.q <= *settings_.q_threshold)
            write(hit, one.p, settings_.with_q_values() ? one.q : -1);
        });
    }
    if (out_ != nullptr) out_->write(text_);
  }
  std::uint64_t written() const { return written_; }
  /// Number of hits omitted by --max-hits.
  std::uint64_t left_out() const { return left_out_; }

 private:
  std::uint64_t remaining() const {
    return settings_.max_hits.value_or(std::numeric_limits<std::uint64_t>::max()) - written_;
  }
  /// Writes the lines of `hits` hits, up to --max-hits.
  void write_lines(std::string_view lines, std::uint64_t hits) {
    const std::uint64_t some = std::min(hits, remaining());
    if (some < hits) {
      std::size_t end = 0;
      for (std::uint64_t i = 0; i < some; ++i) end = lines.find('\n', end) + 1;
      lines = lines.substr(0, end);
    }
    out_->write(lines);
    written_ += some;
    left_out_ += hits - some;
  }
  void write(const PackedHit& hit, double p, double q) {
    if (remaining() == 0) {
      ++left_out_;
      return;
    }
    ++written_;
    const pwm::ScoreMatrix& matrix = search_.matrices[hit.motif];
    format_.append({.motif_id = matrix.id(),
                    .motif_alt_id = matrix.alt_id(),
                    .sequence = hit.name,
                    .begin = hit.begin,
                    .reverse = hit.reverse,
                    .score = hit.score,
                    .word = hit.letters,
                    .p = p,
                    .q = q},
                   text_);
    if (text_.size() < (std::size_t{1} << 20)) return;
    out_->write(text_);
    text_.clear();
  }

  const ScanSettings& settings_;
  const Search& search_;
  const pwm::HitFormatter& format_;
  genocl::io::OutputFile* out_;
  CollectedHits collected_;
  BestHits best_;
  std::string text_;
  std::uint64_t written_ = 0, left_out_ = 0;
};

pwm::Format format_of(const ScanSettings& settings) {
  return settings.format == "bed" ? pwm::Format::bed : settings.format == "gff3" ? pwm::Format::gff3 : pwm::Format::tsv;
}

/// One run of the command.
class ScanJob {
 public:
  /// Opens the output before the scan.
  explicit ScanJob(const ScanSettings& settings);
  void run();

 private:
  pwm::ScanOptions scan_options();
  TextPieces open_text(Blocks& blocks);
  void scan_pieces(const pwm::Scanner& scanner, const HitMaker& maker, TextPieces& text, Blocks& blocks);
  void count_hits(const pwm::Scanner& scanner, const HitMaker& maker, const TextPieces& text);
  void finish();

  const ScanSettings& settings_;
  const Making making_;
  const Search search_;
  std::optional<Regions> regions_;
  std::optional<genocl::io::OutputFile> out_;  ///< the root's
  ProgressBar bar_;
  TextSource source_;
  const bool device_counts_;  ///< devices count hits, unless a hit's position decides whether it counts
  const pwm::HitFormatter format_;
  Results results_;
  std::uint64_t residues_ = 0, hits_ = 0;
  PlaceCount places_;
};

/// Throws InputError for options and files that contradict each other.
void check(const ScanSettings& settings) {
  settings.check();
  std::vector<std::string> inputs = settings.texts;
  inputs.insert(inputs.end(), {settings.motifs, settings.thresholds, settings.matrix.background_file(),
                               settings.regions, settings.vcf});
  check_files(inputs, {settings.output});
  static constexpr std::string_view formats[] = {"tsv", "bed", "gff3", "counts"};
  check_format_name(settings.output, settings.format, formats);
  if (std::ranges::find(inputs, "-") != inputs.end()) team().share_standard_input();
}

std::optional<Regions> regions_of(const ScanSettings& settings) {
  if (settings.regions.empty()) return std::nullopt;
  return std::optional<Regions>(std::in_place, settings.regions, settings.reading.strict);
}

std::optional<genocl::io::OutputFile> output_of(const ScanSettings& settings) {
  if (!team().is_root()) return std::nullopt;
  return std::optional<genocl::io::OutputFile>(std::in_place, settings.output);
}

ScanJob::ScanJob(const ScanSettings& settings)
    : settings_(settings),
      making_(making_of(settings)),
      search_(settings),
      regions_(regions_of(settings)),
      out_(output_of(settings)),
      bar_("scan", settings.common.quiet, "M places", 1e6),
      source_(settings.texts, settings.replace_letters),
      device_counts_(making_ == Making::counts && !regions_ && !settings.genomic_coordinates),
      format_(format_of(settings)),
      results_(settings, search_, format_, out_ ? &*out_ : nullptr) {}

pwm::ScanOptions ScanJob::scan_options() {
  pwm::ScanOptions options;
  options.strands = settings_.strands;
  options.order = pwm::HitOrder::by_position;
  options.method = pwm::method_named(settings_.method);
  options.slice_columns = settings_.slice_columns.value_or(0);
  options.counts_only = device_counts_;
  if (!device_counts_) options.chunk_residues = search_.piece_residues();
  options.progress = [this](const genocl::ProgressState& state) {
    bar_.show(source_.fraction(), state.items_done);
    return true;
  };
  return options;
}

TextPieces ScanJob::open_text(Blocks& blocks) {
  PieceOptions pieces{.overlap = search_.overlap(),
                      .count_overlaps = device_counts_,
                      .genomic_coordinates = settings_.genomic_coordinates,
                      .once = !settings_.best,
                      .regions = regions_ ? &*regions_ : nullptr};
  if (!device_counts_) pieces.residues = search_.piece_residues();
  const bool counts_places = settings_.with_q_values() && team().is_root();
  return {source_, blocks, pieces,
          [this, counts_places](std::span<const genocl::Code> letters) {
            if (counts_places) places_.add(letters);
            residues_ += letters.size();
          },
          [this, counts_places](std::span<const genocl::Code> letters) {
            if (counts_places) places_.remove(letters);
            residues_ -= letters.size();
          }};
}

void ScanJob::run() {
  const pwm::Scanner scanner =
      pwm::Scanner::by_strand(search_.devices, search_.matrices, search_.thresholds, scan_options());
  const HitMaker maker(making_, format_, search_.matrices, search_.p_values ? &*search_.p_values : nullptr);
  const std::unique_ptr<Blocks> blocks = team().blocks([this](std::string_view count, std::string_view bytes) {
    results_.add(genocl::Unpacker(count).next<std::uint64_t>(), bytes);
  });
  TextPieces text = open_text(*blocks);
  scan_pieces(scanner, maker, text, *blocks);
  blocks->finish();
  if (regions_) regions_->finish();
  if (making_ == Making::counts) {
    count_hits(scanner, maker, text);
  } else {
    std::vector<double> tests;
    for (const pwm::ScoreMatrix& matrix : search_.matrices)
      tests.push_back((settings_.strands == pwm::Strands::both ? 2 : 1) *
                      static_cast<double>(places_.places(matrix.length())));
    results_.finish(tests);
    hits_ = results_.written();
  }
  if (out_) finish();
}

/// Scans all pieces. A single process passes hits to the results as they come; the members of a team in blocks.
void ScanJob::scan_pieces(const pwm::Scanner& scanner, const HitMaker& maker, TextPieces& text, Blocks& blocks) {
  const bool alone = team().size() == 1;
  std::mutex mutex;
  std::deque<std::uint64_t> begun;  // blocks that are being scanned
  std::uint64_t count = 0;          // of the block
  std::string bytes;
  scanner.scan_parts(
      [&](pwm::TextBatch& piece) {
        const std::optional<std::uint64_t> block = text.next(piece);
        if (!block) return false;
        const std::lock_guard lock(mutex);
        begun.push_back(*block);
        return true;
      },
      [&](const pwm::TextBatch& piece, std::span<const pwm::Hit> hits) {
        return device_counts_ ? genocl::Packer().with(std::uint64_t{0}) : maker(piece, hits);
      },
      [&](std::string&& of_part, bool last) {
        const auto hits = genocl::Unpacker(of_part).next<std::uint64_t>();
        if (alone) return results_.add(hits, std::string_view(of_part).substr(sizeof hits));
        count += hits;
        bytes.append(of_part, sizeof hits);
        if (!last) return;
        std::uint64_t block = 0;
        {
          const std::lock_guard lock(mutex);
          block = begun.front();
          begun.pop_front();
        }
        blocks.put(block, genocl::Packer().with(count), bytes);
        bytes.clear();
        count = 0;
      });
}

void ScanJob::count_hits(const pwm::Scanner& scanner, const HitMaker& maker, const TextPieces& text) {
  std::vector<std::uint64_t> counts = device_counts_ ? scanner.counts() : maker.counts();
  if (device_counts_ && !text.overlaps().empty()) {
    scanner.scan(text.overlaps());
    const std::vector<std::uint64_t> twice = scanner.counts();
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] -= twice[i];
  }
  team().sum(counts);
  for (const std::uint64_t one : counts) hits_ += one;
  if (out_) write_counts(settings_, search_.matrices, counts, *out_);
}

void ScanJob::finish() {
  out_->commit();
  bar_.clear();
  if (!settings_.common.quiet) {
    if (results_.left_out() > 0)
      std::cerr << called_name() << ": note: " << results_.left_out() << " more hits are not written (--max-hits)\n";
    std::cerr << search_.matrices.size() << (search_.matrices.size() == 1 ? " motif" : " motifs")
              << left_out(settings_, search_.collection.motifs, search_.thresholds) << "; " << residues_ << " letters, "
              << hits_ << (hits_ == 1 ? " hit\n" : " hits\n");
  }
  if (settings_.common.profile)
    for (const genocl::Device& device : search_.devices) write_profile(std::cerr, device);
}

}  // namespace

void scan_text(const ScanSettings& settings) {
  check(settings);
  if (settings.vcf.empty())
    ScanJob(settings).run();
  else
    scan_variants(settings);
}

}  // namespace program
