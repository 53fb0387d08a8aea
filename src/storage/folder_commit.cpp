#include "storage/folder_commit.h"

#include <utility>

#include "storage/locked_name.h"
#include "storage/name_beside.h"
#include "storage/object_key.h"
#include "storage/path.h"
#include "storage/permissions.h"

namespace scorpio::storage {
namespace {

// Returns null if another job removed the file between two calls.
Result<std::unique_ptr<StoredFile>> attempt_lock(Store& store, const std::string& name) {
  auto opened = store.open(name, OpenMode::create_new);
  const bool made = opened.ok();
  if (opened.status().code() == Code::exists) {
    opened = store.open(name, OpenMode::read_write);
    if (opened.status().code() == Code::not_found) return std::unique_ptr<StoredFile>();
  }
  if (!opened.ok()) return opened;
  SCORPIO_ASSIGN(const bool there, lock_name(store, **opened, name, made, k_usual_patience));
  return there ? std::move(opened).value() : nullptr;
}

Status check_replaceable_folder(Store& store, const std::string& path, const std::string& mark) {
  if (is_link(path)) {
    return failure(
        Code::exists,
        "{} is a symbolic link, which a new folder would replace; give the path that it names, {}, or "
        "remove it",
        path, followed(path));
  }
  SCORPIO_ASSIGN(const bool there, store.exists(path));
  if (!there) return {};
  SCORPIO_ASSIGN(const bool marked, store.exists(path_of_object(path, mark)));
  if (marked) return {};
  return failure(
      Code::exists,
      "{} exists and is not replaced, because it is not a folder of this format: it has no {}; remove it "
      "or choose another name",
      path, mark);
}

// Returns true if there was one.
Result<bool> remove_if_there(Store& store, const std::string& path) {
  const Status removed = store.remove_folder(path);
  if (removed.code() == Code::not_found) return false;
  SCORPIO_TRY(removed);
  return true;
}

// Called under the lock. Returns true if the old folder got its name back.
Result<bool> recover_locked(Store& store, const std::string& path) {
  const std::string replaced = replaced_folder_name(path);
  SCORPIO_ASSIGN(const bool old_there, store.exists(replaced));
  SCORPIO_ASSIGN(const bool there, store.exists(path));
  if (!old_there || there) return false;
  SCORPIO_TRY(store.rename(replaced, path));
  return true;
}

Status prepare(Store& store, NewFolder& folder, const std::string& path, const std::string& mark) {
  SCORPIO_TRY(recover_locked(store, path).status());
  SCORPIO_TRY(check_replaceable_folder(store, path, mark));
  SCORPIO_TRY(remove_if_there(store, replaced_folder_name(path)).status());
  const auto stale = remove_if_there(store, folder.path);
  if (!stale.ok()) {
    return stale.status().with_context("a stopped run left the temporary folder of " + path +
                                       " and it cannot be replaced; remove it");
  }
  if (*stale) folder.stale_found = folder.path;
  return store.make_folder(folder.path);
}

// Returns the path that the old folder then has: the temporary name, or another one next to it.
Result<std::string> take_place(Store& store, const std::string& temporary, const std::string& path) {
  const Status exchanged = store.exchange(temporary, path);
  if (exchanged.ok()) return temporary;
  if (exchanged.code() != Code::unsupported) return exchanged;
  const std::string replaced = replaced_folder_name(path);
  SCORPIO_TRY(store.rename(path, replaced));
  const Status named = store.rename(temporary, path);
  if (named.ok()) return replaced;
  const Status back = store.rename(replaced, path);
  return back.ok() ? named : named.with_context("the old folder " + path + " is now " + replaced);
}

Status take_name(Store& store, const std::string& temporary, const std::string& path, bool durable) {
  const std::string context = "the new folder is complete under its temporary name " + temporary;
  SCORPIO_ASSIGN(const bool there, store.exists(path));
  std::string old;
  if (there) {
    take_over_permissions(path, temporary);
    auto placed = take_place(store, temporary, path);
    if (!placed.ok()) return placed.status().with_context(context);
    old = std::move(placed).value();
  } else {
    SCORPIO_TRY(store.rename(temporary, path).with_context(context));
  }
  // The old folder must exist until the new one survives a power failure.
  if (durable) {
    SCORPIO_TRY(store.sync_directory_of(path).with_context(
        path + " is complete under its name, which a power failure may take away again"));
  }
  return old.empty() ? Status()
                     : store.remove_folder(old).with_context(
                           path + " is complete under its name; what it replaced is left in " + old);
}

}  // namespace

std::string temporary_folder_name(const std::string& path) { return name_beside(path, ".scorpio-tmp"); }
std::string replaced_folder_name(const std::string& path) { return name_beside(path, ".scorpio-old"); }
std::string folder_lock_name(const std::string& path) { return name_beside(path, ".scorpio-lock"); }

Result<std::unique_ptr<StoredFile>> lock_folder(Store& store, const std::string& path) {
  const std::string name = folder_lock_name(path);
  auto lock = until_there(k_usual_patience, [&] { return attempt_lock(store, name); });
  const bool busy = lock.ok() ? *lock == nullptr : lock.status().code() == Code::busy;
  return busy ? being_written(path, "the lock on " + name) : std::move(lock);
}

// The file is removed before its lock is released: a process that waits for the lock finds that the file has
// no name.
Status unlock_folder(Store& store, StoredFile& lock, const std::string& path) {
  const Status removed = store.remove(folder_lock_name(path));
  return first_failure(removed, lock.close());
}

Result<NewFolder> begin_new_folder(Store& store, const std::string& path, const std::string& mark) {
  SCORPIO_TRY(check_name_beside(path, folder_lock_name(path)));
  SCORPIO_TRY(check_replaceable_folder(store, path, mark));
  NewFolder folder{.path = temporary_folder_name(path), .stale_found = {}, .lock = nullptr};
  SCORPIO_ASSIGN(folder.lock, lock_folder(store, path));
  const Status prepared = prepare(store, folder, path, mark);
  if (prepared.ok()) return folder;
  (void)unlock_folder(store, *folder.lock, path);
  return prepared;
}

Status give_folder_name(Store& store, const std::string& temporary, const std::string& path,
                        const std::string& mark, bool durable) {
  SCORPIO_TRY(check_replaceable_folder(store, path, mark));
  if (durable) SCORPIO_TRY(store.sync_folder(temporary));
  return take_name(store, temporary, path, durable);
}

Status remove_new_folder(Store& store, const std::string& temporary) {
  return remove_if_there(store, temporary).status();
}

Result<bool> recover_folder(Store& store, const std::string& path) {
  SCORPIO_ASSIGN(const bool there, store.exists(path));
  if (there) return false;
  SCORPIO_ASSIGN(const bool old_there, store.exists(replaced_folder_name(path)));
  if (!old_there) return false;
  SCORPIO_ASSIGN(const auto lock, lock_folder(store, path));
  const auto recovered = recover_locked(store, path);
  const Status released = unlock_folder(store, *lock, path);
  SCORPIO_TRY(recovered.status());
  SCORPIO_TRY(released);
  return recovered;
}

}  // namespace scorpio::storage
