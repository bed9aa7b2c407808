// What most tests include, for GENOCL_PRECOMPILE_HEADERS.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "../cmake/precompiled.hpp"
#include "genocl/genocl.hpp"
