// How a new file comes to its name: it is written under a temporary one beside it and renamed when it is
// complete, so that what stands under the final name is always a whole file, the old or the new one.
// Independent: one rank does it for all. The temporary is locked while its writer lives.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "storage/store.h"

namespace scorpio::storage {

struct NewFile {
  std::unique_ptr<StoredFile> file;  // empty; locked
  std::string stale_found;           // temporary of a stopped run that was replaced; empty: none
};

// "<path>.scorpio-tmp", of a long name its start (name_beside): in the same folder, because only there a
// rename is atomic.
std::string temporary_name(const std::string& path);

// Makes the temporary of `path`. Code::busy when a living process writes it, Code::exists when the name is
// that of a folder, a symbolic link or a device, Code::name when it is too long.
Result<NewFile> begin_new_file(Store& store, const std::string& path);

// Gives the file its final name, replacing what was there, whose permissions (and owner, if the user may give
// them) it takes. `file` stays open and locked: a lock released
// before the rename would let another run take the temporary for a stale one. All others who wrote it have
// closed it, or checked what a close would say, as is done here: a write that a file system tells of only
// then must not cost the earlier file. With `durable`, file and name survive a power failure when this
// returns. On failure the data are still under the temporary name.
Status commit_new_file(Store& store, StoredFile& file, const std::string& path, bool durable);

// Removes the temporary, unless it is another run's by now. `file` is closed by the caller, after this.
Status abandon_new_file(Store& store, StoredFile& file, const std::string& path);

}  // namespace scorpio::storage
