// What calls on arrays need to know of the variables of a file: asked of the underlying library once for each
// variable, until a definition or new records may change it. Local; one thread.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "pio.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

// An unlimited dimension of a variable other than its first one, which netCDF-4 files can have.
struct InnerDimension {
  size_t index = 0;    // in the variable
  int dimension = -1;  // its id
  int64_t length = 0;  // in the file
};

// An extent of 0 stands for an unlimited dimension without records.
struct Variable {
  int id = 0;
  nc_type type = PIO_NAT;
  size_t element_bytes = 0;
  bool fixed_strings = false;    // PIO_STRING, each in element_bytes, as other programs write them
  int record_dimension = -1;     // the first one, if it is unlimited
  int64_t records = 0;           // in the file
  std::vector<int64_t> extents;  // those of unlimited dimensions include buffered writes
  std::vector<InnerDimension> inner;

  bool has_records() const { return record_dimension >= 0; }
  bool grows(size_t index) const {
    return index == 0 ? has_records()
                      : std::ranges::find(inner, index, &InnerDimension::index) != inner.end();
  }
  bool can_grow() const { return has_records() || !inner.empty(); }
};

// The length of an unlimited dimension after a write.
struct Growth {
  int dimension = -1;
  int64_t length = 0;
};

// The Fortran modules pass it for an id that is none in Fortran: PIO_EINTERNAL is its code, also on other
// ranks.
constexpr int k_rejected_id = -INT_MAX;

// Returns 0, or PIO_EGLOBAL with its text for PIO_GLOBAL, in calls that are on one variable.
int check_not_global(int varid);

// Returns 0, or PIO_EBADTYPE with its text for a variable of a type that the interface has no name for.
int check_known_type(const Variable& variable);

class VariableFacts {
 public:
  // Returns 0, or PIO_ENOTVAR with its text. `variable`: valid until the next call; the caller adds the
  // records of buffered writes.
  int look_up(scorpio_file* file, int varid, Variable*& variable);
  // Whether a dimension can grow.
  enum class Length { none, fixed, unlimited };  // none: the file has no such dimension
  Length length_of(scorpio_file* file, int dimension);
  // In the underlying library, of all dimensions that can grow.
  const std::vector<int>& unlimited(scorpio_file* file) {
    learn_dimensions(file);
    return unlimited_;
  }
  // After writes to these lengths of unlimited dimensions, which have succeeded or not. Most writes are to
  // records that are there.
  void note_lengths(std::span<const Growth> lengths, bool written);
  // There is a new one.
  void forget_dimensions() { knows_dimensions_ = false; }
  // What a definition or new records may change.
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
  int ask(scorpio_file* file, int varid, Variable& variable);
  void learn_dimensions(scorpio_file* file);
  bool is_unlimited(int dimension) const {
    return std::ranges::find(unlimited_, dimension) != unlimited_.end();
  }

  std::vector<Fact> facts_;  // [id of the variable]
  Variable rare_;            // with a very large id
  int64_t age_ = 0;
  int ahead_ = 1;                  // number of variables that are asked for at once
  int count_ = -1;                 // number of variables of the file; -1: it was not asked for
  bool knows_dimensions_ = false;  // all of them
  int known_dimensions_ = 0;
  std::vector<int> unlimited_;      // ids, of those that are known; they remain what they are
  std::map<int, int64_t> reached_;  // lengths of unlimited dimensions, by writes
};

}  // namespace scorpio_pio
