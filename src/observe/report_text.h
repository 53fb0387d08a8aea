// What an I/O system did, for people and for programs. Pure: made elsewhere, turned into text here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "observe/counters.h"
#include "observe/file_account.h"

namespace scorpio::observe {

// Of all ranks.
struct Totals {
  Counters sum;   // over the ranks
  Counters most;  // the largest of a rank
};

struct FileReport {
  std::string path, format, mode;
  uint64_t block_bytes = 0;
  bool shares_slot = false;
  double seconds = 0;
  std::array<uint64_t, k_file_calls.size()> calls{};  // posts of all ranks, else of the rank with most
  Totals totals;
};

struct Report {
  std::string version;
  uint64_t number = 1;  // of the I/O system in the process that writes
  int ranks = 1, nodes = 1, metadata_rank = 0;
  std::vector<int> io_ranks;
  std::string staging;
  double seconds = 0;  // from its making to its end
  Options options;
  Totals totals;
  std::vector<FileReport> files;
  size_t other_files = 0;  // summed up in the last of `files`
  std::vector<std::string> notes;
};

std::string as_json(const Report& report);
std::string as_text(const Report& report);

// Where the report of an I/O system goes: `wished`; with "-2" before its suffix where it is the second of the
// process, and with "-rank5" where that is not rank 0 of the program but rank 5. So no two are the same.
std::string report_path(const std::string& wished, int world_rank, uint64_t number);

}  // namespace scorpio::observe
