// This declares the subcommands of genocl-marose.
#pragma once

#include "marose/options.hpp"

namespace program {

void build_index(const IndexSettings& settings);
void show_plan(const PlanSettings& settings);
void map_reads(const MapSettings& settings);

}  // namespace program
