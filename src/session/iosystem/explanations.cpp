#include "session/iosystem/explanations.h"

#include <cstdio>
#include <span>

#include "storage/posix_store.h"

namespace scorpio::session {

namespace {

constexpr const char* k_standard_error = "-";
// Of so many texts is known that they were written. A program that makes a decomposition for each put has
// more.
constexpr size_t k_most_known = 4096;

}  // namespace

Explanations::Explanations(observe::EventLog& events, const RecordNames& names, const std::string& wished)
    : events_(events), path_(wished) {
  if (wished != k_standard_error) path_ = create_empty(events, names, wished, "explanation of puts");
}

Status Explanations::tell(const std::string& put, const std::string& text) {
  if (failed_) return {};
  const auto known = known_.find(text);
  Status status;
  if (known != known_.end()) {
    status = write(fmt::format("{}: as {}\n\n", put, known->second));
  } else {
    status = write(fmt::format("{}\n{}\n", put, text));
    if (known_.size() < k_most_known) known_.emplace(text, put);
  }
  failed_ = !status.ok();
  if (failed_) events_.add(fmt::format("the explanations of puts cannot be written: {}", status.text()));
  return status;
}

// Does not use the counted store, so that an explanation does not change the counters.
Status Explanations::write(const std::string& text) {
  if (path_ == k_standard_error) {
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
    (void)std::fflush(stderr);
    return {};
  }
  const auto store = storage::make_posix_store();
  SCORPIO_ASSIGN(const auto file, store->open(path_, storage::OpenMode::read_write));
  const Status done = file->write_at(std::as_bytes(std::span(text)), written_);
  written_ += text.size();
  return first_failure(done, file->close());
}

}  // namespace scorpio::session
