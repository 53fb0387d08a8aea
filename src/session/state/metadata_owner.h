// What the metadata rank has of an open file: its container, and the format's library, which are found or
// created here; session/state/commit.h commits by them. Independent; the caller agrees on the results.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/options.h"
#include "format/format.h"
#include "format/metadata_file.h"
#include "model/schema.h"
#include "observe/counters.h"
#include "observe/event_log.h"
#include "session/state/commit.h"
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
  Commit& commit() { return *commit_; }
  format::MetadataFile& library() { return commit_->library(); }
  // The contents of the file, which may determine its format more closely than its first bytes.
  Result<format::Contents> load();
  // The block size for the file domains: the option, or the block size of the file system.
  uint64_t block_bytes();
  // The servers that hold parts of the file; 0: not known, or not needed because of option writers.
  uint64_t stripes();

  // ---- a copy of the file with another layout, under a temporary name until it is complete
  // (define_mode.cpp) ----
  // Creates it, empty, under the temporary name of the container's current path. Code::no_space if the file
  // system lacks space for a copy that stores at most `bytes` bytes.
  Status begin_copy(uint64_t bytes);
  // The data are in the copy: writes its metadata and gives it the name.
  Status finish_copy(model::Schema& schema, format::Layout& layout);
  void abandon_copy() { container_->abandon_copy(); }

  // Instead of close(), after a create or an open that fails: what it made is removed, and nothing is
  // written.
  void discard();
  // `keep` is false for a new file that failed; its temporary file is removed.
  Status close(bool keep);

 private:
  explicit MetadataOwner(const Context& context);
  storage::ContainerContext place() const;
  const storage::FileSystemFacts& facts();
  bool durable() const { return context_.options->boolean(Option::durable); }
  format::MetadataOptions metadata_options();
  storage::Store* journal_store() const;
  Status make_library(storage::Container& container, bool data_missing);
  Status open_library(bool writable);
  void use(std::unique_ptr<format::MetadataFile> library);
  Status tell_missing_data();
  Status close_container();

  Context context_;
  bool opened_ = false;                            // the file existed under its name before it was opened
  const format::Format* format_ = nullptr;         // set when the file is open
  std::unique_ptr<storage::Container> container_;  // set when it is created or opened
  storage::Container* copy_ = nullptr;             // the copy with another layout, owned by the container
  std::optional<Commit> commit_;                   // set when there is a library
  uint64_t block_bytes_ = 0;                       // 0: not determined yet
  std::optional<storage::FileSystemFacts> facts_;  // of the file system, when they were needed
};

}  // namespace scorpio::session
