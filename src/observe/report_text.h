// The report of an I/O system as text and as JSON. Pure; session/iosystem/report.cpp collects the values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "observe/backlog.h"
#include "observe/counters.h"
#include "observe/file_account.h"

namespace scorpio::observe {

// The counters of all ranks.
struct Totals {
  Counters sum;   // the sums over the ranks
  Counters most;  // the maxima over the ranks
};

struct FileReport {
  std::string path, format, mode;
  uint64_t block_bytes = 0;
  bool shares_slot = false;
  double seconds = 0;
  std::array<uint64_t, k_file_calls.size()>
      calls{};  // the number of requests of all ranks; of other calls, that of the rank with most
  Totals totals;
  bool asynchronous = false, posts_close = false;
  // In nanoseconds: of the rank that waited longest, and of all ranks.
  std::array<uint64_t, k_file_waits.size()> most_waits_ns{}, sum_waits_ns{};
  std::array<uint64_t, k_meanwhile_values> sum_meanwhile{};  // over the I/O ranks
  // [io_ranks], in their order; empty: they are not listed.
  std::vector<std::array<uint64_t, k_meanwhile_values>> meanwhile;
};

// The full slots of an I/O rank over time.
struct BacklogReport {
  int rank = 0;
  std::vector<Backlog::Sample> samples;
};

struct Report {
  std::string version, built_with;
  uint64_t number = 1;  // number of the I/O system in the writing process
  int ranks = 1, nodes = 1, metadata_rank = 0;
  std::vector<int> io_ranks;
  std::string staging;
  double seconds = 0;  // from its creation to its end
  Options options;
  Totals totals;
  std::vector<BacklogReport> backlog;  // [io_ranks]
  std::vector<FileReport> files;
  size_t other_files = 0;  // number of files that are summed up in the last entry of `files`
  std::vector<std::string> notes;
};

// What the program waited for most in calls for the file, and the option that would shorten this wait.
std::string advice(const FileReport& file);
std::string as_json(const Report& report);
std::string as_text(const Report& report);

// The path of the report of an I/O system: `wished`, with "-2" before its suffix for the second I/O system of
// the process, and with "-rank5" if rank 0 of its communicator is rank 5 of the program. All paths are
// therefore different.
std::string report_path(const std::string& wished, int world_rank, uint64_t number);

}  // namespace scorpio::observe
