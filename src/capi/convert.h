// Conversion between the C types of scorpio.h and the types of the library. Local and pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "model/element_type.h"
#include "scorpio/scorpio.h"

namespace scorpio::capi {

// HDF5's limit; checked before any array of the caller is read.
inline constexpr int k_most_dimensions = 32;

// `element_bytes` is used only for text and opaque types. Code::type for an unknown type, Code::argument for
// text or opaque without a length.
Result<model::ElementType> element_type(scorpio_type type, size_t element_bytes);
// The same for a numeric type; none for any other one. The types and the kinds have the same order.
inline std::optional<model::ElementType> numeric_type(scorpio_type type) {
  if (type < SCORPIO_INT8 || type > SCORPIO_FLOAT64) return std::nullopt;
  return model::native(static_cast<model::Kind>(type - 1));
}
scorpio_type public_type(const model::ElementType& type);

// `dims` [ndims]. Code::argument if ndims is negative, or if dims is NULL and needed.
Result<std::vector<int64_t>> extents(int ndims, const int64_t* dims, const char* name);

Status check_ndims(int ndims);

// The results of scorpio_variable_inquire() and similar functions; each output pointer may be NULL.
Status inquire(const model::ElementType& stored, const std::vector<int64_t>& extents, scorpio_type* type,
               size_t* element_bytes, int* ndims, int64_t* dims, int capacity);

std::string text_of(const char* text);  // "" for NULL
// A name or path in the form in which the file's format keeps it; "" for NULL.
std::string name_in(const scorpio_file& file, const char* name);

// The failure of a call on this object: in an eager file, that the application has removed the object.
Status of_object(const scorpio_file& file, int object, Status status);

// Copies a text, truncated if it does not fit, and terminates it with a NUL.
Status copy_text(const std::string& from, char* text, size_t capacity, size_t* length);

// The first `capacity` elements; `to` may be NULL.
template <typename T>
void copy_some(const std::vector<T>& from, T* to, int capacity) {
  const size_t n = std::min(from.size(), static_cast<size_t>(std::max(capacity, 0)));
  if (to != nullptr) std::copy_n(from.begin(), n, to);
}

// Copies the value in force of an option, with its origin (may be NULL). Code::name for an unknown name.
struct TextBuffer {
  char* text;
  size_t capacity;
  size_t* length;
};
Status copy_option(const Options& options, const char* name, const TextBuffer& value,
                   scorpio_option_origin* origin);

}  // namespace scorpio::capi
