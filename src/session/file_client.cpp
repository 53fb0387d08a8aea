// What callers of the format's own library get: the live id, mirrors of it, and an end that only some ranks
// call.
#include "comm/ballot.h"
#include "session/file.h"

namespace scorpio::session {

// What a client of the live id has done must be able to be seen, or there must be none.
Status File::check_live(const char* what) const {
  if (eager_ || !state_.writable()) return {};
  return failure(Code::state, "{} has no {}; open or create it with option eager = true", path_, what);
}

Result<int64_t> File::library_id() {
  SCORPIO_TRY(check_live(format::k_live_id));
  if (metadata_ == nullptr) return mirrors_.library_id();
  return metadata_->library().library_id();
}

Status File::mirror() {
  const auto scope = counted();
  SCORPIO_TRY(check_live(format::k_mirrored_ids));
  SCORPIO_TRY(first_failure(state_.lost(), system_.comm().parted()));
  enter("scorpio_file_mirror");
  Status own = state_.finished();
  if (own.ok()) own = channel_->flush();
  if (own.ok() && state_.writable() && metadata_ != nullptr) own = metadata_->flush();
  SCORPIO_TRY(comm::agree(system_.comm(), own));
  if (system_.io_ranks().size() == 1) return {};
  if (metadata_ == nullptr && system_.my_owner() >= 0) own = refresh_mirror();
  return comm::agree(system_.comm(), own);
}

Status File::refresh_mirror() {
  const format::LiveLibrary* const library = format_->live_library();
  if (library == nullptr) return format::no_ids_to_mirror(path_, format_->capabilities().name);
  return mirrors_.refresh(*library, *data_, path_, state_.writable());
}

// Closes what this rank holds of the file, so that others may use it; what ranks share ends with close().
Status File::finish() {
  const auto scope = counted();
  SCORPIO_TRY(check_live("end that a rank could call alone"));
  if (!state_.finished().ok()) return {};
  SCORPIO_TRY(state_.check(FileState::Event::finish, Status()));  // also where ranks have lost each other
  Status status = mirrors_.close();
  status = first_failure(status, close_library_reader());
  status = first_failure(status, data_->close());  // on the metadata rank the descriptor is the owner's
  if (metadata_ != nullptr) status = first_failure(status, metadata_->close(true));
  metadata_.reset();
  state_.happened(FileState::Event::finish);
  return status;
}

namespace {

struct ReadsByLibrary {
  comm::Any any;
  auto fields() { return std::tie(any); }
};

}  // namespace

// Eager: what the file's library holds back of what a client wrote reaches storage before I/O ranks read a
// variable through readers of their own. One agreement; two more where it is such a variable.
Status File::fetch_from_client(const Result<DataCall>& call) {
  ReadsByLibrary all{{call.ok() && call->by_library}};
  SCORPIO_TRY(comm::agree(system_.comm(), call.status(), all));
  return all.any ? fetch_from_client() : Status();
}

Status File::fetch_from_client() {
  Status own;
  if (metadata_ != nullptr) own = metadata_->flush();
  own = first_failure(own, close_library_reader());
  return comm::agree(system_.comm(), own);
}

}  // namespace scorpio::session
