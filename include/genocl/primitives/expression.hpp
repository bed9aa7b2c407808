// Expressions, operators and comparisons in OpenCL C: arguments of transform(), reduce(), the scans, select_if(),
// merge() and merge_sort().
#pragma once

#include <string>
#include <utility>

#include "genocl/primitives/element.hpp"

namespace genocl::primitives {

/// An expression in OpenCL C for each element of one or more inputs.
///
/// Its variables are x0, x1, ... (the elements of the inputs, with the types of the spans), x (the same as x0), and i
/// (ulong: the number of the element). The value is converted to the type of the result as by a cast in C. Any function
/// of OpenCL C may be called. The program of a call is compiled once for each text and set of types, and cached as all
/// programs of the Device.
///
/// A text that does not compile throws BuildError from the call: file() is "expression", and the message and log() give
/// line and column in the text. Contraction to fused multiply-add is off. Integers have the same bits on all devices,
/// so have sums, differences and products of floats on devices with denormals; the precision of other functions is that
/// of the device.
///
/// The text becomes part of a kernel. It must not come from a source that is not trusted.
struct Expression {
  Expression(const char* expression) : text(expression) {}
  /// `declarations`: OpenCL C in front of the kernel, such as functions that the expression calls. Begin their names
  /// with a prefix of your own: they must differ from the names of the kernel's functions and macros, which are not
  /// documented.
  Expression(std::string expression, std::string declarations = {})
      : text(std::move(expression)), functions(std::move(declarations)) {}

  std::string text, functions;
};

/// An associative operator of two elements `a` and `b` of one type T, and its identity. reduce() also needs it to be
/// commutative.
class Operator {
 public:
  /// A caller's operator. The rules of Expression apply; the variables are a and b, where a comes first.
  ///
  /// @param expression  for example "a > b ? a : b"
  /// @param identity    a constant expression in OpenCL C: combining it with an element gives that element
  explicit Operator(std::string expression, std::string identity, std::string functions = {})
      : text_(std::move(expression)), identity_(std::move(identity)), functions_(std::move(functions)) {}

  /// a + b. Integers wrap around.
  static Operator sum() { return Operator(Kind::sum); }
  /// a * b. Integers wrap around.
  static Operator product() { return Operator(Kind::product); }
  /// The lesser. Of floats that are not both NaN, the one that is no NaN; the identity is infinity.
  static Operator minimum() { return Operator(Kind::minimum); }
  /// The greater. Of floats that are not both NaN, the one that is no NaN; the identity is -infinity.
  static Operator maximum() { return Operator(Kind::maximum); }

  /// For the library.
  enum class Kind { sum, product, minimum, maximum, custom };
  Kind kind() const noexcept { return kind_; }
  const std::string& text() const noexcept { return text_; }
  const std::string& identity() const noexcept { return identity_; }
  const std::string& functions() const noexcept { return functions_; }

 private:
  explicit Operator(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::custom;
  std::string text_, identity_, functions_;
};

/// The order of two elements `a` and `b` of one type: true if `a` comes before `b`.
class Comparison {
 public:
  /// A caller's comparison, as that of std::sort. The rules of Expression apply; the variables are a and b. It must be
  /// a strict weak order. Otherwise the order of the results is unspecified; no memory outside the operands is
  /// accessed.
  ///
  /// @param expression  for example "(a & 0xff) < (b & 0xff)"
  explicit Comparison(std::string expression, std::string functions = {})
      : text_(std::move(expression)), functions_(std::move(functions)) {}

  /// Ascending; floats in the total order of std::strong_order, as sort().
  static Comparison less() { return Comparison(Kind::less); }
  /// Descending, in the same total order.
  static Comparison greater() { return Comparison(Kind::greater); }

  /// For the library.
  enum class Kind { less, greater, custom };
  Kind kind() const noexcept { return kind_; }
  const std::string& text() const noexcept { return text_; }
  const std::string& functions() const noexcept { return functions_; }

 private:
  explicit Comparison(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::custom;
  std::string text_, functions_;
};

namespace detail {
/// An input of an expression, with its type erased.
struct ExpressionInput {
  runtime::MemoryView view;
  ElementType type;

  std::uint64_t size() const noexcept { return view.bytes / element_bytes(type); }
};
template <DeviceRange Range>
ExpressionInput expression_input(const Range& range) {
  return {as_span(range).view(), element_type<ElementOf<Range>>()};
}
}  // namespace detail

}  // namespace genocl::primitives
