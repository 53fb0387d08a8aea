// Attributes.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "capi/convert.h"
#include "capi/guard.h"
#include "codec/conversion.h"
#include "model/string_elements.h"
#include "scorpio/scorpio.h"
#include "session/state/variable_access.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::capi::inquire;
using scorpio::capi::name_in;
using scorpio::codec::Conversion;
namespace model = scorpio::model;

namespace {

// The limit of the size of an attribute, of which every rank has a copy.
constexpr int64_t k_most_bytes = int64_t{1} << 32;

// ---- putting ----

// A value as the caller passes it, and its type in the file.
struct Value {
  scorpio_type stored;
  size_t element_bytes;
  int ndims;
  const int64_t* dims;
  scorpio_type type;
  const void* elements;
};

Result<int64_t> elements_of(const model::Attribute& attribute) {
  SCORPIO_ASSIGN(const int64_t elements, scorpio::decomp::product(attribute.dims));
  if (elements <= k_most_bytes / static_cast<int64_t>(attribute.type.size_bytes)) return elements;
  return failure(Code::limit,
                 "an attribute of {} elements of {} bytes is longer than {} bytes; make it a variable",
                 elements, attribute.type.size_bytes, k_most_bytes);
}

// Makes `attribute`, which is empty; returns the number of elements that were clipped.
Result<uint64_t> convert(const scorpio_file& file, model::Attribute& attribute, const Value& value) {
  SCORPIO_ASSIGN(attribute.type, scorpio::capi::element_type(value.stored, value.element_bytes));
  SCORPIO_ASSIGN(const model::ElementType given,
                 scorpio::capi::element_type(value.type, attribute.type.size_bytes));
  SCORPIO_ASSIGN(attribute.dims, scorpio::capi::extents(value.ndims, value.dims, "dims"));
  attribute.scalar = value.ndims == 0;
  SCORPIO_ASSIGN(const int64_t elements, elements_of(attribute));
  SCORPIO_ASSIGN(
      const Conversion conversion,
      Conversion::make(scorpio::session::memory_type_for(file.file->format(), attribute.type, given),
                       attribute.type));
  if (elements == 0) return uint64_t{0};
  if (value.elements == nullptr)
    return failure(Code::argument,
                   "the value is NULL, but the attribute has {} elements; give an array of them", elements);
  const auto* const given_elements = static_cast<const std::byte*>(value.elements);
  const size_t bytes = static_cast<size_t>(elements) * attribute.type.size_bytes;
  if (conversion.trivial()) {
    attribute.value.assign(given_elements, given_elements + bytes);
    return uint64_t{0};
  }
  attribute.value.resize(bytes);
  return conversion.apply(given_elements, attribute.value.data(), static_cast<size_t>(elements));
}

Result<uint64_t> convert(const scorpio_file&, model::Attribute& attribute, int64_t n,
                         const char* const* strings) {
  if (n < 0) return failure(Code::argument, "the number of strings is {}; give 0 or more", n);
  if (n > 0 && strings == nullptr) return scorpio::capi::null_argument("strings");
  std::vector<std::string_view> texts;
  size_t longest = 1;
  for (int64_t i = 0; i < n; ++i) {
    texts.emplace_back(strings[i] == nullptr ? "" : strings[i]);
    longest = std::max(longest, texts.back().size());
  }
  if (!model::fits_in_list(texts.size(), longest)) {
    return failure(
        Code::limit,
        "a list of {} strings with up to {} bytes each takes more than {} bytes, because each takes "
        "as many as the longest one on every rank; make it a variable of strings",
        n, longest, model::k_most_list_bytes);
  }
  SCORPIO_ASSIGN(attribute.type, scorpio::capi::element_type(SCORPIO_TEXT, longest));
  attribute.dims = {n};
  attribute.scalar = false;
  attribute.strings = true;
  SCORPIO_ASSIGN(const int64_t elements, elements_of(attribute));
  attribute.value.resize(static_cast<size_t>(elements) * longest);
  for (size_t i = 0; i < texts.size(); ++i)
    std::memcpy(attribute.value.data() + i * longest, texts[i].data(), texts[i].size());
  return uint64_t{0};
}

// `value`: the last arguments of convert().
template <typename... Arguments>
Status put(scorpio_file& file, int object, const char* name, const Arguments&... value) {
  scorpio::session::Definitions& definitions = file.file->definitions();
  const Result<std::string> path = file.file->objects().path_of(object);
  if (!path.ok()) return definitions.reject(path.status());
  model::Attribute attribute;
  const Result<uint64_t> misfits = convert(file, attribute, value...);
  if (!misfits.ok()) return definitions.reject(misfits.status());
  const model::ElementType type = attribute.type;
  const Status status = definitions.put_attribute(*path, name_in(file, name), std::move(attribute));
  if (!status.ok()) return scorpio::capi::of_object(file, object, status);
  if (*misfits == 0) return {};
  return failure(Code::range, "{} values of attribute '{}' do not fit its type {}; they were clipped",
                 *misfits, name_in(file, name), model::to_string(type));
}

// ---- getting ----

// Collective in an eager file, also if the id is invalid.
Result<const model::Attribute*> find(scorpio_file& file, int object, const char* name) {
  scorpio::session::Inquiry& inquiry = file.file->inquiry();
  const Result<std::string> path = file.file->objects().path_of(object);
  if (!path.ok()) return inquiry.reject(path.status());
  auto found = inquiry.find_attribute(*path, name_in(file, name));
  if (found.ok()) return found;
  return scorpio::capi::of_object(file, object, found.status());
}

Status check_readable(const model::Attribute& attribute, const std::string& name) {
  if (attribute.readable) return {};
  return failure(Code::unsupported, "attribute '{}' cannot be read: {}", name, attribute.unreadable);
}

Status copy_value(const scorpio::session::File& file, const model::Attribute& attribute,
                  const std::string& name, scorpio_type type, void* value, size_t capacity_bytes) {
  SCORPIO_TRY(check_readable(attribute, name));
  SCORPIO_ASSIGN(const model::ElementType wanted,
                 scorpio::capi::element_type(type, attribute.type.size_bytes));
  SCORPIO_ASSIGN(const Conversion conversion,
                 Conversion::make(attribute.type,
                                  scorpio::session::memory_type_for(file.format(), attribute.type, wanted)));
  const size_t elements = attribute.value.size() / attribute.type.size_bytes;
  if (elements * conversion.to_size > capacity_bytes) {
    return failure(Code::argument, "attribute '{}' needs {} bytes, the buffer has {}", name,
                   elements * conversion.to_size, capacity_bytes);
  }
  if (elements == 0) return {};
  if (value == nullptr) return failure(Code::argument, "argument 'value' is NULL");
  const uint64_t misfits = conversion.apply(attribute.value.data(), static_cast<std::byte*>(value), elements);
  if (misfits == 0) return {};
  return failure(Code::range, "{} values of attribute '{}' do not fit the type asked for; they were clipped",
                 misfits, name);
}

// ---- copying ----

// In a file without the type an enumeration is the integers that it stands for.
Status adapt_foreign_type(const scorpio_file& to, const std::string& name, model::Attribute& copied) {
  if (copied.foreign == nullptr) return {};
  if (to.file->layout().traits().foreign_types && !copied.foreign->encoded.empty()) return {};
  if (copied.type.kind == model::Kind::opaque) {
    return failure(Code::type, "attribute '{}' is {}: {} files have no attributes of such types", name,
                   copied.foreign->description, to.file->format().capabilities().name);
  }
  copied.foreign.reset();
  return {};
}

// An attribute that cannot be copied counts as a definition that failed, because in an eager file the other
// ranks wait for it.
Status copy(scorpio_file& from, int from_object, const char* name, scorpio_file& to, int to_object) {
  scorpio::session::Definitions& definitions = to.file->definitions();
  const Result<const model::Attribute*> found = find(from, from_object, name);
  const Status readable = found.ok() ? check_readable(**found, name_in(from, name)) : found.status();
  if (!readable.ok()) return definitions.reject(readable);
  const Result<std::string> path = to.file->objects().path_of(to_object);
  if (!path.ok()) return definitions.reject(path.status());
  model::Attribute copied = **found;
  copied.order = 0;  // the last one, unless it replaces another
  copied.strings = false;
  const Status adapted = adapt_foreign_type(to, name_in(from, name), copied);
  if (!adapted.ok()) return definitions.reject(adapted);
  return scorpio::capi::of_object(to, to_object,
                                  definitions.put_attribute(*path, name_in(to, name), std::move(copied)));
}

// Several texts of single characters along a dimension are one text, too.
Result<std::string> text_of(const model::Attribute& attribute, const std::string& name) {
  SCORPIO_TRY(check_readable(attribute, name));
  const size_t texts = attribute.value.size() / attribute.type.size_bytes;
  const bool several = texts > 1 && (attribute.type.size_bytes > 1 || attribute.strings);
  if (attribute.type.kind != model::Kind::text || several) {
    return failure(Code::type, "attribute '{}' is {} elements of type {}, not one text; {}", name, texts,
                   model::to_string(attribute.type), "read it with scorpio_attribute_get");
  }
  std::string text(reinterpret_cast<const char*>(attribute.value.data()), attribute.value.size());
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

// In order of definition.
Result<const std::vector<std::string>*> names_of(const scorpio_file& file, int object) {
  SCORPIO_ASSIGN(const std::string path, file.file->objects().path_of(object));
  return file.file->schema().objects().attribute_names(path);
}

}  // namespace

extern "C" {

int scorpio_attribute_put(scorpio_file* file, int object, const char* name, scorpio_type stored,
                          size_t element_bytes, int ndims, const int64_t* dims, scorpio_type type,
                          const void* value) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return put(*file, object, name, Value{stored, element_bytes, ndims, dims, type, value});
  });
}

