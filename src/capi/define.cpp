// Groups, variables, links, attributes.
#include <algorithm>
#include <cstring>

#include "capi/convert.h"
#include "capi/guard.h"
#include "codec/convert.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::session::File;
namespace model = scorpio::model;

namespace {

Status inquire(const model::ElementType& stored, const std::vector<int64_t>& extents, scorpio_type* type,
               size_t* element_bytes, int* ndims, int64_t* dims, int capacity) {
  if (type != nullptr) *type = scorpio::capi::public_type(stored);
  if (element_bytes != nullptr) *element_bytes = stored.size_bytes;
  if (ndims != nullptr) *ndims = static_cast<int>(extents.size());
  const size_t n = std::min(extents.size(), static_cast<size_t>(std::max(capacity, 0)));
  if (dims != nullptr) std::copy_n(extents.begin(), n, dims);
  return {};
}

Result<model::Attribute> attribute_of(scorpio_type type, size_t element_bytes, int ndims, const int64_t* dims,
                                      const void* value) {
  model::Attribute attribute;
  SCORPIO_ASSIGN(attribute.type, scorpio::capi::element_type(type, element_bytes));
  SCORPIO_ASSIGN(attribute.dims, scorpio::capi::extents(ndims, dims, "dims"));
  attribute.scalar = ndims == 0;
  SCORPIO_ASSIGN(const int64_t elements, scorpio::decomp::product(attribute.dims));
  const size_t bytes = static_cast<size_t>(elements) * attribute.type.size_bytes;
  if (bytes > 0 && value == nullptr) return failure(Code::argument, "the attribute's value is NULL");
  attribute.value.resize(bytes);
  if (bytes > 0) std::memcpy(attribute.value.data(), value, bytes);
  return attribute;
}

Status copy_value(const model::Attribute& attribute, const std::string& name, scorpio_type type, void* value,
                  size_t capacity_bytes) {
  if (!attribute.readable) {
    return failure(Code::unsupported, "attribute '{}' has a type that cannot be represented here", name);
  }
  SCORPIO_ASSIGN(const model::ElementType wanted,
                 scorpio::capi::element_type(type, attribute.type.size_bytes));
  SCORPIO_ASSIGN(const auto conversion, scorpio::codec::Conversion::make(attribute.type, wanted));
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

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

}  // namespace

extern "C" {

int scorpio_file_object(scorpio_file* file, const char* path, int* kind) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(kind);
    SCORPIO_ASSIGN(const File::ObjectKind found, file->file->object_kind(text_of(path)));
    switch (found) {
      case File::ObjectKind::none:
        *kind = SCORPIO_OBJECT_NONE;
        break;
      case File::ObjectKind::group:
        *kind = SCORPIO_OBJECT_GROUP;
        break;
      case File::ObjectKind::variable:
        *kind = SCORPIO_OBJECT_VARIABLE;
        break;
      case File::ObjectKind::link:
        *kind = SCORPIO_OBJECT_LINK;
        break;
    }
    return {};
  });
}

int scorpio_file_variable_count(scorpio_file* file, int* count) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(count);
    const model::Schema& schema = file->file->schema();
    *count = 0;
    for (int i = 0; i < schema.variable_count(); ++i) *count += schema.alive(i) ? 1 : 0;
    return {};
  });
}

int scorpio_file_variable_path(scorpio_file* file, int i, char* path, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const model::Schema& schema = file->file->schema();
    int left = i;
    for (int v = 0; v < schema.variable_count() && i >= 0; ++v) {
      if (schema.alive(v) && left-- == 0) {
        return scorpio::capi::copy_text(schema.variable(v).path, path, capacity, length);
      }
    }
    return failure(Code::argument,
                   "there is no variable number {}; scorpio_file_variable_count says how many", i);
  });
}

int scorpio_group_define(scorpio_file* file, const char* path) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->define_group(text_of(path));
  });
}

int scorpio_variable_define(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                            const int64_t* dims, int* variable) {
  return scorpio_variable_define_sized(file, path, type, 0, ndims, dims, variable);
}

int scorpio_variable_define_sized(scorpio_file* file, const char* path, scorpio_type type,
                                  size_t element_bytes, int ndims, const int64_t* dims, int* variable) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(variable);
    auto element = scorpio::capi::element_type(type, element_bytes);
    auto extents = scorpio::capi::extents(ndims, dims, "dims");
    const Status arguments = scorpio::first_failure(element.status(), extents.status());
    if (!arguments.ok()) return file->file->reject(arguments);
    SCORPIO_ASSIGN(*variable,
                   file->file->define_variable(text_of(path), *element, std::move(extents).value()));
    return {};
  });
}

int scorpio_variable_find(scorpio_file* file, const char* path, int* variable) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(variable);
    SCORPIO_ASSIGN(*variable, file->file->find_variable(text_of(path)));
    return {};
  });
}

int scorpio_variable_inquire(scorpio_file* file, int variable, scorpio_type* type, size_t* element_bytes,
                             int* ndims, int64_t* dims, int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    return inquire(found->type, found->dims, type, element_bytes, ndims, dims, capacity);
  });
}

int scorpio_link_define(scorpio_file* file, const char* path, const char* target) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->define_link(text_of(path), text_of(target));
  });
}

int scorpio_object_remove(scorpio_file* file, const char* path) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->remove(text_of(path));
  });
}

int scorpio_attribute_put(scorpio_file* file, const char* object, const char* name, scorpio_type type,
                          size_t element_bytes, int ndims, const int64_t* dims, const void* value) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    Result<model::Attribute> attribute = attribute_of(type, element_bytes, ndims, dims, value);
    if (!attribute.ok()) return file->file->reject(attribute.status());
    return file->file->put_attribute(text_of(object), text_of(name), std::move(attribute).value());
  });
}

int scorpio_attribute_inquire(scorpio_file* file, const char* object, const char* name, scorpio_type* type,
                              size_t* element_bytes, int* ndims, int64_t* dims, int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found, file->file->find_attribute(text_of(object), text_of(name)));
    return inquire(found->type, found->dims, type, element_bytes, ndims, dims, capacity);
  });
}

int scorpio_attribute_get(scorpio_file* file, const char* object, const char* name, scorpio_type type,
                          void* value, size_t capacity_bytes) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Attribute* found, file->file->find_attribute(text_of(object), text_of(name)));
    return copy_value(*found, text_of(name), type, value, capacity_bytes);
  });
}

int scorpio_attribute_remove(scorpio_file* file, const char* object, const char* name) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->remove_attribute(text_of(object), text_of(name));
  });
}

}  // extern "C"
