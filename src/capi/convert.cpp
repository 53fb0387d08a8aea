#include "capi/convert.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "capi/guard.h"

namespace scorpio::capi {

namespace {

struct Pair {
  scorpio_type type;
  model::Kind kind;
};

// [type - 1]
constexpr std::array<Pair, 12> k_types{{{SCORPIO_INT8, model::Kind::int8},
                                        {SCORPIO_UINT8, model::Kind::uint8},
                                        {SCORPIO_INT16, model::Kind::int16},
                                        {SCORPIO_UINT16, model::Kind::uint16},
                                        {SCORPIO_INT32, model::Kind::int32},
                                        {SCORPIO_UINT32, model::Kind::uint32},
                                        {SCORPIO_INT64, model::Kind::int64},
                                        {SCORPIO_UINT64, model::Kind::uint64},
                                        {SCORPIO_FLOAT32, model::Kind::float32},
                                        {SCORPIO_FLOAT64, model::Kind::float64},
                                        {SCORPIO_TEXT, model::Kind::text},
                                        {SCORPIO_OPAQUE, model::Kind::opaque}}};

static_assert(SCORPIO_ORIGIN_CONFIGURATION == static_cast<int>(Source::file) &&
              SCORPIO_ORIGIN_ENVIRONMENT == static_cast<int>(Source::environment) &&
              SCORPIO_ORIGIN_RULE == static_cast<int>(Source::rule) &&
              SCORPIO_ORIGIN_PROGRAM == static_cast<int>(Source::program));

constexpr bool in_order(size_t at) {
  return at == k_types.size() || (k_types[at].type == static_cast<scorpio_type>(at + 1) &&
                                  k_types[at].kind == static_cast<model::Kind>(at) && in_order(at + 1));
}
static_assert(in_order(0));

}  // namespace

Result<model::ElementType> element_type(scorpio_type type, size_t element_bytes) {
  const size_t at = static_cast<size_t>(type) - 1;
  if (at >= k_types.size()) {
    return failure(Code::type, "{} is not an element type; use SCORPIO_INT8 to SCORPIO_OPAQUE",
                   static_cast<int>(type));
  }
  const model::Kind kind = k_types[at].kind;
  if (model::is_numeric(kind)) return model::native(kind);
  if (element_bytes == 0 || element_bytes > UINT32_MAX) {
    return failure(Code::argument, "elements of text or opaque type need a length of 1 to {} bytes, not {}",
                   UINT32_MAX, element_bytes);
  }
  return model::native(kind, static_cast<uint32_t>(element_bytes));
}

scorpio_type public_type(const model::ElementType& type) {
  return std::find_if(k_types.begin(), k_types.end(), [&](const Pair& p) { return p.kind == type.kind; })
      ->type;
}

Status check_ndims(int ndims) {
  if (ndims >= 0 && ndims <= k_most_dimensions) return {};
  return failure(Code::argument, "ndims = {}: an array has 0 to {} dimensions", ndims, k_most_dimensions);
}

Status inquire(const model::ElementType& stored, const std::vector<int64_t>& extents, scorpio_type* type,
               size_t* element_bytes, int* ndims, int64_t* dims, int capacity) {
  if (type != nullptr) *type = public_type(stored);
  if (element_bytes != nullptr) *element_bytes = stored.size_bytes;
  if (ndims != nullptr) *ndims = static_cast<int>(extents.size());
  const size_t n = std::min(extents.size(), static_cast<size_t>(std::max(capacity, 0)));
  if (dims != nullptr) std::copy_n(extents.begin(), n, dims);
  return {};
}

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

std::string name_in(const scorpio_file& file, const char* name) {
  return file.file->layout().stored_name(text_of(name));
}

Status of_object(const scorpio_file& file, int object, Status status) {
  if (status.code() != Code::not_found) return status;
  return first_failure(file.file->objects().path_of(object).status(), status);
}

Result<std::vector<int64_t>> extents(int ndims, const int64_t* dims, const char* name) {
  SCORPIO_TRY(check_ndims(ndims));
  if (ndims > 0 && dims == nullptr)
    return failure(Code::argument, "argument '{}' is NULL, ndims is {}", name, ndims);
  return ndims == 0 ? std::vector<int64_t>() : std::vector<int64_t>(dims, dims + ndims);
}

Status copy_text(const std::string& from, char* text, size_t capacity, size_t* length) {
  if (length != nullptr) *length = from.size();
  if (capacity == 0) return {};
  if (text == nullptr)
    return failure(
        Code::argument,
        "argument 'text' is NULL, its capacity is {}; give memory for the text, or a capacity of 0",
        capacity);
  const size_t n = std::min(from.size(), capacity - 1);
  std::memcpy(text, from.data(), n);
  text[n] = '\0';
  return {};
}

Status copy_option(const Options& options, const char* name, const TextBuffer& value,
                   scorpio_option_origin* origin) {
  if (name == nullptr) return null_argument("name");
  SCORPIO_ASSIGN(const Option option, find_option(name));
  if (origin != nullptr) *origin = static_cast<scorpio_option_origin>(options.source(option));
  return copy_text(options.text_of(option, true), value.text, value.capacity, value.length);
}

}  // namespace scorpio::capi
