// The reader of variables that only the format's library can read: chunked, compressed, external, virtual
// ones.
#include "session/file.h"
#include "transfer/library_source.h"

namespace scorpio::session {

namespace {

// Takes the place of a source that could not be had: the failure reaches all through the channel.
class FailedSource final : public storage::Source {
 public:
  explicit FailedSource(Status status) : status_(std::move(status)) {}
  Status read(uint64_t, std::span<std::byte>) override { return status_; }

 private:
  Status status_;
};

}  // namespace

// By address, or through the format's library where there is none. Of the last call only.
storage::Source& File::source_of(int index) {
  if (layout_->placement(index).has_address()) return *data_;
  if (system_.my_owner() < 0) return *data_;  // never asked
  const Status opened = open_library_reader();
  if (!opened.ok()) {
    library_source_ = std::make_unique<FailedSource>(opened);
  } else {
    ++system_.counters().fallback_reads;
    library_source_ = std::make_unique<transfer::LibrarySource>(*library_reader_, schema_.variable(index));
  }
  return *library_source_;
}

Status File::open_library_reader() {
  if (library_reader_ != nullptr) return {};
  SCORPIO_ASSIGN(auto file, data_->share());
  SCORPIO_ASSIGN(library_reader_, format_->open_reader(std::move(file), path_));
  return {};
}

Status File::close_library_reader() {
  const Status status = library_reader_ == nullptr ? Status() : library_reader_->close();
  library_reader_.reset();
  return status;
}

}  // namespace scorpio::session
