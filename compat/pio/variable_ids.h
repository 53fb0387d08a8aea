// The ids of variables in the program and in the underlying library. They are the same until a netCDF-4 file
// in which variables were renamed is opened again to undo definitions: there a renamed variable comes after
// the others, as with netCDF-C, and programs keep their ids. Local; one thread.
#pragma once

#include <string>
#include <vector>

#include "scorpio/scorpio.h"

namespace scorpio_pio {

// With its groups.
std::string path_of_variable(scorpio_file* file, int variable);

class VariableIds {
 public:
  // Numbers that are no ids of known variables stay what they are: PIO_GLOBAL, ids of later variables, and
  // wrong ones.
  int native(int id) const { return mapped(natives_, id); }
  int of_native(int native) const { return mapped(ids_, native); }

  // Of a file that is complete: keeps the names by which match() finds the variables again.
  void keep_names(scorpio_file* file);
  // Of this file, after it was opened again. False if it lacks one of the variables.
  bool match(scorpio_file* file);
  // Of an empty file, or one whose variables have the ids of the program.
  void clear();

 private:
  static int mapped(const std::vector<int>& to, int id) {
    const auto n = static_cast<size_t>(id);
    return id >= 0 && n < to.size() ? to[n] : id;
  }

  std::vector<std::string> names_;  // [id], with groups
  std::vector<int> natives_, ids_;  // [id], [native id]; empty: they are the same
};

}  // namespace scorpio_pio
