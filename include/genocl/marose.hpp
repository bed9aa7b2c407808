// MAROSE: maps reads to a reference by seeds and neighbourhoods, exactly: every position within the error bound.
#pragma once

#include "genocl/marose/alignment.hpp"
#include "genocl/marose/clip.hpp"
#include "genocl/marose/index.hpp"
#include "genocl/marose/mapper.hpp"
#include "genocl/marose/pair_mapper.hpp"
#include "genocl/marose/pairs.hpp"
#include "genocl/marose/plan.hpp"
#include "genocl/marose/read_alignment.hpp"
#include "genocl/marose/sam.hpp"
