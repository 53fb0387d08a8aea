// What the calls of the matrix refer to: files in each state, a decomposition of each kind, and memory. The
// files have the same dimensions and variables, so that their ids are the same in all of them.
#pragma once

#include <pio.h>

#include <array>
#include <string>
#include <vector>

namespace scorpio::pio_test::matrix {

// Collective over MPI_COMM_WORLD unless a comment says otherwise.
class Stage {
 public:
  // Failures are passed to `handler`.
  Stage(std::string folder, int handler);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // A new file under test, in data mode. The one before has been closed.
  void begin();
  // Closes the file under test, and compares what was in it with what it holds.
  void end();
  void enter_define_mode();
  void leave_define_mode();
  // What the ranks have not told each other is told in one of several ways; returns what that call returned.
  int tell(int way);

  // ---- Local ----
  std::string fresh(const std::string& of);  // a name that was not used before, the same on all ranks
  std::string path(const std::string& of) const { return folder_ + "/" + of; }

  // ---- ids; those of dimensions and variables are the same in all files until one is opened again ----
  int system = -1, finalized = -1, second_system = -1, handler = 0;
  int file = -1, closed = -1, read_only = -1, in_data_mode = -1, in_define_mode = -1;
  int y = -1, x = -1, time = -1;
  int number = -1, text = -1, record = -1, kept = -1;
  int decomposition = -1, freed = -1, foreign = -1, of_other_extents = -1;
  // What the preparation of a function makes for its next call.
  int spare = -1;
  std::string name;

  // ---- memory ----
  alignas(8) std::array<char, 4096> zeros{};
  alignas(8) std::array<char, 4096> room{};
  std::vector<PIO_Offset> map;  // of this rank, from 1

 private:
  int create(const std::string& name_of_file);
  void define(int file);
  void expect_kept(int file) const;
  int open_again();  // returns the code of the close

  std::string folder_;
  std::string current_;
  bool defines_ = false;
  int names_ = 0;
};

}  // namespace scorpio::pio_test::matrix
