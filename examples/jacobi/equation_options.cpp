#include "jacobi/equation_options.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "common/lists.hpp"
#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "jacobi/npy.hpp"

namespace program {
namespace {

using genocl::in_quotes;
using genocl::InputError;
using jacobi::BoundaryKind;

/// Calls take(name, value) for each of NAME=VALUE,NAME=VALUE; it returns whether both are valid.
template <class Take>
void for_pairs(const std::string& text, const char* option, const char* expected, Take&& take) {
  std::vector<std::string_view> names;
  for (const std::string_view part : parts_of(text, ',')) {
    const std::size_t at = part.find('=');
    const std::string_view name = part.substr(0, at);
    bool good = at != std::string_view::npos && take(name, part.substr(at + 1));
    for (const std::string_view other : names) good = good && name != other;
    if (!good) throw InputError(std::string(option) + ": " + in_quotes(text) + "; expected " + expected);
    names.push_back(name);
  }
}

jacobi::Weights stencil_of(const std::string& text) {
  jacobi::Weights weights;
  const std::array<std::pair<std::string_view, double*>, 7> known = {{{"centre", &weights.centre},
                                                                      {"top", &weights.top},
                                                                      {"bottom", &weights.bottom},
                                                                      {"left", &weights.left},
                                                                      {"right", &weights.right},
                                                                      {"front", &weights.front},
                                                                      {"back", &weights.back}}};
  for_pairs(text, "--stencil", "each place once, like top=0.25,bottom=0.25,left=0.25,right=0.25 (centre, front, back)",
            [&](std::string_view name, std::string_view value) {
              const auto number = number_of<double>(value);
              for (const auto& [place, weight] : known) {
                if (name != place || !number || !std::isfinite(*number)) continue;
                *weight = *number;
                return true;
              }
              return false;
            });
  return weights;
}

jacobi::Boundaries boundaries_of(const std::string& text) {
  jacobi::Boundaries sides;
  const std::array<std::pair<std::string_view, BoundaryKind*>, 6> known = {{{"left", &sides.left},
                                                                            {"right", &sides.right},
                                                                            {"top", &sides.top},
                                                                            {"bottom", &sides.bottom},
                                                                            {"front", &sides.front},
                                                                            {"back", &sides.back}}};
  constexpr std::array<std::pair<std::string_view, BoundaryKind>, 3> kinds = {
      {{"fixed", BoundaryKind::fixed}, {"periodic", BoundaryKind::periodic}, {"zero-flux", BoundaryKind::zero_flux}}};
  for_pairs(text, "--boundary",
            "each side once (left, right, top, bottom, front, back) with fixed, periodic or zero-flux, like "
            "left=periodic,right=periodic,top=zero-flux",
            [&](std::string_view name, std::string_view value) {
              for (const auto& [side, boundary] : known)
                for (const auto& [word, kind] : kinds)
                  if (name == side && value == word) {
                    *boundary = kind;
                    return true;
                  }
              return false;
            });
  return sides;
}

template <class T>
std::vector<T> read_array(const std::string& path, const jacobi::Shape& shape) {
  if (path.empty()) return {};
  NpyArray<T> array = read_npy<T>(path);
  if (array.shape != shape)
    throw InputError(path, {}, "an array of " + array.shape.text(), "the grid's " + shape.text());
  return std::move(array.cells);
}

}  // namespace

jacobi::Equation equation_of(const Settings& settings) {
  jacobi::Equation equation;
  if (!settings.stencil.empty()) {
    if (!settings.coefficients.empty()) throw InputError("--stencil and --coefficients: one of the two");
    equation.weights = stencil_of(settings.stencil);
  }
  if (settings.damping) {
    if (!(*settings.damping > 0 && *settings.damping < 2))
      throw InputError("--damping: expected a number between 0 and 2");
    equation.damping = *settings.damping;
  }
  if (!settings.boundary.empty()) equation.boundaries = boundaries_of(settings.boundary);
  return equation;
}

template <class T>
EquationArrays<T> read_equation_arrays(const Settings& settings, const jacobi::Shape& shape) {
  return {read_array<T>(settings.source, shape), read_array<T>(settings.coefficients, shape)};
}

template EquationArrays<float> read_equation_arrays(const Settings&, const jacobi::Shape&);
template EquationArrays<double> read_equation_arrays(const Settings&, const jacobi::Shape&);

}  // namespace program