int scorpio_attribute_put_text(scorpio_file* file, int object, const char* name, const char* text) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (text == nullptr) return file->file->definitions().reject(scorpio::capi::null_argument("text"));
    const int64_t bytes = static_cast<int64_t>(std::strlen(text));
    if (bytes == 0) return put(*file, object, name, Value{SCORPIO_TEXT, 1, 1, &bytes, SCORPIO_TEXT, nullptr});
    return put(*file, object, name,
               Value{SCORPIO_TEXT, static_cast<size_t>(bytes), 0, nullptr, SCORPIO_TEXT, text});
  });
}

int scorpio_attribute_put_values(scorpio_file* file, int object, const char* name, scorpio_type type,
                                 int64_t n, const void* values) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (type == SCORPIO_TEXT || type == SCORPIO_OPAQUE) {
      return file->file->definitions().reject(
          failure(Code::type, "attribute '{}' is not numeric; use scorpio_attribute_put{}",
                  name_in(*file, name), type == SCORPIO_TEXT ? "_text" : ""));
    }
    return put(*file, object, name, Value{type, 0, 1, &n, type, values});
  });
}

int scorpio_attribute_put_strings(scorpio_file* file, int object, const char* name, int64_t n,
                                  const char* const* strings) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return put(*file, object, name, n, strings);
  });
}

