// Attributes.
#include <cstring>
#include <vector>

#include "capi/convert.h"
#include "capi/guard.h"
#include "codec/conversion.h"
#include "scorpio/scorpio.h"
#include "session/variable_access.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::capi::inquire;
using scorpio::capi::name_in;
namespace model = scorpio::model;

namespace {

// All ranks keep all attributes.
constexpr int64_t k_most_bytes = int64_t{1} << 32;

Result<model::Attribute> attribute_of(scorpio_type type, size_t element_bytes, int ndims, const int64_t* dims,
                                      const void* value) {
  model::Attribute attribute;
  SCORPIO_ASSIGN(attribute.type, scorpio::capi::element_type(type, element_bytes));
  SCORPIO_ASSIGN(attribute.dims, scorpio::capi::extents(ndims, dims, "dims"));
  attribute.scalar = ndims == 0;
  SCORPIO_ASSIGN(const int64_t elements, scorpio::decomp::product(attribute.dims));
  if (elements > k_most_bytes / static_cast<int64_t>(attribute.type.size_bytes)) {
    return failure(Code::limit,
                   "an attribute of {} elements of {} bytes is longer than {} bytes; make it a variable",
                   elements, attribute.type.size_bytes, k_most_bytes);
  }
  const size_t bytes = static_cast<size_t>(elements) * attribute.type.size_bytes;
  if (bytes > 0 && value == nullptr) return failure(Code::argument, "the attribute's value is NULL");
  attribute.value.resize(bytes);
  if (bytes > 0) std::memcpy(attribute.value.data(), value, bytes);
  return attribute;
}

Status copy_value(const scorpio::session::File& file, const model::Attribute& attribute,
                  const std::string& name, scorpio_type type, void* value, size_t capacity_bytes) {
  if (!attribute.readable) {
    return failure(Code::unsupported, "attribute '{}' cannot be read: {}", name, attribute.unreadable);
  }
  SCORPIO_ASSIGN(const model::ElementType wanted,
                 scorpio::capi::element_type(type, attribute.type.size_bytes));
  SCORPIO_ASSIGN(const auto conversion, scorpio::codec::Conversion::make(
                                            attribute.type, scorpio::session::memory_type_for(
                                                                file.format(), attribute.type, wanted)));
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

// Names in order of definition.
Result<std::vector<std::string>> names_of(const scorpio_file& file, const char* object) {
  const model::Schema& schema = file.file->schema();
  SCORPIO_ASSIGN(const std::string path, schema.follow(name_in(file, object)));
  const model::Attributes* attributes = schema.attributes(path);
  if (attributes == nullptr) return failure(Code::not_found, "there is no group or variable {}", path);
  std::vector<std::string> names;
  for (const auto& entry : model::in_order(*attributes)) names.push_back(entry->first);
  return names;
}

}  // namespace

extern "C" {

int scorpio_attribute_put(scorpio_file* file, const char* object, const char* name, scorpio_type type,
                          size_t element_bytes, int ndims, const int64_t* dims, const void* value) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    Result<model::Attribute> attribute = attribute_of(type, element_bytes, ndims, dims, value);
    if (!attribute.ok()) return file->file->definitions().reject(attribute.status());
    return file->file->definitions().put_attribute(name_in(*file, object), name_in(*file, name),
                                                   std::move(attribute).value());
  });
}

int scorpio_attribute_inquire(scorpio_file* file, const char* object, const char* name, scorpio_type* type,
                              size_t* element_bytes, int* ndims, int64_t* dims, int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found,
                   file->file->inquiry().find_attribute(name_in(*file, object), name_in(*file, name)));
    return inquire(found->type, found->dims, type, element_bytes, ndims, dims, capacity);
  });
}

int scorpio_attribute_access_inquire(scorpio_file* file, const char* object, const char* name, int* readable,
                                     char* reason, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found,
                   file->file->inquiry().find_attribute(name_in(*file, object), name_in(*file, name)));
    if (readable != nullptr) *readable = found->readable ? 1 : 0;
    return scorpio::capi::copy_text(found->unreadable, reason, capacity, length);
  });
}

int scorpio_attribute_get(scorpio_file* file, const char* object, const char* name, scorpio_type type,
                          void* value, size_t capacity_bytes) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found,
                   file->file->inquiry().find_attribute(name_in(*file, object), name_in(*file, name)));
    return copy_value(*file->file, *found, name_in(*file, name), type, value, capacity_bytes);
  });
}

int scorpio_attribute_remove(scorpio_file* file, const char* object, const char* name) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().remove_attribute(name_in(*file, object), name_in(*file, name));
  });
}

int scorpio_attribute_rename(scorpio_file* file, const char* object, const char* name, const char* new_name) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().rename_attribute(name_in(*file, object), name_in(*file, name),
                                                      name_in(*file, new_name));
  });
}

int scorpio_attribute_count(scorpio_file* file, const char* object, int* count) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(count);
    SCORPIO_ASSIGN(const auto names, names_of(*file, object));
    *count = static_cast<int>(names.size());
    return {};
  });
}

int scorpio_attribute_name(scorpio_file* file, const char* object, int i, char* name, size_t capacity,
                           size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const auto names, names_of(*file, object));
    if (i < 0 || i >= static_cast<int>(names.size())) {
      return failure(Code::argument, "{} has no attribute number {}; it has {}", name_in(*file, object), i,
                     names.size());
    }
    return scorpio::capi::copy_text(names[static_cast<size_t>(i)], name, capacity, length);
  });
}

}  // extern "C"
