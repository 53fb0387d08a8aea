// The interface to applications that call the format's own library: the live id, its mirrors, and an end of
// use that only some ranks call. Collective where stated.
#pragma once

#include <cstdint>

#include "session/state/core.h"
#include "session/state/data_call.h"
#include "session/state/library_reads.h"
#include "session/state/mirrors.h"

namespace scorpio::session {

class LibraryClient {
 public:
  LibraryClient(Core& core, LibraryReads& reads) : core_(core), reads_(reads) {}

  // Local: the live id on the metadata rank, the id of the last mirror() on other I/O ranks; -1 on other
  // ranks.
  Result<int64_t> library_id();
  // Collective: makes new ids on all I/O ranks, through which all data and definitions so far can be read.
  Status mirror();
  // Independent: ends this rank's part; only a close may follow.
  Status finish();

  // ---- for data calls ----
  // Eager files: the library writes its cached data, which the application may have changed, to storage
  // before I/O ranks read a variable through readers of their own. Collective: one agreement; two more if the
  // variable is read by the library.
  Status fetch(const Result<DataCall>& call);
  // The same if all ranks know that there is such a variable.
  Status fetch();

  Status close_mirrors() { return mirrors_.close(); }

 private:
  Status check_live(const char* what) const;
  Status refresh_mirror();

  Core& core_;
  LibraryReads& reads_;
  Mirrors mirrors_;
};

}  // namespace scorpio::session
