// The matrix of wrong arguments: each function with its arguments, each argument with its right value and the
// ways in which it can be wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
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

// A value of any of the types that arguments have.
struct Word {
  alignas(8) std::array<std::byte, 8> bytes{};
};
template <typename T>
Word word_of(T value) {
  static_assert(sizeof(T) <= sizeof(Word) && std::is_trivially_copyable_v<T>);
  Word word;
  std::memcpy(word.bytes.data(), &value, sizeof value);
  return word;
}
template <typename T>
T value_of(const Word& word) {
  T value;
  std::memcpy(&value, word.bytes.data(), sizeof value);
  return value;
}

// An argument whose type is forgotten: hundreds of functions have arguments of a dozen types, and the
// compiler sees the lists of values of each type once.
struct AnyArgument {
  template <typename T>
  explicit AnyArgument(const Argument<T>& argument) {
    for (const auto& way : argument.wrong) mistakes.push_back(way.first);
    value = [argument](Stage& stage, int mistake) {
      return word_of<T>(mistake == k_no_mistake
                            ? argument.right(stage)
                            : argument.wrong[static_cast<std::size_t>(mistake)].second(stage));
    };
  }

  std::vector<Mistake> mistakes;
  std::function<Word(Stage&, int mistake)> value;
};

class Table {
 public:
  // `function` returns a code; the arguments follow.
  template <typename... T>
  Function& add(Kind kind, const std::string& name, int (*function)(T...),
                const std::type_identity_t<Argument<T>>&... arguments) {
    return add_row(kind, name, {AnyArgument(arguments)...}, [function](const Word* values) {
      return called(function, values, std::index_sequence_for<T...>());
    });
  }

  const std::vector<Function>& functions() const { return functions_; }

 private:
  using Call = std::function<int(const Word* values)>;

  Function& add_row(Kind kind, const std::string& name, std::vector<AnyArgument> arguments, Call call);

  template <typename... T, std::size_t... I>
  static int called(int (*function)(T...), [[maybe_unused]] const Word* values, std::index_sequence<I...>) {
    return function(value_of<T>(values[I])...);
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
