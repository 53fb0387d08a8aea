#include "session/definitions/inquiry.h"

#include "base/guarded.h"
#include "base/hash.h"
#include "comm/agree.h"
#include "model/path.h"
#include "model/schema_adopt.h"
#include "session/state/variable_access.h"

namespace scorpio::session {

namespace {

// The name of all inquiries of an eager file in the comparison of calls. The agreement of each one compares
// the paths.
constexpr const char* k_inquiry = "an inquiry";
// The number of links that the schema follows one after the other.
constexpr int k_most_links = 16;

Status agree_on_path(const comm::Group& comm, const Status& mine, const std::string& path) {
  return comm::agree_equal(comm, mine, fnv1a(path), "paths for an inquiry", {}, [&path] { return path; });
}

}  // namespace

// The metadata rank tells all ranks whether another link is to be followed.
Status Inquiry::refresh(const std::string& path) {
  const auto& schema = core_.contents.schema();
  const Result<std::string> normal = model::normalise(path);
  std::string next = normal.ok() ? *normal : path;
  const Result<std::string> group = schema.objects().follow(model::parent(next));
  if (normal.ok() && next != "/" && group.ok()) {
    next = (*group == "/" ? "" : *group) + "/" + model::leaf(next);
  }
  for (int links = 0; links <= k_most_links; ++links) {
    SCORPIO_ASSIGN(const bool is_link, refresh_one(next));
    const Result<std::string> target = schema.objects().follow(next);
    if (!is_link || !target.ok()) break;
    next = *target;
  }
  return {};
}

Result<bool> Inquiry::refresh_one(const std::string& path) {
  const auto scope = core_.setting.counted();
  std::vector<std::byte> bytes;
  Status status;
  if (core_.metadata != nullptr) {
    status = guarded([&] {
      const Result<format::Contents> found = core_.metadata->library().inspect(path);
      if (found.ok()) bytes = format::serialise(found->schema, found->placements);
      return found.status();
    });
    if (status.code() == Code::not_found || status.code() == Code::name) status = {};
  }
  SCORPIO_TRY(agree_on_path(core_.setting.comm(), status, path));
  SCORPIO_TRY(core_.setting.comm().broadcast(bytes, core_.setting.system().metadata_rank()));
  if (bytes.empty()) {
    model::drop(core_.contents.schema(), path);
    return false;
  }
  SCORPIO_ASSIGN(const format::Contents found, format::deserialise(bytes));
  SCORPIO_TRY(format::adopt(core_.contents.schema(), core_.contents.layout().placements(), found, path));
  return !found.schema.objects().links().empty();
}

Result<std::string> Inquiry::followed(const std::string& path) {
  if (core_.setting.eager()) SCORPIO_TRY(refresh(path));
  return core_.contents.schema().objects().follow(path);
}

Result<int> Inquiry::find_variable(const std::string& path) {
  if (core_.setting.eager()) core_.calls.enter(k_inquiry);
  SCORPIO_ASSIGN(const std::string normal, followed(path));
  if (const auto index = core_.contents.schema().objects().find_variable(normal)) return *index;
  return failure(Code::not_found, "{} has no variable {}", core_.contents.path(), normal);
}

Result<const model::Attribute*> Inquiry::find_attribute(const std::string& object, const std::string& name) {
  if (core_.setting.eager()) core_.calls.enter(k_inquiry);
  SCORPIO_ASSIGN(const std::string normal, followed(object));
  const model::Attributes* attributes = core_.contents.schema().objects().attributes(normal);
  if (attributes == nullptr)
    return failure(Code::not_found, "{} has no group or variable {}", core_.contents.path(), normal);
  const auto at = attributes->find(name);
  if (at == attributes->end()) {
    return failure(Code::not_found, "{} of {} has no attribute '{}'", normal, core_.contents.path(), name);
  }
  return &at->second;
}

Result<std::string> Inquiry::find_group(const std::string& path) {
  if (core_.setting.eager()) core_.calls.enter(k_inquiry);
  SCORPIO_ASSIGN(std::string normal, followed(path));
  if (core_.contents.schema().objects().has_group(normal)) return normal;
  return failure(Code::not_found, "{} has no group {}", core_.contents.path(), normal);
}

Result<Inquiry::Object> Inquiry::find_object(const std::string& path) {
  if (core_.setting.eager()) core_.calls.enter(k_inquiry);
  if (core_.setting.eager()) SCORPIO_TRY(refresh(path));
  SCORPIO_ASSIGN(const std::string normal, model::normalise(path));
  const Result<std::string> target = core_.contents.schema().objects().follow(path);
  if (target.ok() && core_.contents.schema().objects().has_group(*target))
    return Object{ObjectKind::group, *target};
  if (target.ok() && core_.contents.schema().objects().find_variable(*target))
    return Object{ObjectKind::variable, *target};
  return Object{
      core_.contents.schema().objects().links().contains(normal) ? ObjectKind::link : ObjectKind::none, {}};
}

Result<std::string> Inquiry::link_target(const std::string& path) {
  if (core_.setting.eager()) core_.calls.enter(k_inquiry);
  if (core_.setting.eager()) SCORPIO_TRY(refresh(path));
  SCORPIO_ASSIGN(const std::string normal, model::normalise(path));
  SCORPIO_ASSIGN(const std::string group, core_.contents.schema().objects().follow(model::parent(normal)));
  const auto& links = core_.contents.schema().objects().links();
  const auto link = links.find((group == "/" ? "" : group) + "/" + model::leaf(normal));
  if (link != links.end()) return link->second.target;
  return failure(Code::not_found, "{} has no soft link {}", core_.contents.path(), normal);
}

Status Inquiry::reject(const Status& why) {
  if (!core_.setting.eager()) return why;
  core_.calls.enter(k_inquiry);
  return agree_on_path(core_.setting.comm(), why, {});  // the others are in refresh()
}

Status Inquiry::check_access(int index, bool reading) const {
  SCORPIO_ASSIGN(const model::Variable* found, core_.contents.variable(index));
  if (reading) return check_readable(*found);
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  return check_overwritable(*found, core_.contents.layout().placement(index));
}

}  // namespace scorpio::session
