// The names of the attributes of one object in order of definition, so that a loop over all of them is
// linear. Local; pure.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/attribute.h"

namespace scorpio::model {

class ListedNames {
 public:
  // Null: another object was listed last, or none since forget(). Valid until the next change.
  const std::vector<std::string>* of(const std::string& object) const {
    return list_ && list_->object == object ? &list_->names : nullptr;
  }
  const std::vector<std::string>& list(const std::string& object, const Attributes& attributes) {
    list_.reset();
    List made{object, {}};
    for (const auto& entry : in_order(attributes)) made.names.push_back(entry->first);
    return list_.emplace(std::move(made)).names;
  }
  // `object` has one more attribute; `is_last`: it comes after all others.
  void add(const std::string& object, const std::string& name, bool is_last) {
    if (of(object) == nullptr) return;
    if (is_last) list_->names.push_back(name);
    if (!is_last) forget();
  }
  void forget() { list_.reset(); }

 private:
  struct List {
    std::string object;
    std::vector<std::string> names;
  };
  std::optional<List> list_;
};

}  // namespace scorpio::model
