// Groups, links, and the object at a path.
#include "capi/convert.h"
#include "capi/guard.h"
#include "model/path.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::copy_text;
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

struct Member {
  std::string name;
  int kind = SCORPIO_OBJECT_NONE;
  int object = 0;  // 0 for a link
};

Result<Member> member_of(scorpio_file& file, const std::string& group, int i) {
  const model::Schema& schema = file.file->schema();
  const model::Members& members = schema.objects().members(group);
  if (i < 0 || static_cast<size_t>(i) >= members.count()) {
    return failure(Code::argument, "group {} has no member number {}; it has {}", group, i, members.count());
  }
  auto at = static_cast<size_t>(i);
  if (at < members.groups.size()) {
    const std::string path = (group == "/" ? "" : group) + "/" + members.groups[at];
    return Member{members.groups[at], SCORPIO_OBJECT_GROUP, file.file->objects().of_group(path)};
  }
  at -= members.groups.size();
  if (at < members.variables.size()) {
    const int variable = members.variables[at];
    return Member{model::leaf(schema.variables()[variable].path), SCORPIO_OBJECT_VARIABLE, variable};
  }
  return Member{members.links[at - members.variables.size()], SCORPIO_OBJECT_LINK, 0};
}

}  // namespace

extern "C" {

int scorpio_group_define(scorpio_file* file, const char* path, int* group) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const std::string name = name_in(*file, path);
    SCORPIO_TRY(file->file->definitions().define_group(name));
    SCORPIO_ASSIGN(const std::string normal, model::normalise(name));
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

int scorpio_group_path(scorpio_file* file, int group, char* path, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const std::string found, file->file->objects().path_of_group(group));
    return copy_text(found, path, capacity, length);
  });
}

int scorpio_group_count(scorpio_file* file, int group, int* members) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(members);
    SCORPIO_ASSIGN(const std::string path, file->file->objects().path_of_group(group));
    *members = static_cast<int>(file->file->schema().objects().members(path).count());
    return {};
  });
}

int scorpio_group_member(scorpio_file* file, int group, int i, char* name, size_t capacity, size_t* length,
                         int* kind, int* object) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const std::string path, file->file->objects().path_of_group(group));
    SCORPIO_ASSIGN(const Member member, member_of(*file, path, i));
    if (kind != nullptr) *kind = member.kind;
    if (object != nullptr && member.kind != SCORPIO_OBJECT_LINK) *object = member.object;
    return copy_text(member.name, name, capacity, length);
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
      *object = *file->file->schema().objects().find_variable(found.path);
    return {};
  });
}

int scorpio_link_define(scorpio_file* file, const char* path, const char* target) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().define_link(name_in(*file, path), name_in(*file, target));
  });
}

int scorpio_link_target(scorpio_file* file, const char* path, char* target, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const std::string found, file->file->inquiry().link_target(name_in(*file, path)));
    return copy_text(found, target, capacity, length);
  });
}

int scorpio_object_remove(scorpio_file* file, const char* path) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->definitions().remove(name_in(*file, path));
  });
}

}  // extern "C"
