// Input of check_sam: references, reads and SAM records. Shares no code with the library that is checked.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace check_sam {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Lines of a file, plain or compressed with gzip; `-` is standard input.
class TextFile {
 public:
  explicit TextFile(const std::string& path);
  /// Reads the next line without its end. Returns false at the end of the file.
  bool next(std::string& line);

 private:
  struct Closer {
    void operator()(gzFile_s* file) const { gzclose(file); }
  };
  std::unique_ptr<gzFile_s, Closer> file_;
  std::string path_;
};

struct Contig {
  std::string name;
  std::string sequence;  ///< in upper case
};

struct Reference {
  std::vector<Contig> contigs;
  std::unordered_map<std::string, std::size_t> index_of;

  const Contig* find(const std::string& name) const;
};
Reference read_reference(const std::string& path);

struct Read {
  std::string sequence;
  std::string qualities;  ///< empty for FASTA
};

/// One read, or both reads of a pair.
struct Template {
  std::string name;       ///< without /1 and /2
  std::string full_name;  ///< of a single read, with /1 and /2: mappers may keep them
  std::vector<Read> reads;

  bool is_named(const std::string& record_name) const {
    return record_name == name || (reads.size() == 1 && record_name == full_name);
  }
};

/// FASTA or FASTQ. Sequences may span several lines.
class ReadFile {
 public:
  explicit ReadFile(const std::string& path) : lines_(path), path_(path) { pending_ = lines_.next(line_); }
  bool next(std::string& name, Read& read);
  const std::string& path() const { return path_; }

 private:
  TextFile lines_;
  std::string path_;
  std::string line_;
  bool pending_ = false;
};

/// Files of reads that are mapped together: `second` is empty for single and interleaved reads.
struct ReadFiles {
  std::string first;
  std::string second;
  bool interleaved = false;
};

/// The templates of several files, in the order of the input.
class TemplateSource {
 public:
  explicit TemplateSource(std::vector<ReadFiles> files) : files_(std::move(files)) {}
  bool next(Template& read_template);

 private:
  bool next_of_current(Template& read_template);

  std::vector<ReadFiles> files_;
  std::size_t next_file_ = 0;
  std::unique_ptr<ReadFile> first_;
  std::unique_ptr<ReadFile> second_;
};

enum Flag : unsigned {
  paired = 0x1,
  proper = 0x2,
  unmapped = 0x4,
  mate_unmapped = 0x8,
  reverse = 0x10,
  mate_reverse = 0x20,
  first_in_pair = 0x40,
  last_in_pair = 0x80,
  secondary = 0x100,
  supplementary = 0x800
};

struct CigarOperation {
  std::size_t length;
  char letter;
};
using Cigar = std::vector<CigarOperation>;

/// Returns no value for `*` and for text that is not a CIGAR.
std::optional<Cigar> parse_cigar(std::string_view text);
/// Number of reference bases that an alignment spans.
std::size_t reference_length(const Cigar& cigar);
/// Number of read bases, including hard clips.
std::size_t read_length(const Cigar& cigar);

struct Record {
  std::size_t line = 0;
  std::string name;
  unsigned flag = 0;
  std::string contig;
  long position = 0;  ///< from 1; 0 without a position
  long mapq = 0;
  std::string cigar_text;
  Cigar cigar;  ///< empty where the text is no CIGAR
  std::string mate_contig;
  long mate_position = 0;
  long template_length = 0;
  std::string sequence;
  std::string qualities;
  std::vector<std::pair<std::string, std::string>> tags;  ///< `NM:i` and the value

  bool has(Flag bit) const { return (flag & bit) != 0; }
  bool primary() const { return !has(secondary) && !has(supplementary); }
  /// 0 for the first read of a template, 1 for the second.
  std::size_t mate_number() const { return has(last_in_pair) ? 1 : 0; }
  long last_position() const { return position + static_cast<long>(reference_length(cigar)) - 1; }
  /// `name` like `NM:i`. Returns a null pointer without that tag.
  const std::string* tag(std::string_view name) const;
};

/// Parses one line. Throws Error for a line without the eleven fields or with a field that is no number.
Record parse_record(const std::string& line, std::size_t line_number);

std::vector<std::string> split(std::string_view text, char separator);
std::string reverse_complement(std::string_view sequence);
std::string upper_case(std::string text);

}  // namespace check_sam
