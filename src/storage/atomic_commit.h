// The commit of a new file: it is written under a temporary name in the same folder and renamed when it is
// complete, so that the final name always refers to a complete file, the old or the new one. Independent: one
// rank does it for all. The temporary file is locked while its writer exists.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "storage/store.h"
#include "storage/undo_journal.h"

namespace scorpio::storage {

struct NewFile {
  std::unique_ptr<StoredFile> file;  // empty; locked
  std::string stale_found;           // temporary file of a killed job that was replaced; empty: none
  std::string stripes_refused;       // why it does not have the stripes that were asked for; empty: it has
};

// "<path>.scorpio-tmp", or an abbreviation of a long name (name_beside). It is in the same folder, because a
// rename is atomic only there.
std::string temporary_name(const std::string& path);

// Creates the temporary file of `path`. Code::busy if a living process writes it, Code::exists if `path` is a
// folder, a symbolic link or a device, Code::name if it is too long.
// `check`: is called when the temporary name is locked; if it fails, what was there before is left.
Result<NewFile> begin_new_file(Store& store, const std::string& path, const Striping& striping = {},
                               const std::function<Status()>& check = nullptr);

// All ranks that wrote the file have closed it, or have called check_close(), as is done here: a failed write
// that a file system reports only at a close must not destroy the earlier file. With `durable`, the bytes
// survive a power failure when this returns. Code::io if the temporary name belongs to another file by now,
// or to none.
Status complete_new_file(StoredFile& file, const std::string& path, bool durable);

// Gives a complete file its final name. An earlier file of this name is replaced, its journal is settled (by
// what is known of its `writer`), and its permissions (and owner, if the user has the right) are taken over.
// The file stays open and locked: if the lock were released before, another job could regard the temporary
// file as abandoned. On failure the file is still under the temporary name.
Status name_new_file(Store& store, const std::string& path, Writer writer = Writer::is_found_out);

// A complete file that did not get its final name: gives it a name that no later file of this path takes,
// "<path>.scorpio-complete" or an abbreviation, unless there is such a file already. Returns the name that it
// has then.
std::string keep_new_file(Store& store, const std::string& path);

// The final name survives a power failure when this returns.
Status sync_new_name(Store& store, const std::string& path);

// Removes the name, unless it belongs to another file by now, or to none.
Status remove_if_at(Store& store, StoredFile& file, const std::string& name);

// Removes the temporary file, unless it belongs to another job by now. `file` is closed by the caller, after
// this.
Status abandon_new_file(Store& store, StoredFile& file, const std::string& path);

}  // namespace scorpio::storage
