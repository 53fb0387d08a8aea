// Variables, with their fill values.
#include <algorithm>

#include "capi/convert.h"
#include "capi/guard.h"
#include "codec/conversion.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::first_failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::copy_some;
using scorpio::capi::guarded;
namespace model = scorpio::model;

namespace {

int define_variable(scorpio_file* file, const char* path, scorpio_type type, size_t element_bytes, int ndims,
                    const int64_t* dims, int* variable, const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (variable == nullptr)
      return file->file->definitions().reject(scorpio::capi::null_argument("variable"));
    auto element = scorpio::capi::element_type(type, element_bytes);
    auto extents = scorpio::capi::extents(ndims, dims, "dims");
    const Status arguments = first_failure(element.status(), extents.status());
    if (!arguments.ok()) return file->file->definitions().reject(arguments);
    SCORPIO_ASSIGN(*variable, file->file->definitions().define_variable(
                                  scorpio::capi::name_in(*file, path), *element, std::move(extents).value()));
    return {};
  };
  return guarded(body, call);
}

int define_variable_on(scorpio_file* file, const char* path, scorpio_type type, size_t element_bytes,
                       int ndims, const int* dimensions, int* variable,
                       const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (variable == nullptr)
      return file->file->definitions().reject(scorpio::capi::null_argument("variable"));
    const auto element = scorpio::capi::element_type(type, element_bytes);
    Status arguments = first_failure(element.status(), scorpio::capi::check_ndims(ndims));
    if (arguments.ok() && ndims > 0 && dimensions == nullptr) {
      arguments = scorpio::capi::null_argument("dimensions");
    }
    if (!arguments.ok()) return file->file->definitions().reject(arguments);
    SCORPIO_ASSIGN(*variable, file->file->definitions().define_variable_on(
                                  scorpio::capi::name_in(*file, path), *element,
                                  std::vector<int>(dimensions, dimensions + ndims)));
    return {};
  };
  return guarded(body, call);
}

Result<model::ByteOrder> byte_order(scorpio_endianness endianness) {
  switch (endianness) {
    case SCORPIO_ENDIAN_NATIVE:
      return model::native(model::Kind::int32).order;
    case SCORPIO_ENDIAN_LITTLE:
      return model::ByteOrder::little;
    case SCORPIO_ENDIAN_BIG:
      return model::ByteOrder::big;
  }
  return failure(Code::argument, "{} is not a byte order; use SCORPIO_ENDIAN_NATIVE, _LITTLE or _BIG",
                 static_cast<int>(endianness));
}

scorpio_storage storage_of(const model::Variable& variable) {
  switch (variable.storage.form) {
    case model::Storage::Form::plain:
      return variable.records ? SCORPIO_STORAGE_RECORDS : SCORPIO_STORAGE_CONTIGUOUS;
    case model::Storage::Form::chunked:
      return SCORPIO_STORAGE_CHUNKED;
    case model::Storage::Form::compact:
      return SCORPIO_STORAGE_COMPACT;
    case model::Storage::Form::external:
      return SCORPIO_STORAGE_EXTERNAL;
    case model::Storage::Form::virtual_dataset:
      return SCORPIO_STORAGE_VIRTUAL;
    default:
      return SCORPIO_STORAGE_UNKNOWN;
  }
}

}  // namespace

extern "C" {

int scorpio_variable_path(scorpio_file* file, int variable, char* path, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    return scorpio::capi::copy_text(found->path, path, capacity, length);
  });
}

int scorpio_variable_type_describe(scorpio_file* file, int variable, char* text, size_t capacity,
                                   size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    model::ElementType type = found->type;
    type.order = found->byte_order();
    return scorpio::capi::copy_text(
        found->foreign_type.empty() ? model::to_string(type) : found->foreign_type, text, capacity, length);
  });
}

int scorpio_variable_define(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                            const int64_t* dims, int* variable) {
  return define_variable(file, path, type, 0, ndims, dims, variable);
}

int scorpio_variable_define_sized(scorpio_file* file, const char* path, scorpio_type type,
                                  size_t element_bytes, int ndims, const int64_t* dims, int* variable) {
  return define_variable(file, path, type, element_bytes, ndims, dims, variable);
}

int scorpio_variable_find(scorpio_file* file, const char* path, int* variable) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (variable == nullptr) return file->file->inquiry().reject(scorpio::capi::null_argument("variable"));
    SCORPIO_ASSIGN(*variable, file->file->inquiry().find_variable(scorpio::capi::name_in(*file, path)));
    return {};
  });
}

int scorpio_variable_inquire(scorpio_file* file, int variable, scorpio_type* type, size_t* element_bytes,
                             int* ndims, int64_t* dims, int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    return scorpio::capi::inquire(found->type, found->dims, type, element_bytes, ndims, dims, capacity);
  });
}

int scorpio_variable_define_on(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                               const int* dimensions, int* variable) {
  return define_variable_on(file, path, type, 1, ndims, dimensions, variable);
}

int scorpio_variable_define_sized_on(scorpio_file* file, const char* path, scorpio_type type,
                                     size_t element_bytes, int ndims, const int* dimensions, int* variable) {
  return define_variable_on(file, path, type, element_bytes, ndims, dimensions, variable);
}

