// An open file: its buffered writes, and the agreements of its ranks. Collective over the I/O system where
// stated; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pio/definitions/definitions.h"
#include "pio/definitions/frames.h"
#include "pio/definitions/local_failures.h"
#include "pio/file/chunk_caches.h"
#include "pio/file/queue.h"
#include "pio/system/call_comparison.h"
#include "pio/system/io_system.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

class File {
 public:
  // Takes the memory of an open file, so that a rank that has none can say so before the ranks open it.
  // `iotype`: by which the program creates or opens it.
  File(std::shared_ptr<IoSystem> system, int iotype);
  ~File();
  // The ranks have created or opened it. `creation`: without a path if it was opened.
  void attach(scorpio_file* native, Creation&& creation);
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int id = -1;  // set by the registry

  IoSystem& system() const { return *system_; }
  int iotype() const { return iotype_; }
  int number() const { return number_; }  // of its I/O system, the same on all ranks
  Definitions& definitions() { return definitions_; }
  const Definitions& definitions() const { return definitions_; }
  Frames& frames() { return frames_; }
  ChunkCaches& chunk_caches() { return chunk_caches_; }
  Traffic& traffic() { return traffic_; }

  scorpio_file* native() const { return definitions_.native(); }
  const std::string& path() const { return definitions_.path(); }
  scorpio_format format() const { return definitions_.format(); }
  bool is_writable() const { return definitions_.is_writable(); }
  bool is_classic() const { return definitions_.is_classic(); }
  bool is_defining() const { return definitions_.is_defining(); }

  // ---- Local ----
  // Returns 0, or PIO_ENOTVAR with its text. Does not ask the underlying library again for what it knows.
  // `variable`: with the records of buffered writes; valid until the next call that changes the file.
  int look_up(int varid, const Variable*& variable) const;
  int look_up(int varid, Variable& variable) const;
  int check_variable(int varid) const;
  // Returns 0, or PIO_EINDEFINE with its text for a classic file in define mode.
  int check_data_mode() const;
  int64_t records(int dimension) const { return queue_.records(dimension); }  // of buffered writes
  // Records the result of a definition or a put on this rank, which other ranks may not know.
  void remember(int code) { failures_.add(code); }
  // Is called in each put_var*; of one whose values were converted on this rank, and are out of range.
  void count_put() { failures_.count_put(); }
  void remember_range() { failures_.add_range(); }
  void push(Write write, int64_t counted);
  // Whether buffered writes would reach the size at which a call carries them out.
  bool is_full_with(int64_t counted) const;
  int copy_borrowed() { return queue_.copy_borrowed(*system_); }
  size_t writes() const { return queue_.size(); }  // that wait
  void keep_first(size_t writes) { queue_.keep_first(writes, *system_); }

  // ---- Collective ----
  int flush_if_full();
  int flush(Call call = Call::flush);
  // `gives_name`: gives the file its name also in define mode without writes.
  int sync(Call call = Call::sync, bool gives_name = false);
  int redef();
  int enddef();
  // Takes part in a call of other ranks, which this rank cannot make because of `code`.
  int refuse(Call call, int code) { return meet(call, code).code; }
  // If ranks are in other calls, the file stays open.
  int close();
  bool is_closed() const { return native() == nullptr; }

  // ---- Collective: of a read of a file that is open for writing ----
  struct Written {
    int agreed;  // the result of the reduction
    int here;  // of the writes on this rank; the next synchronisation point of the file has one for all ranks
    // The result of a call that ends with a native call, which has the same code on all ranks.
    int before(int native) const { return first_of(with_native(agreed, native), here); }
  };
  struct Readiness {
    bool refused;  // no rank reads
    Written written;
  };
  // Carries out what the read finds. `code`: the failure by which this rank cannot make the call.
  Readiness prepare_read(Call call, int code);
  int sync_natively();

 private:
  struct Meeting {
    int code;                 // code of a failure that a rank has not returned yet
    bool refused;             // no rank makes the call
    bool alone;               // the ranks make no common reductions any more
    bool same_queues = true;  // perhaps but for calls that have failed on all ranks that made them
    bool same_definitions = true;
    bool anything_new = false;
    bool same_made = false;  // without the writes of calls that have failed
  };
  Meeting meet(Call call, int code);
  bool has_changed() const { return has_new_data_ || definitions_.has_changed(); }
  int64_t bytes_that_need_not_wait() const;  // of buffered writes of all files of the I/O system
  int prepare_writes();
  // Carries out the buffered writes.
  Written carry_out(const Meeting& meeting);

  std::shared_ptr<IoSystem> system_;
  int iotype_;
  int number_ = 0;
  Definitions definitions_;
  Frames frames_;
  ChunkCaches chunk_caches_;
  Traffic traffic_;
  bool has_new_data_ = false;  // which storage does not have
  Queue queue_;
  LocalFailures failures_;  // since the last reduction
};

}  // namespace scorpio_pio
