// An open file in storage: one file, or a folder of objects, with its names, its lock, and the change to its
// final name. Independent: the rank that has it open does it for all.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "observe/counters.h"
#include "observe/event_log.h"
#include "storage/late_file.h"
#include "storage/store.h"
#include "storage/undo_journal.h"

namespace scorpio::storage {

// The store of a file, and the counters and events of opening it.
struct ContainerContext {
  Store& store;
  observe::Counters& counters;
  observe::EventLog& events;
  Striping striping = {};                // of new files
  Writer writer = Writer::is_found_out;  // of an undo journal that is found

  // Records that the temporary file `stale` of a killed job was replaced; empty: none was.
  void tell_stale(const std::string& stale) const;
  // Records why new files in the folder of `path` do not have the stripes that were asked for; empty: they
  // have.
  void tell_refused(const std::string& path, const std::string& why) const;
};

class Container {
 public:
  virtual ~Container() = default;
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;

  Store& store() const { return store_; }
  // The final name.
  const std::string& path() const { return path_; }
  // The present name of the bytes: the temporary or the final one.
  const std::string& current_path() const { return current_path_; }
  bool temporary() const { return current_path_ != path_; }

  // The one descriptor, of data and metadata, until close(); null: a folder of objects.
  virtual std::shared_ptr<StoredFile> file() const = 0;
  // The same file for its metadata, whose changes can be kept in memory; null if this is not possible.
  virtual std::shared_ptr<LateFile> late() const { return nullptr; }
  // The properties of its file system.
  virtual Result<FileSystemFacts> facts() = 0;
  // The failure that close() would report of earlier writes; the file stays open and locked.
  virtual Status check_close() = 0;
  // A new file that has its final name already gets it for itself: what was there before is lost. Until then
  // abandon() leaves that as it was.
  virtual Status take_place() { return {}; }
  // The file is complete: gives it its final name. With `durable`, both survive a power failure. The file
  // stays open and locked. If only the change of the name fails, a single file is kept, and the text
  // tells its name.
  virtual Status give_name(bool durable) = 0;
  // Removes a new file, unless it is kept (give_name()); close() follows.
  virtual Status abandon() = 0;
  // Releases the lock; the file is complete, or was removed.
  virtual Status close() = 0;
  // After close(), if a change failed: restores the last valid state, if that is possible now; otherwise the
  // next open does.
  virtual void restore() = 0;

  // ---- a copy of the file, under a temporary name until it is complete ----
  // Creates an empty file with a temporary name. Code::no_space if there is no space for the stored bytes
  // among `bytes` bytes, which are copied.
  virtual Result<Container*> begin_copy(uint64_t bytes) = 0;
  // The copy is complete and replaces this file; the earlier file is closed.
  virtual Status finish_copy(bool durable) = 0;
  virtual void abandon_copy() = 0;

 protected:
  Container(Store& store, std::string path) : store_(store), path_(std::move(path)), current_path_(path_) {}
  void set_current_path(std::string path) { current_path_ = std::move(path); }

 private:
  Store& store_;
  std::string path_;
  std::string current_path_;
};

}  // namespace scorpio::storage
