// What callers of the format's own library get: the live id, mirrors of it, and an end that only some ranks
// call. Collective where said.
#pragma once

#include <cstdint>

#include "session/core.h"
#include "session/data_call.h"
#include "session/library_reads.h"
#include "session/mirrors.h"

namespace scorpio::session {

class LibraryClient {
 public:
  LibraryClient(Core& core, LibraryReads& reads) : core_(core), reads_(reads) {}

  // Local: the live id on the metadata rank, of the last mirror() on other I/O ranks; -1 elsewhere.
  Result<int64_t> library_id();
  // Collective: what was written so far can be seen through fresh ids on all I/O ranks.
  Status mirror();
  // Independent: ends this rank's part; only a close may follow.
  Status finish();

  // ---- for data calls ----
  // Eager: what the file's library holds back of what a client wrote reaches storage before I/O ranks read a
  // variable through readers of their own. Collective: one agreement; two more where it is such a variable.
  Status fetch(const Result<DataCall>& call);
  // The same where all ranks know that there is such a variable.
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
