// genocl-marose plan: prints the seeds of a read, and the proof that they miss no hit.
#include <iomanip>
#include <sstream>

#include "common/check_files.hpp"
#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "marose/options.hpp"

namespace program {
namespace {

std::string number(double value) {
  std::ostringstream text;
  text << std::setprecision(4) << value;
  return text.str();
}

}  // namespace

void show_plan(const PlanSettings& settings) {
  check_files({}, {settings.output});
  const Request& request = settings.request;
  marose::PlanRequest wanted;
  wanted.length = settings.length;
  wanted.errors = request.bound().at(settings.length);
  wanted.model = request.model();
  wanted.reference_bases = amount_of("--reference-size", settings.reference_bases);
  wanted.method = request.index_method();
  // The defaults of an index.
  if (wanted.method == marose::Method::automatic && request.mask.empty() && !request.shift)
    wanted.method = marose::Method::kmers;
  if (!request.mask.empty()) wanted.mask = marose::SeedMask(request.mask);
  wanted.neighbourhood = request.neighbourhood.value_or(8);
  wanted.shift = request.shift;
  wanted.neighbourhood_errors = request.neighbourhood_errors;
  wanted.heuristic = request.heuristic;
  const marose::Plan plan = marose::make_plan(wanted);

  std::ostringstream text;
  text << "property\tvalue\n"
       << "read_length\t" << plan.length << "\nerrors\t" << plan.errors << "\nmodel\t" << to_string(plan.model)
       << "\nmethod\t" << to_string(plan.method) << "\nseed_mask\t" << plan.mask.pattern() << "\nseed_weight\t"
       << plan.mask.weight() << '\n';
  if (plan.method != marose::Method::canonical && plan.method != marose::Method::kmers)
    text << "neighbourhood\t" << plan.neighbourhood << "\nneighbourhood_errors\t" << plan.neighbourhood_errors << '\n';
  text << "places\t";
  if (plan.places.empty()) text << "chosen for each read";
  for (const marose::SeedLookup& place : plan.places) text << (&place == plan.places.data() ? "" : " ") << place.offset;
  text << "\nlook_ups_per_read\t" << number(plan.look_ups()) << "\nlossless\t" << (plan.lossless ? "yes" : "no")
       << "\nproof\t" << plan.proof << "\nplacements_missed\t"
       << (plan.missed ? std::to_string(*plan.missed) : "not counted") << "\nreference_bases\t"
       << wanted.reference_bases << "\nexpected_entries_per_read\t"
       << number(plan.expected_entries(wanted.reference_bases)) << "\nexpected_candidates_per_read\t"
       << number(plan.expected_candidates(wanted.reference_bases)) << '\n';
  genocl::io::OutputFile file(settings.output);
  file.write(text.str());
  file.commit();
}

}  // namespace program
