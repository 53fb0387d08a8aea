// A file that is stored as a folder of objects: the folder has a temporary name until it is complete. Objects
// of a folder with its final name are replaced one by one. Independent, as Container.
#pragma once

#include <memory>
#include <string>

#include "storage/container.h"

namespace scorpio::storage {

class ObjectFolder final : public Container {
 public:
  // Creates an empty folder under its temporary name. `mark`: the key of an object that all folders of the
  // format have. Code::busy if another handle or process writes it.
  static Result<std::unique_ptr<Container>> create(const ContainerContext& context, const std::string& path,
                                                   const std::string& mark);
  // Opens an existing folder, after recover_folder(). It is locked if it is writable.
  static Result<std::unique_ptr<Container>> open(const ContainerContext& context, const std::string& path,
                                                 const std::string& mark, bool writable);

  std::shared_ptr<StoredFile> file() const override { return nullptr; }
  Result<FileSystemFacts> facts() override;
  Status check_close() override { return {}; }  // each object was closed when it was put
  Status give_name(bool durable) override;
  Status abandon() override;
  Status close() override;
  void restore() override {}  // after a failure an object is still the old or the new one
  Result<Container*> begin_copy(uint64_t bytes) override;
  Status finish_copy(bool durable) override;
  void abandon_copy() override {}

 private:
  ObjectFolder(Store& store, std::string path, std::string mark)
      : Container(store, std::move(path)), mark_(std::move(mark)) {}
  Status not_copied() const;

  std::string mark_;
  std::unique_ptr<StoredFile> lock_;  // null if the folder is only read
};

}  // namespace scorpio::storage
