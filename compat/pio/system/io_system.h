// An I/O system of the interface: that of the public C API, the I/O root (rank `base`), and its settings.
// Collective over its communicator where stated; one thread.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pio.h"
#include "pio/system/buffers.h"
#include "pio/system/call_comparison.h"
#include "pio/system/dedicated_ranks.h"
#include "pio/system/traffic.h"
#include "scorpio/iosystem.h"

namespace scorpio_pio {

class File;
struct Layout;

struct IoTasks {
  int count;
  int stride;
  int base;
};

// What a program asks for and can inquire; the defaults are those of netCDF.
struct ChunkCache {
  int64_t bytes = int64_t{16} << 20;
  int64_t elements = 4133;
  float preemption = 0.75F;
};

class IoSystem;

// The I/O systems over congruent communicators. They agree by the oldest one, which is the same one on all
// ranks: a rank with an invalid id knows only the family, and takes part in the agreements of the others
// through it.
struct Family {
  std::vector<const IoSystem*> members;  // those that exist, in the order in which they were made
  int made = 0;
};

class IoSystem {
 public:
  // Collective over `comm`; the arguments were checked. Returns 0 or a code, the same on all ranks.
  static int create(MPI_Comm comm, const IoTasks& io_tasks, std::shared_ptr<IoSystem>& made);
  ~IoSystem();
  IoSystem(const IoSystem&) = delete;
  IoSystem& operator=(const IoSystem&) = delete;

  // Collective, when no file is open.
  int free();

  scorpio_iosystem* native() const { return native_; }
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  int root() const { return root_; }
  int next_file() { return ++files_made_; }
  int next_layout() { return layouts_made_++; }

  // Collective: returns the lowest code of all ranks. The text is that of the rank with this code. PIO_EINVAL
  // if other ranks are in a call on a file.
  int agree(int code) const;
  // Collective: compares what the ranks say of their calls. Returns a code of the public C API, which is not
  // the failure of a rank but means that the I/O system cannot be used any more.
  int compare(CallComparison& calls) const;
  // The same for a call that finalises the I/O system or, with an id that does not exist, none (`ends` is
  // false). Returns 0 or, if ranks finalise different ones, PIO_EBADID on all ranks.
  int agree_on_end(bool ends) const;

  // ---- the failure of an earlier file, whose close was posted ----
  // It must not be the code of a call that has opened another file, which the program would give up for it.
  // Takes it out of the code of such a native call, until a call asks for it that leaves no file open.
  int put_off_posted(int native);
  // The code of a call that returns what was put off, with both texts. `code`: without it.
  int with_posted(int code);

  // ---- set by the registry ----
  int id = 0;
  std::shared_ptr<Family> family;
  int member = 0;  // number in the family, from 1 on; the same on all ranks

  // A buffer for a write of this size, and its end. What is kept and what is in queues takes at most the
  // memory that buffered writes may take.
  Buffer take_buffer(size_t bytes);
  void give_back(Buffer buffer);

  // The processes for I/O alone that were made with it. NULL: none.
  std::shared_ptr<DedicatedRanks> dedicated;
  // They wait for this I/O system no longer. Local.
  void release_dedicated();

  // ---- settings ----
  int handler = PIO_INTERNAL_ERROR;
  ChunkCache chunk_cache;
  bool wants_summary = false;
  std::map<std::string, std::string> hints;  // option of the library to its value, for new files

  // ---- contents ----
  std::vector<File*> files;                      // open files, in order of opening
  File* recent = nullptr;                        // the file that was used last
  std::map<int, std::weak_ptr<Layout>> layouts;  // those in use, by number
  Buffers buffers;                               // for buffered writes
  std::vector<FileTraffic> closed_files;         // for the summary, if it is wanted
  int64_t held_bytes = 0;                        // bytes in the queues of its files, as all ranks count them

 private:
  IoSystem() = default;
  const IoSystem& speaker() const;  // of its family

  MPI_Comm comm_ = MPI_COMM_NULL;
  scorpio_iosystem* native_ = nullptr;
  int rank_ = 0;
  int ranks_ = 0;
  int root_ = 0;
  bool has_posted_ = false;
  std::string posted_;  // the texts of the failures
  int files_made_ = 0;
  int layouts_made_ = 0;
};

// Adds the time from its construction on, if the I/O system has a summary.
class Timed {
 public:
  Timed(const IoSystem& system, double& sum_s) : sum_s_(system.wants_summary ? &sum_s : nullptr) {
    if (sum_s_ != nullptr) begin_ = Clock::now();
  }
  ~Timed() {
    if (sum_s_ != nullptr) *sum_s_ += std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double* sum_s_;
  Clock::time_point begin_;
};

}  // namespace scorpio_pio
