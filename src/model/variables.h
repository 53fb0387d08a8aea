// The variables of a file, by index and by path. Local; pure. Paths are normalised (path.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/dimensions.h"
#include "model/variable.h"

namespace scorpio::model {

class Variables {
 public:
  // Removed ones included.
  int count() const { return static_cast<int>(all_.size()); }
  const Variable& operator[](int index) const { return all_[static_cast<size_t>(index)]; }
  Variable& operator[](int index) { return all_[static_cast<size_t>(index)]; }
  // Removed variables keep their index, so that other indices do not change.
  bool alive(int index) const { return index >= 0 && index < count() && alive_[static_cast<size_t>(index)]; }

  std::optional<int> find(const std::string& path) const;
  bool contains(const std::string& path) const { return by_path_.contains(path); }
  // The variable at `path`, and those below it, by path.
  std::vector<int> at_or_below(const std::string& path) const;
  // Whether a variable has the dimension; variables at or below `but` are ignored.
  bool use(int dimension, const std::string& but = {}) const;

  // The path is not in use. Returns the index: dense, in order of definition, never reused.
  int add(Variable&& variable);
  // One that was removed already: it has an index, and its path may be in use.
  void add_removed(Variable&& variable);
  void remove(int index);
  // The path is not in use.
  void rename(int index, const std::string& path);

  // ---- dimensions that grow ----
  // Each own_dimension() of the variables, ascending by variable.
  std::vector<int> own_dimensions() const;
  int64_t length_of(int own_dimension) const;
  // Increases the length to at least `length`.
  void grow(int own_dimension, int64_t length);
  // The extents become those of the unlimited ones among `dimensions`.
  void follow(const Dimensions& dimensions);

 private:
  std::deque<Variable> all_;  // thousands, which are not moved when more are added
  std::vector<bool> alive_;
  std::map<std::string, int> by_path_;
  std::vector<int> with_own_dimensions_;  // ascending
};

}  // namespace scorpio::model
