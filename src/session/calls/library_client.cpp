#include "session/calls/library_client.h"

#include "base/guarded.h"
#include "comm/ballot.h"

namespace scorpio::session {

// An application that uses the live id must find all changes of this library, and this one all of its
// changes.
Status LibraryClient::check_live(const char* what) const {
  if (core_.setting.eager() || !core_.calls.state().writable()) return {};
  return failure(Code::state, "{} has no {}; open or create it with option eager = true",
                 core_.contents.path(), what);
}

Result<int64_t> LibraryClient::library_id() {
  SCORPIO_TRY(check_live(format::k_live_id));
  if (core_.metadata == nullptr) return mirrors_.library_id();
  return core_.metadata->library().library_id();
}

Status LibraryClient::mirror() {
  const auto scope = core_.setting.counted();
  SCORPIO_TRY(check_live(format::k_mirrored_ids));
  SCORPIO_TRY(first_failure(core_.calls.state().lost(), core_.setting.comm().parted()));
  core_.calls.enter("scorpio_file_mirror");
  // A rank that has ended its part flushes too, because ranks compare the numbers of their flushes.
  const Status flushed = core_.calls.note(core_.transfer.channel().flush());
  Status own = first_failure(core_.calls.state().finished(), flushed);
  if (own.ok() && core_.calls.state().writable() && core_.metadata != nullptr)
    own = guarded([&] { return core_.commit()->flush(); });
  SCORPIO_TRY(comm::agree(core_.setting.comm(), own));
  if (core_.setting.system().io_ranks().size() == 1) return {};
  if (core_.metadata == nullptr && core_.setting.system().my_owner() >= 0)
    own = guarded([&] { return refresh_mirror(); });
  return comm::agree(core_.setting.comm(), own);
}

Status LibraryClient::refresh_mirror() {
  const format::LiveLibrary* const library = core_.contents.format().live_library();
  if (library == nullptr)
    return format::no_ids_to_mirror(core_.contents.path(), core_.contents.format().capabilities().name);
  return mirrors_.refresh(*library, core_.transfer.data(), core_.contents.path(),
                          core_.calls.state().writable());
}

// Closes this rank's descriptors of the file, so that other programs can use it; close() releases what the
// ranks share.
Status LibraryClient::finish() {
  const auto scope = core_.setting.counted();
  SCORPIO_TRY(check_live("end that a rank could call alone"));
  if (!core_.calls.state().finished().ok()) return {};
  // The failure of the I/O system is left out: a rank can end its use after ranks have made different calls.
  SCORPIO_TRY(core_.calls.state().check(FileState::Event::finish, Status()));
  Status status = mirrors_.close();
  status = first_failure(status, reads_.close());
  status = first_failure(
      status, core_.transfer.data().close());  // on the metadata rank the descriptor is the owner's
  if (core_.metadata != nullptr) status = first_failure(status, core_.metadata->close(true));
  core_.metadata.reset();
  core_.calls.state().happened(FileState::Event::finish);
  return status;
}

namespace {

struct ReadsByLibrary {
  comm::Any any;
  auto fields() { return std::tie(any); }
};

}  // namespace

// Eager files: the library writes its cached data to storage before I/O ranks read a variable through readers
// of their own. One agreement; two more if the variable is read by the library.
Status LibraryClient::fetch(const Result<DataCall>& call) {
  ReadsByLibrary all{{call.ok() && call->by_library}};
  SCORPIO_TRY(comm::agree(core_.setting.comm(), call.status(), all));
  return all.any ? fetch() : Status();
}

Status LibraryClient::fetch() {
  const Status own = guarded([&] {
    const Status flushed = core_.metadata != nullptr ? core_.commit()->flush() : Status();
    return first_failure(flushed, reads_.close());
  });
  return comm::agree(core_.setting.comm(), own);
}

}  // namespace scorpio::session
