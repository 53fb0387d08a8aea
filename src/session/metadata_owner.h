// What the metadata rank alone does for an open file: its container, and the format's library. Independent:
// its results are agreed by the caller.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/options.h"
#include "format/format.h"
#include "format/metadata_file.h"
#include "model/schema.h"
#include "observe/counters.h"
#include "observe/event_log.h"
#include "storage/container.h"
#include "storage/store.h"

namespace scorpio::session {

class MetadataOwner {
 public:
  struct Context {
    storage::Store* store;
    observe::Counters* counters;
    observe::EventLog* events;
    const Options* options;
  };

  static Result<std::unique_ptr<MetadataOwner>> create(const Context& context, const std::string& path);
  static Result<std::unique_ptr<MetadataOwner>> open(const Context& context, const std::string& path,
                                                     bool writable);

  ~MetadataOwner();
  MetadataOwner(const MetadataOwner&) = delete;
  MetadataOwner& operator=(const MetadataOwner&) = delete;

  const format::Format& format() const { return *format_; }
  const storage::Container& container() const { return *container_; }
  format::MetadataFile& library() { return *library_; }
  // In which the file is divided among the I/O ranks: as asked for, or what its file system says.
  uint64_t block_bytes();

  // Only in the library's memory (eager definitions).
  Status apply(model::Schema& schema, format::Layout& layout);
  // What the library holds back, also of a client of the live id, is in storage.
  Status flush();
  // Whether a new file also gets its final name; `last`: and nothing is changed any more, close() follows.
  enum class Naming { later, now, last };
  // Complete and valid in storage. All data are there, and all other ranks have found that a close of what
  // they wrote does not fail.
  Status commit(model::Schema& schema, format::Layout& layout, Naming naming);
  // Whether commit() would change nothing in storage.
  bool is_current(const model::Schema& schema, Naming naming) const;
  // ---- the file in another form, beside it until it is complete (define_mode.cpp) ----
  // Makes it, empty, under the temporary name of the container's current path. Code::no_space where there is
  // no room for those of at most `bytes` bytes that are stored.
  Status begin_copy(uint64_t bytes);
  // The data are there: metadata, and then the name.
  Status finish_copy(model::Schema& schema, format::Layout& layout);
  void abandon_copy() { container_->abandon_copy(); }

  // Whether the library has placed a variable elsewhere since the last call: its placement has changed.
  bool take_relocated() { return std::exchange(relocated_, false); }
  // `keep`: false for a new file that failed: its temporary is removed.
  Status close(bool keep);

 private:
  explicit MetadataOwner(const Context& context);
  storage::ContainerContext place() const;
  bool durable() const { return context_.options->boolean(Option::durable); }
  format::MetadataOptions metadata_options();
  storage::Store* journal_store() const;
  Status make_library(storage::Container& container, bool data_missing);
  Status tell_missing_data();
  void count();
  Status close_library();
  Status close_container();

  Context context_;
  bool failed_ = false;                            // a commit
  bool whole_ = false;                             // after the last commit
  bool opened_ = false;                            // the file was there, under its name, before it was opened
  const format::Format* format_ = nullptr;         // since the file is open
  std::unique_ptr<storage::Container> container_;  // since it is made or opened
  storage::Container* copy_ = nullptr;             // in its new form; the container's
  std::unique_ptr<format::MetadataFile> library_;
  format::MetadataCounters counted_;
  bool relocated_ = false;
  uint64_t block_bytes_ = 0;  // not known yet
};

}  // namespace scorpio::session
