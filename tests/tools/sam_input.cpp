#include "sam_input.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace check_sam {

namespace {

// `read/1` and `read/2` are `read` in SAM.
std::string without_mate_number(std::string name) {
  if (name.size() > 2 && name[name.size() - 2] == '/' && std::isdigit(static_cast<unsigned char>(name.back())) != 0)
    name.resize(name.size() - 2);
  return name;
}

std::string first_word(std::string_view text) { return std::string(text.substr(0, text.find_first_of(" \t"))); }

long parse_number(const std::string& text, std::size_t line_number) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error("line " + std::to_string(line_number) + ": \"" + text + "\" is not a number");
  return value;
}

bool consumes_reference(char letter) { return letter == 'M' || letter == '=' || letter == 'X' || letter == 'D'; }

}  // namespace

TextFile::TextFile(const std::string& path)
    : file_(path == "-" ? gzdopen(0, "rb") : gzopen(path.c_str(), "rb")), path_(path) {
  if (!file_) throw Error(path + ": cannot be opened");
  gzbuffer(file_.get(), 1 << 18);
}

bool TextFile::next(std::string& line) {
  line.clear();
  std::array<char, 1 << 14> part{};
  while (gzgets(file_.get(), part.data(), static_cast<int>(part.size())) != nullptr) {
    line += part.data();
    if (!line.empty() && line.back() == '\n') {
      line.pop_back();
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return true;
    }
  }
  int error = Z_OK;
  gzerror(file_.get(), &error);
  if (error != Z_OK) throw Error(path_ + ": cannot be read");
  return !line.empty();
}

const Contig* Reference::find(const std::string& name) const {
  const auto found = index_of.find(name);
  return found == index_of.end() ? nullptr : &contigs[found->second];
}

Reference read_reference(const std::string& path) {
  Reference reference;
  TextFile file(path);
  std::string line;
  while (file.next(line)) {
    if (!line.empty() && line[0] == '>') {
      reference.contigs.push_back({first_word(std::string_view(line).substr(1)), ""});
      reference.index_of.emplace(reference.contigs.back().name, reference.contigs.size() - 1);
    } else if (!reference.contigs.empty()) {
      reference.contigs.back().sequence += upper_case(line);
    } else if (!line.empty()) {
      throw Error(path + ": is not FASTA");
    }
  }
  return reference;
}

bool ReadFile::next(std::string& name, Read& read) {
  while (pending_ && line_.empty()) pending_ = lines_.next(line_);
  if (!pending_) return false;
  const bool fastq = line_[0] == '@';
  if (!fastq && line_[0] != '>') throw Error(path_ + ": \"" + line_ + "\" is no header of a read");
  name = first_word(std::string_view(line_).substr(1));
  read = {};
  while ((pending_ = lines_.next(line_)) && (line_.empty() || line_[0] != (fastq ? '+' : '>'))) read.sequence += line_;
  if (!fastq) return true;
  // A line of qualities may begin with '@': their number tells where they end.
  do {
    if (!(pending_ = lines_.next(line_))) break;
    read.qualities += line_;
  } while (read.qualities.size() < read.sequence.size());
  if (read.qualities.size() != read.sequence.size()) throw Error(path_ + ": " + name + ": length of the qualities");
  pending_ = lines_.next(line_);
  return true;
}

bool TemplateSource::next(Template& read_template) {
  for (;;) {
    if (first_ && next_of_current(read_template)) return true;
    if (next_file_ == files_.size()) return false;
    const ReadFiles& files = files_[next_file_++];
    first_ = std::make_unique<ReadFile>(files.first);
    second_ = files.second.empty() ? nullptr : std::make_unique<ReadFile>(files.second);
  }
}

bool TemplateSource::next_of_current(Template& read_template) {
  read_template.reads.assign(1, {});
  std::string name;
  if (!first_->next(name, read_template.reads[0])) return false;
  read_template.name = without_mate_number(name);
  read_template.full_name = name;
  const bool is_interleaved = files_[next_file_ - 1].interleaved;
  if (!second_ && !is_interleaved) return true;
  ReadFile& mates = second_ ? *second_ : *first_;
  read_template.reads.emplace_back();
  if (!mates.next(name, read_template.reads[1])) throw Error(mates.path() + ": no mate of " + read_template.name);
  if (without_mate_number(name) != read_template.name)
    throw Error(mates.path() + ": " + name + " is not the mate of " + read_template.name);
  return true;
}

std::optional<Cigar> parse_cigar(std::string_view text) {
  Cigar cigar;
  while (!text.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc() || end == text.data() + text.size()) return std::nullopt;
    if (length == 0 || std::string_view("MIDSH=X").find(*end) == std::string_view::npos) return std::nullopt;
    cigar.push_back({length, *end});
    text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  }
  if (cigar.empty()) return std::nullopt;
  return cigar;
}

std::size_t reference_length(const Cigar& cigar) {
  std::size_t length = 0;
  for (const CigarOperation& operation : cigar)
    if (consumes_reference(operation.letter)) length += operation.length;
  return length;
}

std::size_t read_length(const Cigar& cigar) {
  std::size_t length = 0;
  for (const CigarOperation& operation : cigar)
    if (operation.letter != 'D') length += operation.length;
  return length;
}

const std::string* Record::tag(std::string_view wanted) const {
  for (const auto& [key, value] : tags)
    if (key == wanted) return &value;
  return nullptr;
}

Record parse_record(const std::string& line, std::size_t line_number) {
  const std::vector<std::string> fields = split(line, '\t');
  if (fields.size() < 11) throw Error("line " + std::to_string(line_number) + ": fewer than 11 fields");
  Record record;
  record.line = line_number;
  record.name = fields[0];
  record.flag = static_cast<unsigned>(parse_number(fields[1], line_number));
  record.contig = fields[2];
  record.position = parse_number(fields[3], line_number);
  record.mapq = parse_number(fields[4], line_number);
  record.cigar_text = fields[5];
  record.cigar = parse_cigar(fields[5]).value_or(Cigar{});
  record.mate_contig = fields[6] == "=" ? fields[2] : fields[6];
  record.mate_position = parse_number(fields[7], line_number);
  record.template_length = parse_number(fields[8], line_number);
  record.sequence = fields[9];
  record.qualities = fields[10];
  for (std::size_t field = 11; field < fields.size(); ++field) {
    const std::string& text = fields[field];
    if (text.size() < 5 || text[2] != ':' || text[4] != ':')
      throw Error("line " + std::to_string(line_number) + ": \"" + text + "\" is not a tag");
    record.tags.emplace_back(text.substr(0, 4), text.substr(5));
  }
  return record;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string reverse_complement(std::string_view sequence) {
  static constexpr std::string_view letters = "ACGTUMRWSYKVHDBNacgtumrwsykvhdbn";
  static constexpr std::string_view complements = "TGCAAKYWSRMBDHVNtgcaakywsrmbdhvn";
  std::string result(sequence.rbegin(), sequence.rend());
  for (char& letter : result)
    if (const std::size_t at = letters.find(letter); at != std::string_view::npos) letter = complements[at];
  return result;
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); });
  return text;
}

}  // namespace check_sam
