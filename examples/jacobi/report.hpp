// What is told of a run.
#pragma once

#include <string>

#include "jacobi/settings.hpp"

namespace program {

/// A line of results, tab-separated with a header, or all in one JSON object.
std::string text_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision);
std::string json_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision);

/// A line for each device, tab-separated with a header.
std::string device_table(const jacobi::Report& report);

}  // namespace program
