#include "jacobi/report.hpp"

#include <cmath>
#include <cstdio>

#include "genocl/json.hpp"

namespace program {
namespace {

std::string number(double value, const char* format = "%.9g") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// JSON has neither infinity nor NaN.
std::string json_number(double value, const char* format = "%.9g") {
  return std::isfinite(value) ? number(value, format) : "null";
}

}  // namespace

std::string text_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision,
                        bool has_tolerance) {
  const std::string converged = report.diverged ? "diverged" : report.converged ? "yes" : "no";
  const bool shown = has_tolerance || report.diverged;
  return std::string("size\tprecision\titerations") + (shown ? "\tconverged" : "") +
         "\tmax_change\tl2_change\tseconds\tupdates_per_second\n" + shape.text() + '\t' + precision + '\t' +
         std::to_string(report.iterations) + (shown ? '\t' + converged : "") + '\t' +
         (report.change ? number(report.change->max) + '\t' + number(report.change->l2) : "*\t*") + '\t' +
         number(report.seconds, "%.6f") + '\t' + number(report.updates_per_second, "%.4g") + '\n';
}

std::string device_table(const jacobi::Report& report, const jacobi::Shape& shape) {
  std::string text = "device\tused\tfirst_row\trows\tkernel\tfused_steps\tbusy\texchange_seconds\tupdates_per_second\n";
  if (shape.three_dimensional()) text.replace(text.find("first_row"), 14, "first_plane\tplanes");
  for (const jacobi::DeviceReport& device : report.devices)
    text += device.device + '\t' +
            (device.failed ? "failed"
             : device.used ? "yes"
                           : "no") +
            '\t' + std::to_string(device.first_row) + '\t' + std::to_string(device.rows) + '\t' +
            std::string(to_string(device.kernel)) + '\t' + std::to_string(device.fused_steps) + '\t' +
            number(device.busy, "%.3f") + '\t' + number(device.exchange_seconds, "%.6f") + '\t' +
            number(device.updates_per_second, "%.4g") + '\n';
  return text;
}

std::string json_report(const jacobi::Report& report, const jacobi::Shape& shape, const std::string& precision) {
  std::string text = "{\"size\": [" + std::to_string(shape.width) + ", " + std::to_string(shape.height);
  if (shape.three_dimensional()) text += ", " + std::to_string(shape.depth);
  text += "],\n \"precision\": " + genocl::json_string(precision) +
          ",\n \"iterations\": " + std::to_string(report.iterations) +
          ",\n \"converged\": " + (report.converged ? "true" : "false") +
          ",\n \"diverged\": " + (report.diverged ? "true" : "false") +
          ",\n \"max_change\": " + (report.change ? json_number(report.change->max, "%.17g") : "null") +
          ",\n \"l2_change\": " + (report.change ? json_number(report.change->l2, "%.17g") : "null") +
          ",\n \"seconds\": " + json_number(report.seconds) +
          ",\n \"transfer_seconds\": " + json_number(report.transfer_seconds) +
          ",\n \"updates_per_second\": " + json_number(report.updates_per_second) + ",\n \"devices\": [";
  bool first = true;
  for (const jacobi::DeviceReport& device : report.devices) {
    text += std::string(first ? "" : ",") + "\n  {\"device\": " + genocl::json_string(device.device) +
            ", \"used\": " + (device.used ? "true" : "false") + ", \"failed\": " + (device.failed ? "true" : "false") +
            (shape.three_dimensional() ? ", \"first_plane\": " : ", \"first_row\": ") +
            std::to_string(device.first_row) + (shape.three_dimensional() ? ", \"planes\": " : ", \"rows\": ") +
            std::to_string(device.rows) +
            ", \"kernel\": " + genocl::json_string(std::string(to_string(device.kernel))) +
            ", \"fused_steps\": " + std::to_string(device.fused_steps) + ", \"busy\": " + json_number(device.busy) +
            ", \"exchange_seconds\": " + json_number(device.exchange_seconds) +
            ", \"updates_per_second\": " + json_number(device.updates_per_second) + "}";
    first = false;
  }
  text += "],\n \"decisions\": [";
  first = true;
  for (const std::string& decision : report.decisions) {
    text += std::string(first ? "" : ",") + "\n  " + genocl::json_string(decision);
    first = false;
  }
  return text + "]}\n";
}

}  // namespace program
