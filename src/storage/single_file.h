// A file of a format that keeps all in one file: one descriptor, a temporary name until it is complete, an
// undo journal beside it afterwards. Independent, as Container.
#pragma once

#include <memory>
#include <string>

#include "storage/container.h"

namespace scorpio::storage {

class SingleFile final : public Container {
 public:
  // Empty, under its temporary name; `in_place`: under its final one, where a client holds it open from the
  // start. Code::busy where another handle or run writes it.
  static Result<std::unique_ptr<Container>> create(const ContainerContext& context, const std::string& path,
                                                   bool in_place);
  // Restored, if a journal says so. `journal`: one may be kept of changes.
  static Result<std::unique_ptr<Container>> open(const ContainerContext& context, const std::string& path,
                                                 bool writable, bool journal);
  ~SingleFile() override { hold(nullptr); }

  std::shared_ptr<StoredFile> file() const override { return file_; }
  Result<FileSystemFacts> facts() override { return file_->facts(); }
  Status check_close() override { return file_->check_close(); }
  Status give_name(bool durable) override;
  Status abandon() override;
  Status close() override;
  void restore() override;
  Result<Container*> begin_copy(uint64_t bytes) override;
  Status finish_copy(bool durable) override;
  void abandon_copy() override;

 private:
  SingleFile(Store& store, std::string path, bool writable)
      : Container(store, std::move(path)), writable_(writable) {}
  void hold(std::shared_ptr<StoredFile> file);
  Status check_room(uint64_t bytes);

  bool writable_;
  std::shared_ptr<StoredFile> file_;
  std::unique_ptr<SingleFile> copy_;
};

}  // namespace scorpio::storage
