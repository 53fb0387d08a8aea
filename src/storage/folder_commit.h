// How a new folder of objects comes to its name: its objects are put into a folder with a temporary name
// beside it, which is renamed when it is complete, so that what stands under the final name is always a whole
// folder, the old or the new one. Independent: one rank does it for all. While its writer lives, a file
// beside the folder is locked.
//
// An old folder and the new one change their names at once. Where the file system cannot exchange names
// (NFS), the old one gets a name beside it first: for a moment neither stands under the final name. Who opens
// a folder calls recover_folder() before, which ends such a moment if the writer was stopped in it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "storage/store.h"

namespace scorpio::storage {

struct NewFolder {
  std::string path;         // where the objects are put; empty yet
  std::string stale_found;  // folder of a stopped run that was replaced; empty: none
  std::unique_ptr<StoredFile> lock;
};

// "<path>.scorpio-tmp", "-old" and "-lock", of a long name its start (name_beside).
std::string temporary_folder_name(const std::string& path);
std::string replaced_folder_name(const std::string& path);
std::string folder_lock_name(const std::string& path);

// `mark`: the key of an object that all folders of this kind have. Nothing else is replaced: Code::exists
// when the name is that of a file, a symbolic link, or a folder without this object. Code::busy when a living
// process writes the folder; Code::name when the path is too long.
Result<NewFolder> begin_new_folder(Store& store, const std::string& path, const std::string& mark);

// Gives the folder its final name, in place of the one that was there, which is removed, and whose
// permissions (and owner, if the user may give them) it takes. All objects were put; with `durable` those
// that were put so, and all names, survive a power failure when this returns. On failure the new folder is
// under the temporary name, unless the text says otherwise.
Status commit_new_folder(Store& store, NewFolder& folder, const std::string& path, const std::string& mark,
                         bool durable);

// The first part of it, which keeps the lock: the folder goes on being written under its name, until
// unlock_folder().
Status give_folder_name(Store& store, const std::string& temporary, const std::string& path,
                        const std::string& mark, bool durable);

// Removes what was put.
Status abandon_new_folder(Store& store, NewFolder& folder, const std::string& path);
// The first part of it, which keeps the lock.
Status remove_new_folder(Store& store, const std::string& temporary);

// For who changes a folder that is there. Code::busy when it is being written.
Result<std::unique_ptr<StoredFile>> lock_folder(Store& store, const std::string& path);
Status unlock_folder(Store& store, StoredFile& lock, const std::string& path);

// Gives the old folder its name back if a writer was stopped between the two renames of a file system that
// cannot exchange names. True: it did. Code::busy when a living process is between them.
Result<bool> recover_folder(Store& store, const std::string& path);

}  // namespace scorpio::storage
