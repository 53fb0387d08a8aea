// An I/O system of the interface: the native one, the I/O root (rank `base`), and what is set for it.
// Collective over its communicator where it says so; one thread.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "buffers.h"
#include "pio.h"
#include "scorpio/iosystem.h"

namespace scorpio_pio {

class File;
struct Layout;

struct Placement {
  int io_tasks;
  int stride;
  int base;
};

class IoSystem {
 public:
  // Collective over `comm`; the arguments were checked. 0 or a code; the same on all ranks.
  static int create(MPI_Comm comm, const Placement& placement, std::shared_ptr<IoSystem>& made);
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

  // Collective: the lowest code of any rank. The text is that of the rank that has it. PIO_EINVAL where other
  // ranks are in a call on a file.
  int agree(int code) const;
  // Collective: the values become the largest of all ranks. A native code: not that of a rank, but that the
  // I/O system is of no use any more. Calls that may meet each other bring equally many values.
  static constexpr size_t k_failure = 8;  // in this one is what fails a call, or 0
  using Words = std::array<uint64_t, 11>;
  int reduce_max(Words& words) const;
  // The same for a call that ends it, or, with an id that does not exist, none: `ends` is false. 0, or on all
  // ranks PIO_EBADID: they end different ones.
  int agree_on_end(bool ends) const;

  // ---- given by the registry ----
  int family = 0;  // systems over congruent communicators; they agree by one of them (Registry::speaker_of)
  int member = 0;  // of the family, from 1 on; the same on all ranks

  // ---- what is set ----
  int handler = PIO_INTERNAL_ERROR;
  int rearranger = PIO_REARR_BOX;
  rearr_opt_t rearranger_options{};
  std::map<std::string, std::string> hints;

  // ---- what belongs to it ----
  std::vector<File*> files;                      // open ones, in order of opening
  File* recent = nullptr;                        // the one that was used last
  std::map<int, std::weak_ptr<Layout>> layouts;  // by number; of those that are used
  Buffers buffers;                               // for the writes that wait
  int64_t held_bytes = 0;                        // in the queues of its files, as all ranks count them

 private:
  IoSystem() = default;

  MPI_Comm comm_ = MPI_COMM_NULL;
  scorpio_iosystem* native_ = nullptr;
  int rank_ = 0;
  int ranks_ = 0;
  int root_ = 0;
  int files_made_ = 0;
  int layouts_made_ = 0;
};

}  // namespace scorpio_pio
