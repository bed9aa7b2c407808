#include "io/alignment_text.hpp"

#include <htslib/cram.h>
#include <htslib/hfile.h>
#include <htslib/kstring.h>
#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "genocl/error.hpp"
#include "io/cram.hpp"

namespace genocl::io {
namespace {

/// Tags of an alignment, which do not apply to a new one.
constexpr std::array<std::string_view, 15> alignment_tags = {"NM", "MD", "AS", "XS", "SA", "MC", "MQ", "ms",
                                                             "NH", "HI", "XA", "X0", "X1", "XT", "YF"};

constexpr std::uint16_t not_first = BAM_FSECONDARY | BAM_FSUPPLEMENTARY;

/// Returns the fields of a SAM line from the twelfth on.
std::string_view tags_of(std::string_view line) {
  for (int field = 0; field < 11; ++field) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return {};
    line.remove_prefix(tab + 1);
  }
  return line;
}

AlignmentInput input_of(sam_hdr_t& header) {
  AlignmentInput input;
  const std::string_view text(sam_hdr_str(&header), sam_hdr_length(&header));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with("@HD\t") && line.find("\tSO:coordinate") != std::string_view::npos) input.by_coordinate = true;
    if (line.starts_with("@RG\t")) input.read_groups.emplace_back(line.substr(4));
    begin = end + 1;
  }
  return input;
}

constexpr std::uint16_t both_mates = BAM_FREAD1 | BAM_FREAD2;

/// Returns whether the record is one of the two reads of a template.
bool is_mate(std::uint16_t flag) {
  return (flag & BAM_FPAIRED) != 0 && ((flag & both_mates) == BAM_FREAD1 || (flag & both_mates) == BAM_FREAD2);
}

}  // namespace

AlignmentText::AlignmentText(hFILE* file, std::string name, unsigned threads, const std::string& cram_reference)
    : name_(std::move(name)), file_(hts_hopen(file, name_.c_str(), "r")), record_(bam_init1()) {
  if (!file_) {
    hclose_abruptly(file);
    throw InputError(name_, {}, "cannot be read as SAM, BAM or CRAM");
  }
  if (!record_) throw std::bad_alloc();
  if (threads > 0) hts_set_threads(file_.get(), static_cast<int>(std::min(threads, 256u)));
  header_.reset(sam_hdr_read(file_.get()));
  if (!header_) throw InputError(name_, {}, "SAM, BAM or CRAM whose header cannot be read");
  input_ = input_of(*header_);
  if (file_->format.format == cram) prepare_cram(cram_reference);
}

/// Limits decoding to the required fields. `reference`: the FASTA of CRAM; empty: htslib's lookup.
void AlignmentText::prepare_cram(const std::string& reference) {
  std::vector<AlignmentHeader::Reference> references;
  for (int i = 0; i < sam_hdr_nref(header_.get()); ++i)
    references.push_back(
        {sam_hdr_tid2name(header_.get(), i), static_cast<std::uint64_t>(sam_hdr_tid2len(header_.get(), i))});
  constexpr int fields = SAM_QNAME | SAM_FLAG | SAM_SEQ | SAM_QUAL | SAM_AUX | SAM_RGAUX;
  bool fine = hts_set_opt(file_.get(), CRAM_OPT_REQUIRED_FIELDS, fields) == 0 &&
              hts_set_opt(file_.get(), CRAM_OPT_DECODE_MD, 0) == 0;
  if (!reference.empty()) {
    prepare_cram_reference(reference, references);
    fine = fine && hts_set_opt(file_.get(), CRAM_OPT_REFERENCE, reference.c_str()) == 0;
  }
  if (!fine) throw InputError(name_, {}, "cannot be read as CRAM");
}

std::size_t AlignmentText::read(char* to, std::size_t size) {
  if (given_ == text_.size()) {
    text_.clear();
    given_ = 0;
    while (text_.size() < size && next()) append_record();
  }
  const std::size_t count = text_.copy(to, size, given_);
  given_ += count;
  return count;
}

/// Returns false after the last record.
bool AlignmentText::next() {
  do {
    const int got = sam_read1(file_.get(), header_.get(), record_.get());
    if (got < -1) {
      const std::string record = "record " + std::to_string(records_ + 1);
      if (file_->format.format == cram)
        throw InputError(name_, record, "CRAM that is cut off or corrupt, or whose reference is not found",
                         "--reference with the FASTA that it was written with");
      throw InputError(name_, record, "SAM or BAM that is cut off or corrupt");
    }
    if (got < 0) {
      if (file_->format.format != ::sam && hts_check_EOF(file_.get()) == 0)
        throw InputError(
            name_, {},
            std::string(file_->format.format == bam ? "BAM" : "CRAM") + " that is cut off: its last block is missing");
      return false;
    }
    ++records_;
  } while ((record_->core.flag & not_first) != 0);
  return true;
}

void AlignmentText::append_record() {
  const bam1_core_t& core = record_->core;
  text_.append(1, '@').append(bam_get_qname(record_.get()));
  if (is_mate(core.flag)) {
    text_.append((core.flag & BAM_FREAD2) != 0 ? "/2" : "/1");
    if (!first_mate_) first_mate_ = reads_;
  }
  ++reads_;
  text_.append(1, ' ').append(std::to_string(core.flag));

  kstring_t line = KS_INITIALIZE;
  if (sam_format1(header_.get(), record_.get(), &line) < 0) {
    ks_free(&line);
    throw InputError(name_, "record " + std::to_string(records_), "cannot be read");
  }
  const std::string_view tags = tags_of({line.s, line.l});
  for (std::size_t begin = 0; begin < tags.size();) {
    const std::size_t end = std::min(tags.find('\t', begin), tags.size());
    const std::string_view tag = tags.substr(begin, end - begin);
    if (std::ranges::find(alignment_tags, tag.substr(0, 2)) == alignment_tags.end()) text_.append(1, '\t').append(tag);
    begin = end + 1;
  }
  ks_free(&line);

  const auto length = static_cast<std::size_t>(core.l_qseq);
  const std::uint8_t* const bases = bam_get_seq(record_.get());
  const std::uint8_t* const quality = bam_get_qual(record_.get());
  const bool reverse = (core.flag & BAM_FREVERSE) != 0;
  constexpr std::string_view forward_letters = "=ACMGRSVTWYHKDBN", complements = "=TGKCYSBAWRDMHVN";
  letters_.resize(length);
  for (std::size_t i = 0; i < length; ++i) {
    const auto base = static_cast<std::size_t>(bam_seqi(bases, reverse ? length - 1 - i : i));
    letters_[i] = reverse ? complements[base] : forward_letters[base];
  }
  text_.append(1, '\n').append(letters_).append("\n+\n");
  constexpr std::uint8_t none = 0xff, without = 1, last = 93;
  const bool given = length > 0 && quality[0] != none;
  for (std::size_t i = 0; i < length; ++i)
    letters_[i] = static_cast<char>('!' + (given ? std::min(quality[reverse ? length - 1 - i : i], last) : without));
  text_.append(letters_).append(1, '\n');
}

}  // namespace genocl::io
