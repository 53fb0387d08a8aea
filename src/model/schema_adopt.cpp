// Keeping the model in step with a file that others change, too (a client of the live id).
#include <algorithm>
#include <utility>

#include "model/schema.h"

namespace scorpio::model {

namespace {

void mark(Attributes& attributes) {
  for (auto& [name, attribute] : attributes) attribute.committed = true;
}

bool same_shape(const Variable& a, const Variable& b) { return a.type == b.type && a.dims == b.dims; }

}  // namespace

void Schema::mark_committed() {
  for (const std::string& path : pending_.groups) {
    const auto group = groups_.find(path);
    if (group == groups_.end()) continue;
    group->second.committed = true;
    mark(group->second.attributes);
  }
  for (const int index : pending_.variables) {
    Variable& variable = variables_[static_cast<size_t>(index)];
    variable.committed = true;
    mark(variable.attributes);
  }
  for (const std::string& path : pending_.links) {
    if (const auto link = links_.find(path); link != links_.end()) link->second.committed = true;
  }
  pending_ = {};
  graveyard_.clear();
}

namespace {

void discard(Attributes& attributes) {
  std::erase_if(attributes, [](const auto& entry) { return !entry.second.committed; });
}

}  // namespace

void Schema::discard_pending() {
  const Pending pending = std::exchange(pending_, {});
  for (const int index : pending.variables) {
    Variable& variable = variables_[static_cast<size_t>(index)];
    if (variable.committed) {
      discard(variable.attributes);
    } else if (alive(index)) {
      drop(variable.path);
    }
  }
  for (const std::string& path : pending.links) {
    if (const auto link = links_.find(path); link != links_.end() && !link->second.committed)
      links_.erase(link);
  }
  for (const std::string& path : pending.groups) {
    const auto group = groups_.find(path);
    if (group == groups_.end()) continue;
    if (group->second.committed || path == "/") {
      discard(group->second.attributes);
    } else {
      groups_.erase(group);
    }
  }
  graveyard_.clear();
}

void Schema::drop(const std::string& path) {
  const Result<std::string> normal = normalise(path);
  if (!normal.ok() || *normal == "/") return;
  std::erase_if(groups_, [&](const auto& entry) { return at_or_below(entry.first, *normal); });
  std::erase_if(links_, [&](const auto& entry) { return at_or_below(entry.first, *normal); });
  std::erase_if(by_path_, [&](const auto& entry) {
    const bool gone = at_or_below(entry.first, *normal);
    if (gone) alive_[static_cast<size_t>(entry.second)] = false;
    return gone;
  });
}

Status Schema::adopt(const Schema& found, const std::string& path, bool same_place) {
  SCORPIO_ASSIGN(const std::string normal, normalise(path));
  for (std::string up = parent(normal); up != "/"; up = parent(up)) groups_[up].committed = true;
  if (const auto index = found.find_variable(normal)) {
    Variable theirs = found.variable(*index);
    const auto mine = find_variable(normal);
    if (mine && same_place && same_shape(variable(*mine), theirs)) {
      variable(*mine).attributes = theirs.attributes;
      return {};
    }
    drop(normal);
    theirs.committed = true;
    SCORPIO_ASSIGN(const int added, add_variable(std::move(theirs)));
    (void)added;
  } else if (const auto link = found.links().find(normal); link != found.links().end()) {
    drop(normal);
    links_[normal] = {link->second.target, true};
  } else if (found.has_group(normal)) {
    if (find_variable(normal) || links_.contains(normal)) drop(normal);
    groups_[normal] = {*found.attributes(normal), true};
  }
  return {};
}

}  // namespace scorpio::model
