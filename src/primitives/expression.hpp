// Callers' expressions and operators as OpenCL C text in front of a kernel file (cl/primitives/expression.clh).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "genocl/device.hpp"
#include "genocl/primitives/expression.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

namespace genocl::primitives {

namespace detail {
struct OperatorReduction;
}
using detail::ExpressionInput;

/// Throws InputError for double on a device without fp64. `function`: the name of the call.
void check_type(const Device& device, const char* function, ElementType type);

/// Throws InputError for an empty text, for inputs of different sizes, and for types that the device lacks. Returns the
/// number of elements; 0 without inputs.
std::uint64_t check_expression(const Device& device, const char* function, const Expression& expression,
                               std::span<const ExpressionInput> inputs);

/// The text in front of a kernel file, in parts.
class ExpressionSource {
 public:
  ExpressionSource();

  /// `genocl_value(x0, ..., i)` of type VALUE, INPUT_PARAMETERS (parameters of a kernel, each followed by a comma) and
  /// VALUE_AT(i).
  ExpressionSource& add_expression(const Expression& expression, std::span<const ExpressionInput> inputs,
                                   ElementType result);
  /// The elements of one input as they are.
  ExpressionSource& add_input(ElementType type);
  /// `genocl_operator(a, b)` and `genocl_operator_identity()`, both of type VALUE.
  ExpressionSource& add_operator(const Operator& combine, ElementType type);
  /// The type KEY of the keys in memory and `genocl_less(a, b)`. Keys of Comparison::less() and greater() are integers
  /// of the same bits.
  ExpressionSource& add_comparison(const Comparison& comparison, ElementType type);
  /// After add_expression() or add_input(): elements from genocl_length[0] on, the last parameter of the inputs, have
  /// the value `outside`.
  ExpressionSource& add_length(std::string_view outside);
  /// The macros and functions of operator_reduce.cl and operator_scan.cl for accumulators that are plain values.
  ExpressionSource& add_value_accumulator();
  /// OpenCL C of the library.
  ExpressionSource& add(std::string_view text) {
    text_ += text;
    return *this;
  }

  const std::string& text() const noexcept { return text_; }

 private:
  /// PLAIN_PARAMETERS and PLAIN_VALUE_AT(at), and INPUT_PARAMETERS and VALUE_AT(at), which are the same at first.
  ExpressionSource& add_inputs(const std::string& parameters, const std::string& value);
  /// A caller's text, whose lines count from 1 in the file `name`, and `end` on the next line: errors at the end of the
  /// text are still errors of that file.
  void add_callers(std::string_view name, std::string_view text, std::string_view end = {});
  /// The rest of a function after "return (VALUE)(".
  void add_body(std::string_view name, const std::string& text, bool callers);

  std::string text_;
};

/// A kernel of `file` with the text in front. Throws BuildError of the file "expression" if the caller's text is wrong.
runtime::Kernel expression_kernel(const Device& device, std::string_view file, std::string_view name,
                                  const ExpressionSource& source, runtime::Defines defines);

/// Sets operands [0, inputs) of the frame as the first arguments of the kernel; Kernel::append() sets the others.
void set_inputs(runtime::Kernel& kernel, const CallFrame& frame, std::size_t inputs);

/// A sum, difference or product of two variables. Integers are computed as unsigned ones, which wrap around.
std::string wrapping(const char* a, const char* sign, const char* b, ElementType type);

/// The text in front of operator_reduce.cl and segmented_reduce.cl, in operator_reduce.cpp. Besides the operator it has
/// `genocl_accumulate(a, b)`, which is the same for an `a` that is no NaN, by one instruction of CPUs.
ExpressionSource reduce_source(const detail::OperatorReduction& job);

/// Launches transform.cl over `count` > 0 elements, in transform.cpp. Operands [0, inputs) of the frame are the inputs.
/// `bytes`: bytes read and written, for the profile.
void launch_transform(const CallFrame& frame, const ExpressionSource& source, std::size_t inputs,
                      const cl::Buffer& results, std::uint64_t count, std::uint64_t bytes, const LaunchTuning& tuning);

}  // namespace genocl::primitives
