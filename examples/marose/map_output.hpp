// What map writes: records, or a table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/alignment_writer.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/marose.hpp"
#include "marose/options.hpp"

namespace program {

/// The fields of @RG with tabs between, "ID:x\tSM:y"; empty where there is none. Throws InputError for what SAM does
/// not allow, a second ID among them.
std::string read_group_of(const MapSettings& settings);
/// The ID of what read_group_of() gives.
std::string read_group_id(const std::string& read_group);

/// Throws InputError for options of the output that do not go together.
void check_output_options(const MapSettings& settings);

/// The output, and what may be its index.
std::vector<std::string> outputs_of(const MapSettings& settings);

/// The file that is written: records or a table. The root writes it; who else is in the team needs its formatter.
class MapOutput {
 public:
  /// `fasta_agrees`: a reference of FASTA has the contigs of the index.
  MapOutput(const MapSettings& settings, const marose::Index& index, std::vector<std::string> read_groups,
            bool fasta_agrees);

  bool tsv() const { return tsv_; }
  std::optional<genocl::io::AlignmentFormatter> formatter() const {
    if (!records_) return std::nullopt;
    return records_->formatter();
  }
  void append(std::string_view bytes) { records_ ? records_->append(bytes) : table_->write(bytes); }
  /// As those of genocl::io::OutputFile; the root's.
  std::optional<genocl::io::SharedOutput> share() { return records_ ? records_->share() : table_->share(); }
  void take_back(std::uint64_t end) { records_ ? records_->take_back(end) : table_->take_back(end); }
  void commit() { records_ ? records_->commit() : table_->commit(); }

 private:
  bool tsv_ = false;
  std::optional<genocl::io::AlignmentWriter> records_;
  std::optional<genocl::io::OutputFile> table_;
};

}  // namespace program
