#include "primitives/expression.hpp"

#include <array>
#include <limits>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"

namespace genocl::primitives {
namespace {

/// The names in #line of callers' texts, as messages of compilers have them.
constexpr std::array callers_texts{"expression", "operator", "identity", "comparison", "functions"};

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

std::string input_name(std::size_t input) { return "genocl_input" + std::to_string(input); }

template <class T>
std::string literal(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value > 0 ? "INFINITY" : "-INFINITY";
  else if constexpr (std::is_unsigned_v<T>)
    return std::to_string(value) + (sizeof(T) == 8 ? "UL" : "U");
  else  // the smallest number has no literal
    return value < 0 ? "(-" + std::to_string(-(value + 1)) + "L - 1)" : std::to_string(value) + "L";
}

std::string extreme_identity(Operator::Kind kind, ElementType type) {
  std::string text;
  with_type(type, [&]<class T>(T) {
    using Limits = std::numeric_limits<T>;
    constexpr bool real = std::is_floating_point_v<T>;
    if (kind == Operator::Kind::minimum)
      text = literal(real ? Limits::infinity() : Limits::max());
    else
      text = literal(real ? static_cast<T>(-Limits::infinity()) : Limits::lowest());
  });
  return text;
}

}  // namespace

std::string wrapping(const char* a, const char* sign, const char* b, ElementType type) {
  const std::string wide = is_real(type) ? "" : element_bytes(type) == 8 ? "(ulong)" : "(uint)";
  return wide + a + " " + sign + " " + wide + b;
}

void check_type(const Device& device, const char* function, ElementType type) {
  if (type == ElementType::float64 && !device.info().fp64)
    throw InputError(std::string(function) + ": double on " + device.info().name + ", which has no fp64");
}

std::uint64_t check_expression(const Device& device, const char* function, const Expression& expression,
                               std::span<const ExpressionInput> inputs) {
  if (is_blank(expression.text)) throw InputError(std::string(function) + ": the expression is empty");
  for (const ExpressionInput& input : inputs) {
    check_type(device, function, input.type);
    if (input.size() != inputs.front().size())
      throw InputError(std::string(function) + ": inputs of " + std::to_string(inputs.front().size()) + " and " +
                       std::to_string(input.size()) + " elements");
  }
  return inputs.empty() ? 0 : inputs.front().size();
}

ExpressionSource::ExpressionSource() {
  text_ =
      "#line 1 \"genocl\"\n"
      "#pragma OPENCL FP_CONTRACT OFF\n"
      "#ifdef cl_khr_fp64\n"
      "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
      "#endif\n";
}

void ExpressionSource::add_callers(std::string_view name, std::string_view text, std::string_view end) {
  text_ += "\n#line 1 \"";
  text_ += name;
  text_ += "\"\n";
  text_ += text;
  text_ += "\n";
  text_ += end;
  text_ += "\n#line 1 \"genocl\"\n";
}

void ExpressionSource::add_body(std::string_view name, const std::string& text, bool callers) {
  if (callers)
    add_callers(name, text, "); }");
  else
    text_ += text + "); }\n";
}

ExpressionSource& ExpressionSource::add_expression(const Expression& expression,
                                                   std::span<const ExpressionInput> inputs, ElementType result) {
  if (!expression.functions.empty()) add_callers("functions", expression.functions);
  std::string parameters, kernel_parameters, arguments;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const std::string type = type_name(inputs[k].type), name = input_name(k);
    if (k == 0) {  // x is x0
      parameters += type + " x, ";
      arguments += name + "[at], ";
    }
    parameters += type + " x" + std::to_string(k) + ", ";
    kernel_parameters += "__global const " + type + "* " + name + ", ";
    arguments += name + "[at], ";
  }
  text_ += std::string("typedef ") + type_name(result) + " VALUE;\n";
  text_ += "static inline VALUE genocl_value(" + parameters + "ulong i) {\n";
  text_ += "return (VALUE)(";
  add_callers("expression", expression.text, "); }");
  return add_inputs(kernel_parameters, "genocl_value(" + arguments + "at)");
}

ExpressionSource& ExpressionSource::add_input(ElementType type) {
  const std::string name = type_name(type);
  text_ += "typedef " + name + " VALUE;\n";
  return add_inputs("__global const " + name + "* genocl_input0,", "genocl_input0[at]");
}

ExpressionSource& ExpressionSource::add_inputs(const std::string& parameters, const std::string& value) {
  text_ += "#define PLAIN_PARAMETERS " + parameters + "\n#define PLAIN_VALUE_AT(at) " + value + "\n";
  return add("#define INPUT_PARAMETERS PLAIN_PARAMETERS\n#define VALUE_AT(at) PLAIN_VALUE_AT(at)\n");
}