int scorpio_attribute_string_count(scorpio_file* file, int object, const char* name, int64_t* n) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (n == nullptr) return file->file->inquiry().reject(scorpio::capi::null_argument("n"));
    SCORPIO_ASSIGN(const model::Attribute* found, find(*file, object, name));
    const bool listed = !found->scalar && !found->value.empty() && file->file->layout().traits().strings;
    const bool texts = found->type.kind == model::Kind::text && (found->strings || listed);
    *n = texts ? static_cast<int64_t>(found->value.size() / found->type.size_bytes) : -1;
    return {};
  });
}

int scorpio_attribute_copy(scorpio_file* from_file, int from_object, const char* name, scorpio_file* to_file,
                           int to_object) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(from_file);
    SCORPIO_NOT_NULL(to_file);
    return copy(*from_file, from_object, name, *to_file, to_object);
  });
}

int scorpio_attribute_inquire(scorpio_file* file, int object, const char* name, scorpio_type* type,
                              size_t* element_bytes, int* ndims, int64_t* dims, int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found, find(*file, object, name));
    return inquire(found->type, found->dims, type, element_bytes, ndims, dims, capacity);
  });
}

int scorpio_attribute_access_inquire(scorpio_file* file, int object, const char* name, int* readable,
                                     char* reason, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found, find(*file, object, name));
    if (readable != nullptr) *readable = found->readable ? 1 : 0;
    return scorpio::capi::copy_text(found->unreadable, reason, capacity, length);
  });
}

int scorpio_attribute_type_describe(scorpio_file* file, int object, const char* name, char* text,
                                    size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found, find(*file, object, name));
    const std::string known =
        found->strings ? model::k_variable_length_string : model::to_string(found->type);
    return scorpio::capi::copy_text(found->foreign == nullptr ? known : found->foreign->description, text,
                                    capacity, length);
  });
}

int scorpio_attribute_get(scorpio_file* file, int object, const char* name, scorpio_type type, void* value,
                          size_t capacity_bytes) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found, find(*file, object, name));
    return copy_value(*file->file, *found, name_in(*file, name), type, value, capacity_bytes);
  });
}

int scorpio_attribute_get_text(scorpio_file* file, int object, const char* name, char* text, size_t capacity,
                               size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found, find(*file, object, name));
    SCORPIO_ASSIGN(const std::string value, text_of(*found, name_in(*file, name)));
    return scorpio::capi::copy_text(value, text, capacity, length);
  });
}

int scorpio_attribute_remove(scorpio_file* file, int object, const char* name) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    scorpio::session::Definitions& definitions = file->file->definitions();
    const Result<std::string> path = file->file->objects().path_of(object);
    if (!path.ok()) return definitions.reject(path.status());
    return scorpio::capi::of_object(*file, object, definitions.remove_attribute(*path, name_in(*file, name)));
  });
}

int scorpio_attribute_rename(scorpio_file* file, int object, const char* name, const char* new_name) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    scorpio::session::Definitions& definitions = file->file->definitions();
    const Result<std::string> path = file->file->objects().path_of(object);
    if (!path.ok()) return definitions.reject(path.status());
    return scorpio::capi::of_object(
        *file, object, definitions.rename_attribute(*path, name_in(*file, name), name_in(*file, new_name)));
  });
}

int scorpio_attribute_count(scorpio_file* file, int object, int* count) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(count);
    SCORPIO_ASSIGN(const auto* const names, names_of(*file, object));
    *count = static_cast<int>(names->size());
    return {};
  });
}

int scorpio_attribute_name(scorpio_file* file, int object, int i, char* name, size_t capacity,
                           size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const auto* const names, names_of(*file, object));
    if (i < 0 || i >= static_cast<int>(names->size())) {
      SCORPIO_ASSIGN(const std::string path, file->file->objects().path_of(object));
      return failure(Code::argument, "{} has no attribute number {}; it has {}", path, i, names->size());
    }
    return scorpio::capi::copy_text((*names)[static_cast<size_t>(i)], name, capacity, length);
  });
}

}  // extern "C"
