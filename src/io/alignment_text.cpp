#include "io/alignment_text.hpp"

#include <fcntl.h>
#include <htslib/hfile.h>
#include <htslib/kstring.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <string_view>

#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "io/htslib_log.hpp"

namespace genocl::io {
namespace {

/// Tags of an alignment, which a new one does not share.
constexpr std::array<std::string_view, 15> alignment_tags = {"NM", "MD", "AS", "XS", "SA", "MC", "MQ", "ms",
                                                             "NH", "HI", "XA", "X0", "X1", "XT", "YF"};

constexpr std::uint16_t not_first = BAM_FSECONDARY | BAM_FSUPPLEMENTARY;

/// The fields of a line of SAM from the twelfth on.
std::string_view tags_of(std::string_view line) {
  for (int field = 0; field < 11; ++field) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return {};
    line.remove_prefix(tab + 1);
  }
  return line;
}

}  // namespace

AlignmentText::AlignmentText(hFILE* file, std::string name, unsigned threads)
    : name_(std::move(name)), file_(hts_hopen(file, name_.c_str(), "r")), record_(bam_init1()) {
  if (!file_) {
    hclose_abruptly(file);
    throw InputError(name_, {}, "cannot be read as SAM or BAM");
  }
  if (!record_) throw std::bad_alloc();
  if (threads > 0) hts_set_threads(file_.get(), static_cast<int>(std::min(threads, 256u)));
  header_.reset(sam_hdr_read(file_.get()));
  if (!header_) throw InputError(name_, {}, "SAM or BAM whose header cannot be read");
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

/// False behind the last record.
bool AlignmentText::next() {
  do {
    const int got = sam_read1(file_.get(), header_.get(), record_.get());
    if (got < -1)
      throw InputError(name_, "record " + std::to_string(records_ + 1), "SAM or BAM that is cut off or corrupt");
    if (got < 0) {
      if (file_->format.format == bam && hts_check_EOF(file_.get()) == 0)
        throw InputError(name_, {}, "BAM that is cut off: its last block is missing");
      return false;
    }
    ++records_;
  } while ((record_->core.flag & not_first) != 0);
  return true;
}

void AlignmentText::append_record() {
  const bam1_core_t& core = record_->core;
  text_.append(1, '@').append(bam_get_qname(record_.get()));
  if ((core.flag & BAM_FPAIRED) != 0) text_.append((core.flag & BAM_FREAD2) != 0 ? "/2" : "/1");

  kstring_t line = KS_INITIALIZE;
  if (sam_format1(header_.get(), record_.get(), &line) < 0) {
    ks_free(&line);
    throw InputError(name_, "record " + std::to_string(records_), "cannot be read");
  }
  const std::string_view tags = tags_of({line.s, line.l});
  char before = ' ';
  for (std::size_t begin = 0; begin < tags.size();) {
    const std::size_t end = std::min(tags.find('\t', begin), tags.size());
    const std::string_view tag = tags.substr(begin, end - begin);
    if (std::ranges::find(alignment_tags, tag.substr(0, 2)) == alignment_tags.end()) {
      text_.append(1, before).append(tag);
      before = '\t';
    }
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

std::optional<AlignmentInput> alignment_input(const std::string& path) {
  struct stat status {};
  if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const SilentHtslib silent;
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  hFILE* const file = descriptor < 0 ? nullptr : hdopen(descriptor, "r");
  if (file == nullptr) {
    if (descriptor >= 0) close(descriptor);
    return std::nullopt;
  }
  htsFormat format{};
  if (hts_detect_format(file, &format) != 0 || (format.format != sam && format.format != bam)) {
    hclose_abruptly(file);
    return std::nullopt;
  }
  samFile* const open_file = hts_hopen(file, path.c_str(), "r");
  if (open_file == nullptr) {
    hclose_abruptly(file);
    throw InputError(path, {}, "cannot be read as SAM or BAM");
  }
  const std::unique_ptr<samFile, int (*)(samFile*)> owner(open_file, hts_close);
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_read(open_file), sam_hdr_destroy);
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  if (!header) throw InputError(path, {}, "SAM or BAM whose header cannot be read");
  if (!record) throw std::bad_alloc();
  AlignmentInput input;
  input.paired = sam_read1(open_file, header.get(), record.get()) >= 0 && (record->core.flag & BAM_FPAIRED) != 0;
  const std::string_view text(sam_hdr_str(header.get()), sam_hdr_length(header.get()));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with("@HD\t") && line.find("\tSO:coordinate") != std::string_view::npos) input.by_coordinate = true;
    if (line.starts_with("@RG\t")) input.read_groups.emplace_back(line.substr(4));
    begin = end + 1;
  }
  return input;
}

}  // namespace genocl::io
