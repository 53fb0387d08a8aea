// Elements of variables of strings of variable length, which HDF5 reads and writes. Local; only the thread
// that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "model/string_elements.h"
#include "model/variables.h"

namespace scorpio::format::hdf5 {

struct PutStrings {
  model::StringBox box;
  std::vector<std::string> texts;  // in row-major order
};

// Writes the puts in order, and removes from the list those that were written. Variables get the length of
// their unlimited dimension.
Status write_string_elements(hid_t file, const model::Variables& variables, std::vector<PutStrings>& puts);

// Elements that are not in the file, because they are after its last record or were never written, are empty.
Result<std::vector<std::string>> read_string_elements(hid_t file, const model::Variables& variables,
                                                      const model::StringBox& box);

}  // namespace scorpio::format::hdf5
