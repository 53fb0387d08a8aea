// What calls on arrays need to know of the variables of a file: asked of the underlying library once for each
// variable, until a definition or new records may change it. Local; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pio.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

// An extent of 0 stands for an unlimited dimension without records.
struct Variable {
  int id = 0;
  nc_type type = PIO_NAT;
  size_t element_bytes = 0;
  bool fixed_strings = false;    // PIO_STRING, each in element_bytes, as other programs write them
  int record_dimension = -1;     // the first one, if it is unlimited
  int64_t records = 0;           // in the file
  std::vector<int64_t> extents;  // that of records includes those of buffered writes

  bool has_records() const { return record_dimension >= 0; }
};

// Returns 0, or PIO_EGLOBAL with its text for PIO_GLOBAL, in calls that are on one variable.
int check_not_global(int varid);

class VariableFacts {
 public:
  // Returns 0, or PIO_ENOTVAR with its text. `variable`: valid until the next call; the caller adds the
  // records of buffered writes.
  int look_up(scorpio_file* file, int varid, Variable*& variable);
  void forget() {
    ++age_;
    ahead_ = 1;
    count_ = -1;
  }

 private:
  struct Fact {
    int64_t age = -1;  // it is known if this is the present one
    Variable variable;
  };
  bool is_known(int varid) const {
    const auto n = static_cast<size_t>(varid);
    return n < facts_.size() && facts_[n].age == age_;
  }
  int ask_for(scorpio_file* file, int varid);

  std::vector<Fact> facts_;  // [id of the variable]
  Variable rare_;            // with a very large id
  int64_t age_ = 0;
  int ahead_ = 1;   // number of variables that are asked for at once
  int count_ = -1;  // number of variables of the file; -1: it was not asked for
};

}  // namespace scorpio_pio