ExpressionSource& ExpressionSource::add_length(std::string_view outside) {
  add("#undef INPUT_PARAMETERS\n#define INPUT_PARAMETERS PLAIN_PARAMETERS __global const ulong* genocl_length,\n");
  add("#undef VALUE_AT\n#define VALUE_AT(at) ((at) < genocl_length[0] ? PLAIN_VALUE_AT(at) : (VALUE)(");
  return add(outside).add("))\n");
}

ExpressionSource& ExpressionSource::add_comparison(const Comparison& comparison, ElementType type) {
  if (comparison.kind() == Comparison::Kind::custom) {
    if (is_blank(comparison.text())) throw InputError("a comparison without expression");
    if (!comparison.functions().empty()) add_callers("functions", comparison.functions());
    text_ += std::string("typedef ") + type_name(type) + " KEY;\n";
    text_ += "static inline bool genocl_less(KEY a, KEY b) { return (bool)(";
    add_body("comparison", comparison.text(), true);
    return *this;
  }
  // The bits of a float as a signed integer: those of negative numbers but the sign are flipped for the total order.
  const bool wide = element_bytes(type) == 8;
  text_ += std::string("typedef ") + (!is_real(type) ? type_name(type) : wide ? "long" : "int") + " KEY;\n";
  if (!is_real(type))
    text_ += "#define ORDER_OF(key) (key)\n";
  else
    text_ += wide ? "#define ORDER_OF(key) ((key) ^ ((key) >> 63 & LONG_MAX))\n"
                  : "#define ORDER_OF(key) ((key) ^ ((key) >> 31 & INT_MAX))\n";
  text_ += "static inline bool genocl_less(KEY a, KEY b) { return ORDER_OF(a) ";
  return add(comparison.kind() == Comparison::Kind::less ? "< ORDER_OF(b); }\n" : "> ORDER_OF(b); }\n");
}

ExpressionSource& ExpressionSource::add_operator(const Operator& combine, ElementType type) {
  using Kind = Operator::Kind;
  const bool custom = combine.kind() == Kind::custom;
  if (custom && (is_blank(combine.text()) || is_blank(combine.identity())))
    throw InputError("an operator without expression or without identity");
  if (!combine.functions().empty()) add_callers("functions", combine.functions());
  std::string text, identity;
  switch (combine.kind()) {
    case Kind::sum:
      text = wrapping("a", "+", "b", type);
      identity = "0";
      break;
    case Kind::product:
      text = wrapping("a", "*", "b", type);
      identity = "1";
      break;
    case Kind::minimum:
      text = is_real(type) ? "fmin(a, b)" : "min(a, b)";
      identity = extreme_identity(combine.kind(), type);
      break;
    case Kind::maximum:
      text = is_real(type) ? "fmax(a, b)" : "max(a, b)";
      identity = extreme_identity(combine.kind(), type);
      break;
    case Kind::custom:
      break;
  }
  text_ += "static inline VALUE genocl_operator(VALUE a, VALUE b) { return (VALUE)(";
  add_body("operator", custom ? combine.text() : text, custom);
  text_ += "static inline VALUE genocl_operator_identity(void) { return (VALUE)(";
  add_body("identity", custom ? combine.identity() : identity, custom);
  return *this;
}

ExpressionSource& ExpressionSource::add_value_accumulator() {
  return add(R"(
typedef VALUE ACCUMULATOR;
typedef VALUE RESULT;
static inline ACCUMULATOR accumulator_identity(void) { return genocl_operator_identity(); }
static inline ACCUMULATOR accumulator_combine(ACCUMULATOR a, ACCUMULATOR b) { return genocl_operator(a, b); }
static inline ACCUMULATOR accumulator_load(volatile __global const ACCUMULATOR* at) { return at[0]; }
#define ACCUMULATOR_AT(at) VALUE_AT(at)
)");
}

runtime::Kernel expression_kernel(const Device& device, std::string_view file, std::string_view name,
                                  const ExpressionSource& source, runtime::Defines defines) {
  defines.set_front(source.text());
  try {
    return runtime::Kernel(device, file, name, defines);
  } catch (const BuildError& error) {
    for (const char* const callers : callers_texts)
      if (error.log().find(std::string(callers) + ":") != std::string::npos)
        throw BuildError(callers, error.device(), error.code(), error.log());
    throw;
  }
}

void set_inputs(runtime::Kernel& kernel, const CallFrame& frame, std::size_t inputs) {
  kernel.args();
  for (std::size_t k = 0; k < inputs; ++k) kernel.append(frame[k]);
}

}  // namespace genocl::primitives
