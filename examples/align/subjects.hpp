// What is searched: a database file, or FASTA.
#pragma once

#include <string>
#include <vector>

#include "align/options.hpp"

namespace program {

/// Whether a file is to be opened as a database: FASTA begins otherwise, however it is compressed.
bool is_database_file(const std::string& path);

/// Reads FASTA into a builder, batch by batch. Throws InputError as SequenceReader and DatabaseBuilder, with the file.
void append_files(align::DatabaseBuilder& builder, const std::vector<std::string>& files, const MakingSettings& making,
                  bool quiet);

align::DatabaseBuilderOptions builder_options(const MakingSettings& making);

/// One database, or all the FASTA files as one. Throws InputError for what contradicts that.
align::Database open_subjects(const SearchSettings& settings);

/// Names the files in a message, like "x.gdb" or "a.fa and 2 more files".
std::string name_of(const std::vector<std::string>& files);

}  // namespace program
