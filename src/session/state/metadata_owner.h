// The work of the metadata rank for an open file: its container, and the format's library. Independent; the
// caller agrees on the results.
#pragma once

#include <memory>
#include <optional>
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
  // The contents of the file, which may determine its format more closely than its first bytes.
  Result<format::Contents> load();
  // The block size for the file domains: the option, or the block size of the file system.
  uint64_t block_bytes();
  // The servers that hold parts of the file; 0: not known, or not needed because of option writers.
  uint64_t stripes();

  // Changes only the memory of the format's library (eager definitions).
  Status apply(model::Schema& schema, format::Layout& layout);
  // Writes the data that the library holds back to storage, including those of an application with the live
  // id.
  Status flush();
  // Whether a commit gives a new file its final name. `last`: it does, and no change follows but close().
  enum class Naming { later, now, last };
  // Makes the file complete and valid in storage. All data are in the file, and all other ranks have checked
  // that closing it reports no failed write.
  Status commit(model::Schema& schema, format::Layout& layout, Naming naming);
  // ---- a commit in parts, of which other threads make the later ones (posted_commit.h) ----
  // Makes in memory what commit(..., naming) would write. False: that is not possible. commit() is to be
  // called after it nevertheless: it does what is left, and returns the outcome. A later prepare() replaces
  // an earlier one that is not carried out.
  bool prepare(model::Schema& schema, format::Layout& layout, Naming naming);
  // Whether nobody sees the metadata before the file has its name, so that they may be written before all
  // data are there.
  bool is_hidden(Naming naming) const;
  // The memory of it: changes of the file, or the file as the format's library left it.
  uint64_t prepared_bytes() const;
  // Whether it is the changes alone, all of which are written.
  bool keeps_changes() const { return prepared_ == Prepared::kept; }
  // After prepare(), in any thread: writes the metadata and no more. If is_hidden(), or all data are there.
  void write_ahead();
  // The same, and gives the file its name. All data are there.
  void carry_out();
  // Whether carry_out() has done all of it.
  bool is_carried_out() const { return prepared_ == Prepared::carried_out && outcome_.ok(); }
  // Whether commit() would change nothing in storage.
  bool is_current(const model::Schema& schema, Naming naming) const;
  // ---- a copy of the file with another layout, under a temporary name until it is complete
  // (define_mode.cpp) ----
  // Creates it, empty, under the temporary name of the container's current path. Code::no_space if the file
  // system lacks space for a copy that stores at most `bytes` bytes.
  Status begin_copy(uint64_t bytes);
  // The data are in the copy: writes its metadata and gives it the name.
  Status finish_copy(model::Schema& schema, format::Layout& layout);
  void abandon_copy() { container_->abandon_copy(); }

  // Whether the library has moved a variable since the last call, so that its placement has changed.
  bool take_relocated() { return std::exchange(relocated_, false); }
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
  Status tell_missing_data();
  void count();
  Status close_library();
  Status close_container();

  Context context_;
  Status write(model::Schema& schema, format::Layout& layout, Naming naming);
  Status complete(Status made, Naming naming);

  bool failed_ = false;                            // a commit has failed
  bool whole_ = false;                             // since the last commit of Naming::last
  bool opened_ = false;                            // the file existed under its name before it was opened
  const format::Format* format_ = nullptr;         // set when the file is open
  std::unique_ptr<storage::Container> container_;  // set when it is created or opened
  storage::Container* copy_ = nullptr;             // the copy with another layout, owned by the container
  std::unique_ptr<format::MetadataFile> library_;
  format::MetadataCounters counted_;
  // The commit that was prepared. `impossible`: other ranks write, and it is left to commit().
  enum class Prepared { none, kept, applied, written, carried_out, impossible } prepared_ = Prepared::none;
  Naming prepared_naming_ = Naming::later;
  Status outcome_;  // what became of it
  bool relocated_ = false;
  uint64_t block_bytes_ = 0;                       // 0: not determined yet
  std::optional<storage::FileSystemFacts> facts_;  // of the file system, when they were needed
};

}  // namespace scorpio::session
