#include "session/state/library_reads.h"

#include "transfer/library_source.h"

namespace scorpio::session {

namespace {

// Takes the place of a source that could not be opened: the channel delivers the failure to all ranks.
class FailedSource final : public storage::Source {
 public:
  explicit FailedSource(Status status) : status_(std::move(status)) {}
  Status read(uint64_t, std::span<std::byte>) override { return status_; }

 private:
  Status status_;
};

}  // namespace

storage::Source& LibraryReads::source_of(int index) {
  if (core_.contents.layout().placement(index).has_address()) return core_.transfer.data();
  if (core_.setting.system().my_owner() < 0) return core_.transfer.data();  // not used on this rank
  const Status opened = open();
  if (!opened.ok()) {
    source_ = std::make_unique<FailedSource>(opened);
  } else {
    ++core_.setting.system().records().counters.fallback_reads;
    source_ = std::make_unique<transfer::LibrarySource>(*reader_, core_.contents.schema().variables()[index]);
  }
  return *source_;
}

Status LibraryReads::open() {
  if (reader_ != nullptr) return {};
  SCORPIO_ASSIGN(auto file, core_.transfer.data().share());
  SCORPIO_ASSIGN(reader_, core_.contents.format().open_reader(std::move(file), core_.contents.path()));
  return {};
}

Status LibraryReads::close() {
  const Status status = reader_ == nullptr ? Status() : reader_->close();
  reader_.reset();
  return status;
}

}  // namespace scorpio::session
