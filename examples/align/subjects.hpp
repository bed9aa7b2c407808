// What is searched: a database file, or FASTA.
#pragma once

#include <string>
#include <vector>

#include "align/options.hpp"
#include "common/repairs.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {

/// Whether a file is to be opened as a database: FASTA begins otherwise, however it is compressed.
bool is_database_file(const std::string& path);

/// Reads FASTA into a builder, batch by batch. Throws InputError as SequenceReader and DatabaseBuilder, with the file.
void append_files(align::DatabaseBuilder& builder, const std::vector<std::string>& files, const MakingSettings& making,
                  bool quiet);

/// How FASTA and FASTQ are read: '-' and '.' are left out of the records of FASTA, which `repairs` counts. `repairs`
/// outlives the reader.
genocl::io::ReadOptions read_options(const MakingSettings& making, genocl::Alphabet alphabet, Repairs& repairs);

/// Adds to what is expected in the place of a letter outside the alphabet that an option replaces it.
genocl::InputError with_advice(const genocl::InputError& error);

align::DatabaseBuilderOptions builder_options(const MakingSettings& making);

/// One database, or all the FASTA files as one. Throws InputError for what contradicts that.
align::Database open_subjects(const SearchSettings& settings);

/// Names the files in a message, like "x.gdb" or "a.fa and 2 more files".
std::string name_of(const std::vector<std::string>& files);

}  // namespace program
