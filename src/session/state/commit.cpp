#include "session/state/commit.h"

#include <utility>

#include "storage/late_file.h"

namespace scorpio::session {

Commit::~Commit() = default;

void Commit::use(std::unique_ptr<format::MetadataFile> library) {
  if (library_ != nullptr) count();
  library_ = std::move(library);
  counted_ = {};
}

void Commit::count() {
  const format::MetadataCounters& now = library_->counters();
  counters_.metadata_writes += now.writes - counted_.writes;
  counters_.metadata_bytes += now.bytes_written - counted_.bytes_written;
  counters_.relocated += now.relocated - counted_.relocated;
  relocated_ = relocated_ || now.relocated > counted_.relocated;
  counted_ = now;
}

Status Commit::apply(model::Schema& schema, format::Layout& layout) {
  const observe::Timer timer(counters_.time_metadata_ns, observe::Activity::metadata);
  const Status status = library_->apply(schema, layout.placements(), layout.end_of_data(schema));
  count();
  return status;
}

Status Commit::flush() {
  const observe::Timer timer(counters_.time_metadata_ns, observe::Activity::metadata);
  const Status status = library_->flush();
  count();
  return status;
}

Status Commit::make(model::Schema& schema, format::Layout& layout, Naming naming) {
  const bool made = prepared_ == Prepared::written || prepared_ == Prepared::carried_out;
  if (prepared_ != Prepared::none && (made || prepared_naming_ == Naming::last)) {
    carry_out();
    if (library_ != nullptr) count();
    if (prepared_naming_ == Naming::last || !outcome_.ok()) return outcome_;
  }
  prepared_ = Prepared::none;  // what was prepared and not written is part of the present state
  return complete(write(schema, layout, naming), naming);
}

// Writes the metadata.
Status Commit::write(model::Schema& schema, format::Layout& layout, Naming naming) {
  SCORPIO_TRY(apply(schema, layout));
  SCORPIO_TRY(flush());
  return naming == Naming::last ? close_library()
                                : Status();  // the library may write once more when it closes
}

// The kept changes extend the file to the end of all its data, so that data of other ranks are not cut off.
bool Commit::is_hidden(Naming naming) const {
  return naming == Naming::last && container_.temporary() && container_.late() != nullptr;
}

// A new file whose close is posted: the bytes are kept, of any format. Otherwise the format must be able to
// write its metadata in another thread: at any time, or those of a file that does not change afterwards.
bool Commit::prepare(model::Schema& schema, format::Layout& layout, Naming naming) {
  if (failed_) return false;
  const std::shared_ptr<storage::LateFile> late = is_hidden(naming) ? container_.late() : nullptr;
  const bool leaves = late == nullptr && !format_->capabilities().flushes_in_any_thread;
  if (leaves && (naming != Naming::last || !library_->can_leave_library())) return false;
  if (late != nullptr) late->keep();
  outcome_ = late != nullptr ? write(schema, layout, naming) : apply(schema, layout);
  if (leaves && outcome_.ok()) outcome_ = library_->leave_library();
  prepared_ = late != nullptr ? Prepared::kept : Prepared::applied;
  prepared_naming_ = naming;
  return true;
}

uint64_t Commit::prepared_bytes() const {
  if (keeps_changes()) return container_.late()->kept_bytes();
  return prepared_ == Prepared::applied ? library_->kept_bytes() : 0;
}

// After a last commit no rank writes data any more.
void Commit::write_ahead() {
  if (prepared_ != Prepared::kept && prepared_ != Prepared::applied) return;
  const Prepared how = std::exchange(prepared_, Prepared::written);
  if (!outcome_.ok()) return;
  if (how == Prepared::kept) {
    outcome_ = container_.late()->make();
  } else if (prepared_naming_ == Naming::last) {
    outcome_ = library_->flush();
  } else {
    const Result<bool> flushed = library_->flush_beside_writers();
    outcome_ = flushed.status();
    if (flushed.ok() && !*flushed) prepared_ = Prepared::impossible;
  }
}

void Commit::carry_out() {
  write_ahead();
  if (prepared_ != Prepared::written) return;
  prepared_ = Prepared::carried_out;
  outcome_ = complete(std::move(outcome_), prepared_naming_);
}

// Gives the file its name after the write of the metadata, whose status is `made`.
Status Commit::complete(Status made, Naming naming) {
  if (made.ok())
    made = naming != Naming::later && container_.temporary() ? container_.give_name(durable_)
                                                             : container_.check_close();
  if (!made.ok()) {
    // The contents of storage are unchanged, or close() restores them.
    if (library_ != nullptr) library_->abandon();
    failed_ = true;
    return made;
  }
  whole_ = naming == Naming::last;
  return {};
}

bool Commit::is_current(const model::Schema& schema, Naming naming) const {
  const bool named = naming == Naming::later || !container_.temporary();
  return named && !failed_ && library_ != nullptr && library_->is_current(schema);
}

Status Commit::close_library() {
  if (library_ == nullptr) return {};
  const Status status = library_->close();
  count();
  library_.reset();
  return status;
}

Status Commit::close(bool keep) {
  if (!keep && library_ != nullptr && prepared_ != Prepared::none) library_->abandon();
  return close_library();
}

void Commit::discard() {
  if (library_ != nullptr) library_->abandon();
  library_.reset();
}

}  // namespace scorpio::session
