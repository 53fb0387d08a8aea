// Closes and syncs of an I/O system that were posted (options close and sync): what was put is in the I/O
// phase, and the files are not complete yet. Those that were closed keep their channels until they are
// completed, which all ranks do together and in the order of the calls. Whether the data of a file are
// written is agreed first, so that all ranks complete the same files. Collective where said; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/result.h"
#include "session/system.h"

namespace scorpio::session {

// A file whose close or sync was posted.
class Tail {
 public:
  virtual ~Tail() = default;
  // Absolute, as it was opened.
  virtual const std::string& path() const = 0;
  // Of the I/O ranks that this rank can see, those of its node: their data are written. Local.
  virtual bool written() const = 0;
  // ... and there are no other I/O ranks. Local.
  virtual bool sees_all() const = 0;
  // Of the files of the I/O system, the same on all ranks.
  virtual uint64_t number() const = 0;
  // The rest of its close, or of its sync, which waits for the data; nothing else may be called behind it.
  // Collective.
  virtual Status finish() = 0;
};

class Tails {
 public:
  // `system` outlives this.
  explicit Tails(const System& system) : system_(system) {}

  bool empty() const { return files_.empty(); }

  // ---- Collective ----
  // Of at most so many files; completes the oldest ones where they would be more.
  void add(std::unique_ptr<Tail> file, size_t most);
  // Those whose data are written, and all up to the last of the same file as `path` (empty: of none). One
  // reduction; nothing where there are no tails.
  void complete_written(const std::string& path);
  // Until the next file that is opened has a channel of its own, or there are no more tails.
  void make_room();
  void complete_all();
  // Until the file `path`, or each of them where there is none, is complete. Code::not_found where no file of
  // this path was written. One reduction.
  Status wait(const std::optional<Result<std::string>>& path);
  // What became of the files that could not be completed since this was called last, as one failure; to be
  // returned by a call that has done its own work.
  Status take_failure();

  // ---- Local ----
  // Of the file `number` there is nothing left for later, or it is being done.
  void forget(uint64_t number);
  // A file was opened for writing: it can be waited for.
  void will_be_written(const std::string& path);
  // Whether a wait would find the data written, as far as this rank can see.
  Result<bool> test(const std::optional<std::string>& path) const;

 private:
  void complete_first();
  void complete(std::unique_ptr<Tail> file);
  void complete_front(size_t files);
  size_t last_at(const std::string& path) const;
  Status check_known(const std::string& path) const;

  const System& system_;
  std::deque<std::unique_ptr<Tail>> files_;  // in the order of their closes
  Status failure_;
  std::unordered_set<uint64_t> known_;  // hashes of the paths of files that were opened for writing
};

}  // namespace scorpio::session
