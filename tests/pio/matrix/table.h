// The matrix of wrong arguments: each function with its arguments, each argument with its right value and the
// ways in which it can be wrong.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "stage.h"

// Calls ADD(NAME, T) for the numbers in memory that functions are named after, such as PIOc_put_att_schar.
#define FOR_ALL_NUMBERS(ADD)         \
  ADD(schar, signed char)            \
  ADD(uchar, unsigned char)          \
  ADD(short, short)                  \
  ADD(ushort, unsigned short)        \
  ADD(int, int)                      \
  ADD(uint, unsigned int)            \
  ADD(long, long)                    \
  ADD(longlong, long long)           \
  ADD(ulonglong, unsigned long long) \
  ADD(float, float)                  \
  ADD(double, double)

namespace scorpio::pio_test::matrix {

// The code that the call returns where all ranks have this value, and the one where one rank has it.
struct Codes {
  int of_all;
  int of_one;
  // NOLINTNEXTLINE(google-explicit-constructor): most are equal
  Codes(int code) : of_all(code), of_one(code) {}
  Codes(int all, int one) : of_all(all), of_one(one) {}
};
// Of a way that one rank cannot have alone.
constexpr int k_only_all = 1;

struct Mistake {
  std::string name;
  Codes codes;
};

template <typename T>
using Value = std::function<T(Stage&)>;

template <typename T>
struct Argument {
  Value<T> right;
  std::vector<std::pair<Mistake, Value<T>>> wrong;

  Argument& also(const std::string& name, Codes codes, Value<T> value) {
    wrong.push_back({{name, codes}, std::move(value)});
    return *this;
  }
};

enum class Kind {
  inquiry,     // sends nothing, and tells nobody
  setting,     // sends nothing; the other ranks learn of a failure later
  definition,  // the same, in define mode
  put,         // the same, in data mode
  agreed       // all ranks return the same code at once
};

constexpr int k_no_mistake = -1;

struct Function {
  std::string name;
  Kind kind = Kind::inquiry;
  int right_code = PIO_NOERR;  // of a function that this build or a classic file does not have
  std::vector<Mistake> mistakes;
  std::function<int(Stage&, int mistake)> call;
  std::function<void(Stage&)> prepare;  // before each call
};

class Table {
 public:
  // `function` returns a code; the arguments follow.
  template <typename... T, typename... Given>
  Function& add(Kind kind, const std::string& name, int (*function)(T...), Given&&... given) {
    static_assert(sizeof...(T) == sizeof...(Given));
    const std::tuple<Argument<T>...> arguments{Argument<T>(std::forward<Given>(given))...};
    Function row;
    row.name = name;
    row.kind = kind;
    std::apply([&row](const auto&... each) { (list(each, row.mistakes), ...); }, arguments);
    row.call = [function, arguments](Stage& stage, int mistake) {
      int first = 0;  // of the mistakes of the next argument
      return std::apply(
          [&](const auto&... each) {
            const std::tuple<T...> values{value_of(stage, each, mistake, first)...};
            return std::apply(function, values);
          },
          arguments);
    };
    functions_.push_back(std::move(row));
    return functions_.back();
  }

  const std::vector<Function>& functions() const { return functions_; }

 private:
  template <typename T>
  static void list(const Argument<T>& argument, std::vector<Mistake>& mistakes) {
    for (const auto& [mistake, value] : argument.wrong) mistakes.push_back(mistake);
  }
  template <typename T>
  static T value_of(Stage& stage, const Argument<T>& argument, int mistake, int& first) {
    const int at = mistake - first;
    const int ways = static_cast<int>(argument.wrong.size());
    first += ways;
    const bool is_this = mistake != k_no_mistake && at >= 0 && at < ways;
    return is_this ? argument.wrong[static_cast<std::size_t>(at)].second(stage) : argument.right(stage);
  }

  std::vector<Function> functions_;
};

// The parts of the table.
void add_library(Table& table);
void add_systems(Table& table);
void add_decompositions(Table& table);
void add_files(Table& table);
void add_arrays(Table& table);
void add_dimensions(Table& table);
void add_variables(Table& table);
void add_attributes(Table& table);
void add_storage(Table& table);
void add_data(Table& table);

}  // namespace scorpio::pio_test::matrix
