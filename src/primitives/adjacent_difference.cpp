#include "genocl/primitives/adjacent_difference.hpp"

#include <array>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"

namespace genocl::primitives {
namespace {

/// The text in front of transform.cl: both inputs of the expression are elements of one array.
ExpressionSource difference_source(const Expression& expression, ElementType value, ElementType result) {
  const std::array<ExpressionInput, 2> inputs{ExpressionInput{{}, value}, ExpressionInput{{}, value}};
  ExpressionSource source;
  source.add_expression(expression, inputs, result);
  source.add("#undef INPUT_PARAMETERS\n#undef VALUE_AT\n#define INPUT_PARAMETERS __global const ");
  source.add(type_name(value)).add("* genocl_values,\n");
  return source.add(R"(
#define VALUE_AFTER_FIRST(at) genocl_value(genocl_values[at], genocl_values[at], genocl_values[(at) - 1], at)
#define VALUE_AT(at) ((at) == 0 ? (VALUE)genocl_values[0] : VALUE_AFTER_FIRST(at))
)");
}

}  // namespace

void detail::adjacent_difference(const Device& device, const Expression* expression, const ExpressionInput& values,
                                 const ExpressionInput& results, const Call& call) {
  const char* const name = "adjacent_difference";
  const Expression difference(wrapping("x0", "-", "x1", values.type));
  const Expression& used = expression != nullptr ? *expression : difference;
  const std::uint64_t count = check_expression(device, name, used, std::span(&values, 1));
  check_type(device, name, results.type);
  if (results.size() != count)
    throw InputError(std::string(name) + ": " + std::to_string(count) + " values but " +
                     std::to_string(results.size()) + " results");
  CallFrame frame(device, call, name,
                  {{"values", values.view, Access::read}, {"results", results.view, Access::write}});
  if (count != 0)
    launch_transform(frame, difference_source(used, values.type, results.type), 1, frame[1], count,
                     values.view.bytes + results.view.bytes, call.tuning);
  frame.finish();
}

}  // namespace genocl::primitives
