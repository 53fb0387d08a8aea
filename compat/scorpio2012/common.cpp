#include "common.h"

#include <algorithm>
#include <climits>

namespace scorpio2012 {

namespace {

template <typename Integer>
std::optional<Extents> checked_extents(int ndims, const Integer* dims) {
  if (ndims < 1 || ndims > k_most_dimensions || dims == nullptr) return std::nullopt;
  for (int d = 0; d < ndims; ++d) {
    if (dims[d] < 0) return std::nullopt;
  }
  return Extents(dims, dims + ndims);
}

}  // namespace

std::optional<Element> element_of(int datatype, Family family) {
  constexpr scorpio_type k_plain_char = CHAR_MIN < 0 ? SCORPIO_INT8 : SCORPIO_UINT8;
  constexpr scorpio_type k_native_long = sizeof(long) == 8 ? SCORPIO_INT64 : SCORPIO_INT32;
  switch (datatype) {
    case k_integer:
      return Element{SCORPIO_INT32, sizeof(int)};
    case k_double:
      return Element{SCORPIO_FLOAT64, sizeof(double)};
    case k_float:
      return Element{SCORPIO_FLOAT32, sizeof(float)};
    case k_long:
      return Element{k_native_long, sizeof(long)};
    case k_char:
      return Element{k_plain_char, 1};
    case k_byte:
      return Element{family == Family::scorpio ? SCORPIO_OPAQUE : SCORPIO_INT8, 1};
    default:
      return std::nullopt;
  }
}

std::optional<Extents> extents_of(int ndims, const int* dims) { return checked_extents(ndims, dims); }
std::optional<Extents> extents_of(int ndims, const int64_t* dims) { return checked_extents(ndims, dims); }

std::string absolute_path(std::string_view path) {
  std::string out;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") out.append("/").append(part);
    begin = end + 1;
  }
  return out.empty() ? "/" : out;
}

CallHash::CallHash(std::string_view function) {
  add(function);
  function_ = value_.value();
}

CallHash& CallHash::add(std::string_view text) {
  value_.add(text);
  return *this;
}

CallHash& CallHash::add(const char* text) {
  return text == nullptr ? add(int64_t{-1}) : add(std::string_view(text));
}

CallHash& CallHash::add(int64_t number) {
  value_.add(number);
  return *this;
}

CallHash& CallHash::add(const std::optional<Extents>& extents) {
  if (!extents) return add(int64_t{-1});
  add(static_cast<int64_t>(extents->size()));
  for (const int64_t extent : *extents) add(extent);
  return *this;
}

}  // namespace scorpio2012
