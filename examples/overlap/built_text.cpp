#include "overlap/built_text.hpp"

#include <cstdio>
#include <iostream>

#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/json.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

std::string number(double value, const char* format = "%.6g") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string json(std::string_view command, const BuiltText& built,
                 const std::vector<std::pair<std::string, std::string>>& more) {
  const overlap::BuildReport& report = built.suffixes->report();
  const std::uint64_t symbols = built.suffixes->size();
  std::string text = "{\"program\": \"genocl-overlap\", \"version\": " + genocl::json_string(GENOCL_VERSION) +
                     ", \"command\": " + genocl::json_string(command) +
                     ", \"device\": " + genocl::json_string(built.device.info().name) +
                     ", \"symbols\": " + std::to_string(symbols) +
                     ", \"bits\": " + std::to_string(built.suffixes->text().bits()) +
                     ", \"algorithm\": " + genocl::json_string(to_string(report.algorithm)) +
                     ", \"finished_by\": " + genocl::json_string(report.finished_by) +
                     ", \"levels\": " + std::to_string(report.levels) + ", \"rounds\": [";
  for (std::size_t i = 0; i < report.rounds.size(); ++i)
    text += std::string(i == 0 ? "" : ", ") + "{\"depth\": " + std::to_string(report.rounds[i].depth) +
            ", \"unresolved\": " + std::to_string(report.rounds[i].unresolved) +
            ", \"share\": " + number(share(report.rounds[i].unresolved, symbols)) + "}";
  text += "], \"peak_bytes\": " + std::to_string(report.peak_bytes) +
          ", \"bytes_per_symbol\": " + number(share(report.peak_bytes, symbols));
  for (const auto& [name, value] : more) text += ", " + genocl::json_string(name) + ": " + value;
  return text + ", " + json_steps(built.steps) + "}\n";
}

BuiltText read_and_build(const BuildSettings& settings) {
  const genocl::Device device = settings.common.open_devices(settings.common.profile).front();
  Steps steps;
  steps.begin("read");
  const TextInput input(settings);
  return BuiltText(settings, device, input, std::move(steps));
}

}  // namespace

std::string json_steps(const Steps& all) {
  std::string text = "\"steps\": [";
  const std::vector<Steps::Step>& steps = all.all();
  for (std::size_t i = 0; i < steps.size(); ++i)
    text += std::string(i == 0 ? "" : ", ") + "{\"name\": " + genocl::json_string(steps[i].name) +
            ", \"seconds\": " + number(steps[i].seconds) + "}";
  return text + "], \"seconds\": " + number(all.seconds());
}

void Steps::end() {
  const Clock::time_point now = Clock::now();
  if (running_) steps_.back().seconds = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  running_ = false;
}

BuiltText::BuiltText(const BuildSettings& settings) : BuiltText(read_and_build(settings)) {}

BuiltText::BuiltText(const BuildSettings& settings, const genocl::Device& on, const TextInput& input, Steps begun)
    : device(on), steps(std::move(begun)) {
  steps.begin("text to device");
  const overlap::Text text = input.text(device);
  ProgressBar bar("suffixes", settings.common.quiet, "M", 1e6);
  overlap::SuffixArrayOptions options;
  options.algorithm = overlap::algorithm_named(settings.algorithm);
  options.progress = bar.progress();
  options.time_steps = !settings.report.empty();
  begin("suffix array");
  suffixes = std::make_unique<overlap::SuffixArray>(text, options);
  device.finish();
  steps.end();
  std::vector<Steps::Step> parts = suffixes->report().steps;
  for (Steps::Step& part : parts) part.name = "suffix array: " + part.name;
  steps.add(parts);
}

void tell(const BuildSettings& settings, std::string_view command, BuiltText& built,
          const std::vector<std::pair<std::string, std::string>>& more) {
  built.steps.end();
  if (settings.common.profile) write_profile(std::cerr, built.device);
  if (!settings.report.empty()) std::cerr << json(command, built, more);
  if (settings.common.quiet) return;
  const overlap::BuildReport& report = built.suffixes->report();
  std::cerr << built.suffixes->size() << " symbols of " << built.suffixes->text().bits() << " bits, "
            << to_string(report.algorithm);
  if (!report.finished_by.empty()) std::cerr << " (" << report.finished_by << ")";
  for (const auto& [name, value] : more) std::cerr << ", " << name << " " << value;
  std::cerr << ", " << number(built.steps.seconds(), "%.2f") << " s\n";
}

}  // namespace program
