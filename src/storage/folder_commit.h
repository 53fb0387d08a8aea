// The commit of a new folder of objects: the objects are put into a folder with a temporary name, which is
// renamed when it is complete, so that the final name always refers to a complete folder, the old or the new
// one. Independent: one rank does it for all. While the writer exists, it holds the lock of a file next to
// the folder.
//
// An old folder and the new one exchange their names at once. If the file system cannot exchange names (NFS),
// the old one is renamed first, and for a short time no folder has the final name. A job that opens a folder
// calls recover_folder() before, which restores the name if the writer was killed at that time.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "storage/store.h"

namespace scorpio::storage {

struct NewFolder {
  std::string path;         // path of the new, empty folder
  std::string stale_found;  // folder of a killed job that was replaced; empty: none
  std::unique_ptr<StoredFile> lock;
};

// "<path>.scorpio-tmp", "-old" and "-lock", or abbreviations of long names (name_beside).
std::string temporary_folder_name(const std::string& path);
std::string replaced_folder_name(const std::string& path);
std::string folder_lock_name(const std::string& path);

// `mark`: the key of an object that all folders of this kind have. Only such folders are replaced:
// Code::exists if the name is that of a file, a symbolic link, or another folder. Code::busy if a living
// process writes the folder; Code::name if the path is too long.
Result<NewFolder> begin_new_folder(Store& store, const std::string& path, const std::string& mark);

// Gives the new folder its final name, under which it is written until unlock_folder(). An earlier folder of
// this name is removed, and its permissions (and owner, if the user has the right) are taken over. All
// objects have been put; with `durable`, those that were put so, and all names, survive a power failure when
// this returns. On failure the new folder has its temporary name, unless the text says otherwise.
Status give_folder_name(Store& store, const std::string& temporary, const std::string& path,
                        const std::string& mark, bool durable);

// Removes the new folder; its lock is kept until unlock_folder().
Status remove_new_folder(Store& store, const std::string& temporary);

// For changes to an existing folder. Code::busy if another process writes it.
Result<std::unique_ptr<StoredFile>> lock_folder(Store& store, const std::string& path);
Status unlock_folder(Store& store, StoredFile& lock, const std::string& path);

// Restores the name of the old folder if a writer was killed between the two renames on a file system that
// cannot exchange names. Returns true if it did. Code::busy if a living process is between them.
Result<bool> recover_folder(Store& store, const std::string& path);

}  // namespace scorpio::storage
