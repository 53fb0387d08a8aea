#include "model/schema_adopt.h"

#include <utility>

#include "model/path.h"

namespace scorpio::model {

namespace {

bool same_shape(const Variable& a, const Variable& b) {
  return a.type == b.type && a.dims == b.dims && a.storage == b.storage;
}

void discard(Objects& objects, const std::string& path, const PendingObject& pending) {
  if (pending.all_attributes) return objects.set_attributes(path, {});
  const Objects::Holder holder = objects.holder_of(path);
  for (const auto& [name, replaces] : pending.attributes) objects.remove_attribute(holder, name);
}

}  // namespace

void discard_pending(Schema& schema) {
  const Pending pending = std::exchange(schema.pending_, {});
  Objects& objects = schema.objects_;
  for (const auto& [index, object] : pending.variables) {
    if (!objects.variables().alive(index)) continue;
    const std::string path = objects.variables()[index].path;
    if (object.is_new) {
      drop(schema, path);
    } else {
      discard(objects, path, object);
    }
  }
  for (const std::string& path : pending.links) objects.remove_link(path);
  for (const auto& [path, object] : pending.groups) {
    if (!objects.groups().contains(path)) continue;
    if (object.is_new) {
      objects.remove_group(path);
    } else {
      discard(objects, path, object);
    }
  }
}

void drop(Schema& schema, const std::string& path) {
  const Result<std::string> normal = normalise(path);
  if (!normal.ok() || *normal == "/") return;
  schema.objects_.remove_all(*normal);
  Pending& pending = schema.pending_;
  const auto is_gone = [&](const std::string& object) { return at_or_below(object, *normal); };
  std::erase_if(pending.groups, [&](const auto& entry) { return is_gone(entry.first); });
  std::erase_if(pending.links, is_gone);
  std::erase_if(pending.variables, [&](const auto& entry) { return !schema.variables().alive(entry.first); });
}

// What is added is in the file, so that it is not pending.
class Adoption {
 public:
  Adoption(Schema& schema, const std::string& path)
      : schema_(schema), objects_(schema.objects_), pending_(schema.pending_), path_(path) {}

  void add_way() {
    (void)objects_.add_group(parent(path_));
    for (std::string up = parent(path_); up != "/"; up = parent(up)) pending_.groups.erase(up);
  }

  Status add_variable(const Variable& theirs, bool same_place) {
    const std::optional<int> mine = objects_.variables().find(path_);
    if (mine && same_place && same_shape(objects_.variables()[*mine], theirs)) {
      objects_.set_attributes(path_, theirs.attributes);
      pending_.variables.erase(*mine);
      return {};
    }
    drop(schema_, path_);
    SCORPIO_ASSIGN(const int added, schema_.add_variable(theirs));
    pending_.variables.erase(added);
    return {};
  }

  void add_link(const SoftLink& link) {
    drop(schema_, path_);
    objects_.add_link(path_, link);
    pending_.links.erase(path_);
  }

  void add_group(const Attributes& attributes) {
    if (objects_.variables().contains(path_) || objects_.links().contains(path_)) drop(schema_, path_);
    (void)objects_.add_group(path_);
    objects_.set_attributes(path_, attributes);
    pending_.groups.erase(path_);
  }

 private:
  Schema& schema_;
  Objects& objects_;
  Pending& pending_;
  const std::string& path_;
};

Status adopt(Schema& schema, const Schema& found, const std::string& path, bool same_place) {
  SCORPIO_ASSIGN(const std::string normal, normalise(path));
  Adoption adoption(schema, normal);
  adoption.add_way();
  const Objects& theirs = found.objects();
  if (const auto index = theirs.find_variable(normal))
    return adoption.add_variable(theirs.variables()[*index], same_place);
  if (const auto link = theirs.links().find(normal); link != theirs.links().end()) {
    adoption.add_link(link->second);
  } else if (theirs.has_group(normal)) {
    adoption.add_group(*theirs.attributes(normal));
  }
  return {};
}

}  // namespace scorpio::model
