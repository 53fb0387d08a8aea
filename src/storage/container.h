// What an open file is in storage: one file, or a folder of objects. Its names, its lock, and how it comes to
// its final name. Independent: the one rank that has it open does it for all.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "observe/counters.h"
#include "observe/event_log.h"
#include "storage/store.h"

namespace scorpio::storage {

// Where it is, and who is told what was found there.
struct ContainerContext {
  Store& store;
  observe::Counters& counters;
  observe::EventLog& events;

  // A stopped run left this, which is replaced; empty: nothing.
  void tell_stale(const std::string& stale) const;
};

class Container {
 public:
  virtual ~Container() = default;
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;

  Store& store() const { return store_; }
  // The final name.
  const std::string& path() const { return path_; }
  // Where the bytes are now: the temporary or the final name.
  const std::string& current_path() const { return current_path_; }
  bool temporary() const { return current_path_ != path_; }

  // The one descriptor, of data and metadata, until close(); null: a folder of objects.
  virtual std::shared_ptr<StoredFile> file() const = 0;
  // Of the file system that holds it.
  virtual Result<FileSystemFacts> facts() = 0;
  // What close() would say of what was written; it stays open, and locked.
  virtual Status check_close() = 0;
  // It is complete and comes to its final name, with `durable` so that both survive a power failure. It stays
  // open, and locked.
  virtual Status give_name(bool durable) = 0;
  // Removes a new one that has no final name yet; close() follows.
  virtual Status abandon() = 0;
  // Releases the lock; what was written is complete, or gone.
  virtual Status close() = 0;
  // After close(), when a change failed: the last valid state, if it can be had now; else the next open has
  // it.
  virtual void restore() = 0;

  // ---- the same in another form, beside it until it is complete ----
  // Makes it, empty. Code::no_space where there is no room for `bytes` bytes, of which those that are stored
  // are copied.
  virtual Result<Container*> begin_copy(uint64_t bytes) = 0;
  // The copy is complete and takes the place of this, whose earlier file is closed.
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
