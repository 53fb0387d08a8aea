// Makes the present state of an open file valid in storage: the format's library writes the metadata, then
// the file gets its name. Independent; on the metadata rank, whose caller agrees on the results. One thread,
// but for what is marked *worker*: another thread may call that after prepare(), and no other function is
// called until it returns.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "format/format.h"
#include "format/metadata_file.h"
#include "model/schema.h"
#include "observe/counters.h"
#include "storage/container.h"

namespace scorpio::session {

class Commit {
 public:
  // `counters` and `container` outlive the object.
  Commit(observe::Counters& counters, storage::Container& container, bool durable)
      : counters_(counters), container_(container), durable_(durable) {}
  ~Commit();
  Commit(const Commit&) = delete;
  Commit& operator=(const Commit&) = delete;

  // Commits write by this library from now on, in place of an earlier one.
  void use(std::unique_ptr<format::MetadataFile> library);
  // `format`: that of the file.
  void set_format(const format::Format& format) { format_ = &format; }
  format::MetadataFile& library() { return *library_; }

  // Changes only the memory of the format's library (eager definitions).
  Status apply(model::Schema& schema, format::Layout& layout);
  // Writes the data that the library holds back to storage, including those of an application with the live
  // id.
  Status flush();
  // Whether the library has moved a variable since the last call, so that its placement has changed.
  bool take_relocated() { return std::exchange(relocated_, false); }

  // Whether a commit gives a new file its final name. `last`: it does, and no change follows but close().
  enum class Naming { later, now, last };
  // Makes the file complete and valid in storage. All data are in the file, and all other ranks have checked
  // that closing it reports no failed write.
  Status make(model::Schema& schema, format::Layout& layout, Naming naming);
  // Whether make() would change nothing in storage.
  bool is_current(const model::Schema& schema, Naming naming) const;

  // ---- a commit in parts (posted_commit.h) ----
  // Makes in memory what make(..., naming) would write. False: that is not possible. make() is to be called
  // after it nevertheless: it does what is left, and returns the outcome. A later prepare() replaces an
  // earlier one that is not carried out.
  bool prepare(model::Schema& schema, format::Layout& layout, Naming naming);
  // Whether nobody sees the metadata before the file has its name, so that they may be written before all
  // data are there.
  bool is_hidden(Naming naming) const;
  // The memory of it: changes of the file, or the file as the format's library left it.
  uint64_t prepared_bytes() const;
  // Worker. Whether it is the changes alone, all of which are written.
  bool keeps_changes() const { return prepared_ == Prepared::kept; }
  // Worker. Writes the metadata and no more. If is_hidden(), or all data are there.
  void write_ahead();
  // Worker. The same, and gives the file its name. All data are there.
  void carry_out();
  // Worker. Whether carry_out() has done all of it.
  bool is_carried_out() const { return prepared_ == Prepared::carried_out && outcome_.ok(); }

  // ---- the end ----
  // Closes the library. Not `keep`: metadata that were prepared and not written are dropped, because they
  // describe data that may be missing.
  Status close(bool keep);
  // Nothing is written.
  void discard();
  // Whether a commit has failed.
  bool failed() const { return failed_; }
  // Whether the last commit was one of Naming::last, and has not failed.
  bool whole() const { return whole_; }

 private:
  Status write(model::Schema& schema, format::Layout& layout, Naming naming);
  Status complete(Status made, Naming naming);
  void count();
  Status close_library();

  observe::Counters& counters_;
  storage::Container& container_;
  bool durable_;
  const format::Format* format_ = nullptr;
  std::unique_ptr<format::MetadataFile> library_;
  format::MetadataCounters counted_;
  bool relocated_ = false;
  bool failed_ = false;
  bool whole_ = false;
  // The commit that was prepared. `impossible`: other ranks write, and it is left to make().
  enum class Prepared { none, kept, applied, written, carried_out, impossible } prepared_ = Prepared::none;
  Naming prepared_naming_ = Naming::later;
  Status outcome_;  // what became of it
};

}  // namespace scorpio::session
