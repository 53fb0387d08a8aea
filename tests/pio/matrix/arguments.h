// The arguments that many functions have.
#pragma once

#include "table.h"

namespace scorpio::pio_test::matrix {

inline constexpr int k_unknown = 9999;

// ---- ids ----
Argument<int> file();            // of an inquiry
Argument<int> file_to_change();  // in any mode
// `in_data_mode`: the code of the call on a file that is not in define mode.
Argument<int> file_to_define(int in_data_mode = PIO_ENOTINDEFINE);
Argument<int> file_to_read();
Argument<int> system();
Argument<int> decomposition();
Argument<int> dimension();
Argument<int> variable(int Stage::*right);
Argument<int> variable_with_a_frame();
Argument<int> object();  // with attributes

// ---- values ----
template <typename T>
Argument<T> any(T value) {
  return {[value](Stage&) { return value; }, {}};
}
Argument<nc_type> type();

// ---- names ----
// `taken`: one that another object has; NULL: an object that has this name is replaced.
Argument<const char*> new_name(const char* taken);
Argument<const char*> known_name(const char* name, int absent);
// That which the preparation of the function made.
Argument<const char*> prepared_name(int absent);

// ---- memory ----
template <typename T>
Argument<T*> out() {  // may be NULL
  return {[](Stage& stage) { return static_cast<T*>(static_cast<void*>(stage.room.data())); }, {}};
}
template <typename T>
Argument<T*> needed_out() {
  return out<T>().also("NULL", PIO_EINVAL, [](Stage&) { return nullptr; });
}
template <typename T>
Argument<const T*> data() {
  Argument<const T*> values{
      [](Stage& stage) { return static_cast<const T*>(static_cast<const void*>(stage.zeros.data())); }, {}};
  return values.also("NULL", PIO_EINVAL, [](Stage&) { return nullptr; });
}
// Of arrays that exist as long as the program.
template <typename T>
Value<const T*> fixed(const T* values) {
  return [values](Stage&) { return values; };
}

}  // namespace scorpio::pio_test::matrix
