// What is told of a run.
#pragma once

#include <string>

#include "jacobi/settings.hpp"

namespace program {

/// A line of results and a table of devices, tab-separated with a header each and an empty line between, or one JSON
/// object.
std::string text_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision);
std::string json_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision);

}  // namespace program
