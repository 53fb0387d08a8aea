// Brings the schema and the file together: what is written, or is not going to be, and what an application
// has changed through the live id.
#include <utility>

#include "model/path.h"
#include "model/schema.h"

namespace scorpio::model {

namespace {

bool same_shape(const Variable& a, const Variable& b) {
  return a.type == b.type && a.dims == b.dims && a.storage == b.storage;
}

void discard(Attributes& attributes, const PendingObject& pending) {
  if (pending.all_attributes) attributes.clear();
  for (const auto& [name, replaces] : pending.attributes) attributes.erase(name);
}

}  // namespace

void Schema::settle() { pending_ = {}; }

void Schema::discard_pending() {
  const Pending pending = std::exchange(pending_, {});
  members_.clear();
  names_.forget();
  for (const auto& [index, object] : pending.variables) {
    if (!alive(index)) continue;
    if (object.is_new) {
      drop(variables_[index].path);
    } else {
      discard(variables_[index].attributes, object);
    }
  }
  for (const std::string& path : pending.links) links_.erase(path);
  for (const auto& [path, object] : pending.groups) {
    const auto group = groups_.find(path);
    if (group == groups_.end()) continue;
    if (object.is_new) {
      groups_.erase(group);
    } else {
      discard(group->second.attributes, object);
    }
  }
}

void Schema::drop(const std::string& path) {
  const Result<std::string> normal = normalise(path);
  if (!normal.ok() || *normal == "/") return;
  members_.clear();
  names_.forget();
  std::erase_if(groups_, [&](const auto& entry) { return at_or_below(entry.first, *normal); });
  std::erase_if(links_, [&](const auto& entry) { return at_or_below(entry.first, *normal); });
  std::erase_if(others_, [&](const auto& entry) { return at_or_below(entry.first, *normal); });
  for (const int variable : variables_.at_or_below(*normal)) variables_.remove(variable);
  const auto is_gone = [&](const std::string& object) { return at_or_below(object, *normal); };
  std::erase_if(pending_.groups, [&](const auto& entry) { return is_gone(entry.first); });
  std::erase_if(pending_.links, is_gone);
  std::erase_if(pending_.variables, [&](const auto& entry) { return !alive(entry.first); });
}

Status Schema::adopt(const Schema& found, const std::string& path, bool same_place) {
  SCORPIO_ASSIGN(const std::string normal, normalise(path));
  members_.clear();
  names_.forget();
  for (std::string up = parent(normal); up != "/"; up = parent(up)) {
    groups_[up];
    pending_.groups.erase(up);
  }
  if (const auto index = found.find_variable(normal)) {
    Variable theirs = found.variable(*index);
    const auto mine = find_variable(normal);
    if (mine && same_place && same_shape(variable(*mine), theirs)) {
      variable(*mine).attributes = theirs.attributes;
      pending_.variables.erase(*mine);
      return {};
    }
    drop(normal);
    SCORPIO_ASSIGN(const int added, add_variable(std::move(theirs)));
    pending_.variables.erase(added);
  } else if (const auto link = found.links().find(normal); link != found.links().end()) {
    drop(normal);
    links_[normal] = link->second;
    pending_.links.erase(normal);
  } else if (found.has_group(normal)) {
    if (find_variable(normal) || links_.contains(normal)) drop(normal);
    groups_[normal] = {*found.attributes(normal)};
    pending_.groups.erase(normal);
  }
  return {};
}

}  // namespace scorpio::model