int scorpio_variable_access_inquire(scorpio_file* file, int variable, int* readable, int* writable,
                                    char* reason, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_TRY(file->file->variable(variable).status());
    const Status read = file->file->inquiry().check_access(variable, true);
    const Status written = file->file->inquiry().check_access(variable, false);
    if (readable != nullptr) *readable = read.ok() ? 1 : 0;
    if (writable != nullptr) *writable = written.ok() ? 1 : 0;
    return scorpio::capi::copy_text(first_failure(read, written).text(), reason, capacity, length);
  });
}

int scorpio_variable_dimensions(scorpio_file* file, int variable, int* dimensions, int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    if (capacity > 0) SCORPIO_NOT_NULL(dimensions);
    const size_t n = std::min(found->dims.size(), static_cast<size_t>(std::max(capacity, 0)));
    for (size_t d = 0; d < n; ++d)
      dimensions[d] = found->dimensions.empty() ? -1 : std::max(found->dimensions[d], -1);
    return {};
  });
}

int scorpio_variable_unlimited(scorpio_file* file, int variable, int* unlimited, int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    if (capacity > 0) SCORPIO_NOT_NULL(unlimited);
    const auto& dimensions = file->file->schema().dimensions().all();
    const size_t n = std::min(found->dims.size(), static_cast<size_t>(std::max(capacity, 0)));
    for (size_t d = 0; d < n; ++d) {
      const int named = found->dimensions.empty() ? -1 : found->dimensions[d];
      const bool grows = named >= 0 ? dimensions[static_cast<size_t>(named)].unlimited
                                    : d < 32 && (found->extensible >> d & 1) != 0;
      unlimited[d] = grows ? 1 : 0;
    }
    return {};
  });
}

int scorpio_variable_define_chunks(scorpio_file* file, int variable, const int64_t* chunk) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const auto found = file->file->variable(variable);
    const size_t ndims = found.ok() ? (*found)->dims.size() : 0;
    if (chunk == nullptr && ndims > 0)
      return file->file->definitions().reject(scorpio::capi::null_argument("chunk"));
    return file->file->definitions().define_chunks(variable, std::vector<int64_t>(chunk, chunk + ndims));
  });
}

int scorpio_variable_define_filters(scorpio_file* file, int variable, int nfilters, const int* filters,
                                    const int* parameters) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (nfilters > 0 && (filters == nullptr || parameters == nullptr)) {
      const char* name = filters == nullptr ? "filters" : "parameters";
      return file->file->definitions().reject(scorpio::capi::null_argument(name));
    }
    if (nfilters < 0) {
      return file->file->definitions().reject(
          failure(Code::argument, "the number of filters is {}; give 0 for none, or more", nfilters));
    }
    return file->file->definitions().define_filters(variable, std::vector<int>(filters, filters + nfilters),
                                                    std::vector<int>(parameters, parameters + nfilters));
  });
}

int scorpio_variable_define_quantization(scorpio_file* file, int variable, scorpio_quantization mode,
                                         int digits) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().define_quantization(variable, static_cast<int>(mode), digits);
  });
}

int scorpio_variable_filters(scorpio_file* file, int variable, int* filters, int* parameters, int capacity,
                             int* nfilters) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    if (nfilters != nullptr) *nfilters = static_cast<int>(found->storage.filters.size());
    copy_some(found->storage.filters, filters, capacity);
    copy_some(found->storage.parameters, parameters, capacity);
    return {};
  });
}

int scorpio_variable_define_endianness(scorpio_file* file, int variable, scorpio_endianness endianness) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const auto order = byte_order(endianness);
    if (!order.ok()) return file->file->definitions().reject(order.status());
    return file->file->definitions().define_byte_order(variable, *order);
  });
}

int scorpio_variable_endianness(scorpio_file* file, int variable, scorpio_endianness* endianness) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(endianness);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    const bool big = found->byte_order() == model::ByteOrder::big;
    const bool ordered = model::is_numeric(found->type.kind);
    *endianness = !ordered ? SCORPIO_ENDIAN_NATIVE : big ? SCORPIO_ENDIAN_BIG : SCORPIO_ENDIAN_LITTLE;
    return {};
  });
}

int scorpio_variable_storage(scorpio_file* file, int variable, scorpio_storage* storage, int64_t* chunk,
                             int capacity, int* filters, int filter_capacity, int* nfilters) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    if (storage != nullptr) *storage = storage_of(*found);
    if (nfilters != nullptr) *nfilters = static_cast<int>(found->storage.filters.size());
    copy_some(found->storage.chunk, chunk, capacity);
    copy_some(found->storage.filters, filters, filter_capacity);
    return {};
  });
}

int scorpio_variable_rename(scorpio_file* file, int variable, const char* name) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().rename_variable(variable, scorpio::capi::name_in(*file, name));
  });
}

int scorpio_variable_fill_define(scorpio_file* file, int variable, int filled, const void* value) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().define_fill(variable, filled != 0, value);
  });
}

int scorpio_variable_fill_inquire(scorpio_file* file, int variable, int* filled, void* value,
                                  size_t capacity_bytes) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    if (filled != nullptr) *filled = found->filled ? 1 : 0;
    if (value == nullptr) return {};
    if (capacity_bytes < found->type.size_bytes) {
      return failure(Code::argument, "the fill value of {} takes {} bytes, the buffer has {}", found->path,
                     found->type.size_bytes, capacity_bytes);
    }
    const auto native = model::native(found->type.kind, found->type.size_bytes);
    SCORPIO_ASSIGN(const auto conversion, scorpio::codec::Conversion::make(found->type, native));
    (void)conversion.apply(file->file->fills().fill_value(*found).data(), static_cast<std::byte*>(value), 1);
    return {};
  });
}

}  // extern "C"
