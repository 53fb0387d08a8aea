// The named dimensions of a file, in order of definition. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/dimension.h"

namespace scorpio::model {

class Dimensions {
 public:
  const std::vector<Dimension>& all() const { return all_; }
  int count() const { return static_cast<int>(all_.size()); }
  bool contains(int index) const { return index >= 0 && static_cast<size_t>(index) < all_.size(); }
  const Dimension& operator[](int index) const { return all_[static_cast<size_t>(index)]; }

  std::optional<int> find(const std::string& group, const std::string& name) const;
  // By path ("/a/x"), or by name: that of the root group, else the first one with this name in any group.
  std::optional<int> find(const std::string& name) const;
  // Returns the index: dense, never changed. Code::name, Code::exists, or Code::argument for the extent.
  Result<int> add(Dimension dimension);
  // Code::handle, Code::name or Code::exists.
  Status rename(int index, const std::string& name);
  // The root group has no dimension of this name.
  void move_to_root(int index);
  // Removes the dimensions after the first `kept`.
  void drop(size_t kept);

  // The unlimited ones, ascending.
  const std::vector<int>& unlimited() const { return unlimited_; }
  // The extent of the first unlimited one; 0 without one.
  int64_t records() const { return unlimited_.empty() ? 0 : (*this)[unlimited_.front()].extent; }
  // Increases the extent to at least `extent`; returns whether it was less.
  bool grow(int index, int64_t extent);

 private:
  // Called when the dimension has its group and name, and while it still has them.
  void enter_names(int index);
  void erase_names(int index);

  std::vector<Dimension> all_;
  std::map<std::pair<std::string, std::string>, int> by_name_;  // [group, name]
  std::map<std::string, std::set<int>> of_name_;                // in all groups; none is empty
  std::vector<int> unlimited_;
};

}  // namespace scorpio::model
