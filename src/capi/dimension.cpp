// Dimensions.
#include "base/id_range.h"
#include "capi/convert.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::capi::name_in;
namespace model = scorpio::model;

namespace {

Result<const model::Dimension*> dimension_of(const scorpio_file& file, int dimension) {
  const auto& all = file.file->schema().dimensions().all();
  if (dimension >= 0 && dimension < static_cast<int>(all.size())) return &all[static_cast<size_t>(dimension)];
  return failure(Code::handle, "dimension id {} does not exist ({})", dimension,
                 scorpio::id_range(static_cast<int64_t>(all.size())));
}

}  // namespace

extern "C" {

int scorpio_dimension_define(scorpio_file* file, const char* name, int64_t length, int* dimension) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (dimension == nullptr)
      return file->file->definitions().reject(scorpio::capi::null_argument("dimension"));
    if (length < SCORPIO_UNLIMITED) {
      return file->file->definitions().reject(
          failure(Code::argument, "length {} of dimension {}: give 0 or more, or SCORPIO_UNLIMITED", length,
                  name_in(*file, name)));
    }
    SCORPIO_ASSIGN(*dimension, file->file->definitions().define_dimension(name_in(*file, name), length));
    return {};
  });
}

int scorpio_dimension_find(scorpio_file* file, const char* name, int* dimension) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(dimension);
    const auto found = file->file->schema().dimensions().find(name_in(*file, name));
    if (!found) return failure(Code::not_found, "the file has no dimension {}", name_in(*file, name));
    *dimension = *found;
    return {};
  });
}

int scorpio_dimension_inquire(scorpio_file* file, int dimension, char* name, size_t capacity,
                              size_t* name_length, int64_t* extent, int* unlimited) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Dimension* found, dimension_of(*file, dimension));
    if (extent != nullptr) *extent = found->extent;
    if (unlimited != nullptr) *unlimited = found->unlimited ? 1 : 0;
    return scorpio::capi::copy_text(found->name, name, capacity, name_length);
  });
}

int scorpio_dimension_path(scorpio_file* file, int dimension, char* path, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const model::Dimension* found, dimension_of(*file, dimension));
    return scorpio::capi::copy_text(found->path(), path, capacity, length);
  });
}

int scorpio_dimension_count(scorpio_file* file, int* count) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(count);
    *count = file->file->schema().dimensions().count();
    return {};
  });
}

int scorpio_dimension_rename(scorpio_file* file, int dimension, const char* name) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().rename_dimension(dimension, name_in(*file, name));
  });
}

}  // extern "C"
