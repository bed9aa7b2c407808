// Reads and writes database files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "align/database/database_state.hpp"
#include "files/section_file.hpp"

namespace genocl::align {

constexpr runtime::FileKind database_kind = {
    .letters = {'G', 'D', 'B'}, .version = 2, .name = "a database", .program = "genocl-align"};

/// The residues, by rank.
constexpr std::string_view codes_section = "codes";

/// `content` without its codes, which are a section of their own.
void write_database(const std::string& path, const DatabaseContent& content, runtime::Section codes);

/// Throws InputError for a sequence that is too long.
void check_length(std::size_t number, std::string_view name, std::uint64_t length);

}  // namespace genocl::align
