// Groups, links, and what a path names.
#include "capi/convert.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::capi::name_in;
using scorpio::session::Inquiry;
namespace model = scorpio::model;

namespace {

int kind_of(Inquiry::ObjectKind kind) {
  switch (kind) {
    case Inquiry::ObjectKind::group:
      return SCORPIO_OBJECT_GROUP;
    case Inquiry::ObjectKind::variable:
      return SCORPIO_OBJECT_VARIABLE;
    case Inquiry::ObjectKind::link:
      return SCORPIO_OBJECT_LINK;
    default:
      return SCORPIO_OBJECT_NONE;
  }
}

}  // namespace

extern "C" {

int scorpio_group_define(scorpio_file* file, const char* path, int* group) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const std::string name = name_in(*file, path);
    SCORPIO_TRY(file->file->definitions().define_group(name));
    SCORPIO_ASSIGN(const std::string normal, model::Schema::normalise(name));
    if (group != nullptr) *group = file->file->objects().of_group(normal);
    return {};
  });
}

int scorpio_group_find(scorpio_file* file, const char* path, int* group) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (group == nullptr) return file->file->inquiry().reject(scorpio::capi::null_argument("group"));
    SCORPIO_ASSIGN(const std::string found, file->file->inquiry().find_group(name_in(*file, path)));
    *group = file->file->objects().of_group(found);
    return {};
  });
}

int scorpio_object_find(scorpio_file* file, const char* path, int* kind, int* object) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const Inquiry::Object found, file->file->inquiry().find_object(name_in(*file, path)));
    if (kind != nullptr) *kind = kind_of(found.kind);
    if (object == nullptr) return {};
    if (found.kind == Inquiry::ObjectKind::group) *object = file->file->objects().of_group(found.path);
    if (found.kind == Inquiry::ObjectKind::variable)
      *object = *file->file->schema().find_variable(found.path);
    return {};
  });
}

int scorpio_link_define(scorpio_file* file, const char* path, const char* target) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().define_link(name_in(*file, path), name_in(*file, target));
  });
}

int scorpio_object_remove(scorpio_file* file, const char* path) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().remove(name_in(*file, path));
  });
}

}  // extern "C"
