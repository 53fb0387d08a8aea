// The files of an I/O system whose close or sync was posted (options close and sync): their data are in the
// I/O phase, and the files are not complete yet. A closed file keeps its channel until it is complete. All
// ranks complete the files together, in the order of the calls; one reduction determines the files whose data
// are written, so that all ranks complete the same ones. Collective where stated; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "comm/at_finalize.h"
#include "session/iosystem/known_paths.h"
#include "session/iosystem/system.h"

namespace scorpio::session {

// A hash of the path without symbolic links, "." and "..".
uint64_t place_hash(const std::string& path);

// A file whose close or sync was posted.
class PostedFile {
 public:
  virtual ~PostedFile() = default;
  // The absolute path by which the file was opened.
  virtual const std::string& path() const = 0;
  // Whether the I/O ranks of this rank's node have written all data. Local.
  virtual bool written() const = 0;
  // Whether the file is closed, so that its completion is told to the application.
  virtual bool is_closed() const = 0;
  // Whether this is the metadata rank, and nothing is left for finish(): it need not be called. Local.
  virtual bool made() const { return false; }
  // Whether this is an I/O rank, all data are written, and workers complete the file after bring_index().
  // Local.
  virtual bool wants_index() const { return false; }
  // The metadata get the index of what was written; a failure is returned by finish(). Collective.
  virtual void bring_index() {}
  // Whether all I/O ranks have written all data; false as well if this rank cannot know it. Local.
  virtual bool all_written() const = 0;
  // The number of the file in the I/O system; the same on all ranks.
  virtual uint64_t number() const = 0;
  // The second phase of the close or sync, which waits for the data; the last call on this object.
  // Collective.
  virtual Status finish() = 0;
};

class PostedFiles {
 public:
  // `system` outlives this.
  explicit PostedFiles(System& system) : system_(system) {}

  bool empty() const { return files_.empty(); }

  // ---- Collective ----
  // Adds a file. If there are then more than `most`, the oldest ones are completed. MPI_Finalize completes
  // what is left then.
  void add(std::unique_ptr<PostedFile> file, size_t most);
  // Completes the files whose data are written, and all files up to the last one that is the same as `path`
  // (empty: none). Forgets posted syncs that workers have made, and brings the index of files that workers
  // complete after that. One reduction; none if there are no posted files.
  void complete_written(const std::string& path);
  // Completes files until the next file that is opened gets a channel of its own, or no posted file is left.
  void make_room();
  void complete_all();
  // Completes the file `path`, or all files if no path is given. Code::not_found if no file of this path was
  // written. One reduction.
  Status wait(const std::optional<Result<std::string>>& path);
  // Returns, as one failure, the files that could not be completed since the previous call of this function.
  // For a call that has done its own work.
  Status take_failure();

  // ---- Local ----
  // Removes the file `number`: it is complete, or is being completed.
  void forget(uint64_t number);
  // Records that this file was opened for writing: wait() and test() accept any spelling of its path.
  // `place`: place_hash() of it, which the metadata rank has told, because it alone asks the file system.
  void will_be_written(const std::string& path, uint64_t place);
  // Whether the data of the file, or of all files, are written, as far as this rank knows.
  Result<bool> test(const std::optional<std::string>& path) const;

 private:
  void complete_first();
  void complete(std::unique_ptr<PostedFile> file);
  void complete_front(size_t files);
  void complete_at_finalize();
  size_t last_at(const std::string& path) const;
  size_t named_by(const std::string& path) const;
  Status check_known(const std::string& path) const;

  System& system_;
  std::deque<std::unique_ptr<PostedFile>> files_;  // in the order of their closes
  Status failure_;
  KnownPaths known_;                               // of files that were opened for writing
  std::unique_ptr<comm::AtFinalize> at_finalize_;  // since the first posted file
};

}  // namespace scorpio::session
