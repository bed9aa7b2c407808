// This declares the subcommands of genocl-align.
#pragma once

#include "align/options.hpp"

namespace program {

void make_database(const MakedbSettings& settings);
void show_database(const InfoSettings& settings);
void compare_pairs(const PairsSettings& settings);
void make_pssm(const PssmSettings& settings);
void search_database(const SearchSettings& settings);

}  // namespace program
