/* What Amanzi's way of calling needs: the header inside its own extern "C" after hdf5.h, one group of all
 * ranks with the preferred size left as it was in memory, columns of {n,1}. */
#pragma once

#include <hdf5.h>

extern "C" {
#include "parallelIO.h"
}

#include <cstdlib>
#include <string>
#include <vector>

#include "check.h"
#include "values.h"

namespace amanzi {

// An output object of Amanzi: a group and an open file.
class Output {
 public:
  explicit Output(MPI_Comm comm);
  ~Output() { EXPECT(0, parallelIO_IOgroup_cleanup(&group_)); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Collective over the group.
  void open(const std::string& path, file_mode_t mode);
  void close() { EXPECT(0, parallelIO_close_file(file_, &group_)); }

  // The current group, in the form of 2.4: no id, 0 on every rank.
  void open_group(const std::string& name);
  void close_group();

  // Columns of this rank's rows {n, columns} after those of the lower ranks; Collective.
  void write(const std::string& name, datatype_t type, int columns, int64_t seed);
  void expect(const std::string& name, datatype_t type, int columns, int64_t seed);

  [[nodiscard]] hid_t fid() const { return group_.file[file_]->fid; }
  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] iogroup_t* group() { return &group_; }
  // Rows of all ranks.
  [[nodiscard]] int rows() const { return first_row(ranks_); }

 private:
  static int first_row(int rank);

  iogroup_t group_;
  int rank_ = -1;
  int ranks_ = 0;
  int file_ = -1;
  std::string current_;  // as a prefix of names
};

// Each of these is a part of the job; all Collective over MPI_COMM_WORLD.
void attributes(Output& output);
void wrong_attributes(Output& output);
void foreign_attributes(Output& output);
void strings(Output& output);

}  // namespace amanzi
