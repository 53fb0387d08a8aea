// What the fault tests share: outcomes of C calls compared over ranks, a description of the arrays they
// write, and a reader that is not ours. Collective where said.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scorpio/scorpio.h"
#include "support/option_list.h"
#include "support/shared_folder.h"

namespace scorpio::test {

int rank();
int ranks();

// What a call said.
struct Outcome {
  int code = SCORPIO_OK;
  int origin = -1;
  std::string text;

  bool ok() const { return code == SCORPIO_OK; }
};

// The outcome of the call that returned `code` just now.
Outcome outcome(int code);
// Collective: whether all ranks pass the same code, text and origin.
bool same_everywhere(const Outcome& outcome);
// Collective: whether `value` holds on all ranks.
bool on_all(bool value);

// An array of `rows` x k_columns doubles; element i of variable "v<k>" is 1,000,000 k + i.
inline constexpr int64_t k_columns = 64;

// Collective: an I/O system with an array dealt in blocks of rows.
class System {
 public:
  System(const Settings& settings, int64_t rows);
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  scorpio_iosystem* get() const { return iosystem_; }
  scorpio_decomp* decomp() const { return decomp_; }
  const int64_t* dims() const { return dims_; }
  std::vector<double> values(int variable) const;
  uint64_t counter(const char* name) const;
  std::string description() const;

 private:
  scorpio_iosystem* iosystem_ = nullptr;
  scorpio_decomp* decomp_ = nullptr;
  int64_t dims_[2];
};

// Defines and puts variable "v<k>"; returns the first failure. A failed definition is followed by the put, as
// in a program that checks no code before its next synchronisation point.
Outcome write_variable(const System& system, scorpio_file* file, int variable);

// Collective: whether HDF5, in a process of its own on rank 0, opens the file and finds in every "v<k>" what
// belongs there, and all of `needed` among them.
bool stock_reader_accepts(const std::string& path, const std::vector<std::string>& needed);
// Collective: whether there is such a file.
bool exists(const std::string& path);

}  // namespace scorpio::test
