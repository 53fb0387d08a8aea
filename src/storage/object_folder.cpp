#include "storage/object_folder.h"

#include <utility>

#include "storage/folder_commit.h"
#include "storage/object_key.h"

namespace scorpio::storage {

Result<std::unique_ptr<Container>> ObjectFolder::create(const ContainerContext& context,
                                                        const std::string& path, const std::string& mark) {
  std::unique_ptr<ObjectFolder> made(new ObjectFolder(context.store, path, mark));
  SCORPIO_ASSIGN(NewFolder fresh, begin_new_folder(context.store, path, mark));
  context.tell_stale(fresh.stale_found);
  made->set_current_path(std::move(fresh.path));
  made->lock_ = std::move(fresh.lock);
  return std::unique_ptr<Container>(std::move(made));
}

Result<std::unique_ptr<Container>> ObjectFolder::open(const ContainerContext& context,
                                                      const std::string& path, const std::string& mark,
                                                      bool writable) {
  std::unique_ptr<ObjectFolder> opened(new ObjectFolder(context.store, path, mark));
  if (writable) {
    SCORPIO_ASSIGN(opened->lock_, lock_folder(context.store, path));
  }
  return std::unique_ptr<Container>(std::move(opened));
}

// Uses an open file, or an object that all folders of the format have.
Result<FileSystemFacts> ObjectFolder::facts() {
  if (lock_ != nullptr) return lock_->facts();
  SCORPIO_ASSIGN(const auto object, store().open(path_of_object(current_path(), mark_), OpenMode::read));
  SCORPIO_ASSIGN(FileSystemFacts known, object->facts());
  SCORPIO_TRY(object->close());
  return known;
}

Status ObjectFolder::give_name(bool durable) {
  SCORPIO_TRY(give_folder_name(store(), current_path(), path(), mark_, durable));
  set_current_path(path());
  return {};
}

Status ObjectFolder::abandon() { return remove_new_folder(store(), current_path()); }

Status ObjectFolder::close() {
  if (lock_ == nullptr) return {};
  const auto lock = std::move(lock_);
  return unlock_folder(store(), *lock, path());
}

Status ObjectFolder::not_copied() const {
  return failure(Code::internal, "{} is a folder of objects: its data are not moved by a copy", path());
}

Result<Container*> ObjectFolder::begin_copy(uint64_t) { return not_copied(); }
Status ObjectFolder::finish_copy(bool) { return not_copied(); }

}  // namespace scorpio::storage
