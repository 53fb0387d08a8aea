// A file that is stored as one file: it has one descriptor, a temporary name until it is complete, and an
// undo journal next to it afterwards. Independent, as Container.
#pragma once

#include <memory>
#include <string>

#include "storage/container.h"

namespace scorpio::storage {

class SingleFile final : public Container {
 public:
  // Creates an empty file under its temporary name or, with `in_place`, under its final one, because the
  // application has it open from the beginning: it is empty after take_place(). Code::busy if another handle
  // or process writes it.
  static Result<std::unique_ptr<Container>> create(const ContainerContext& context, const std::string& path,
                                                   bool in_place);
  // Opens a file, restored from its journal if there is one. `journal`: changes may use a journal.
  static Result<std::unique_ptr<Container>> open(const ContainerContext& context, const std::string& path,
                                                 bool writable, bool journal);
  ~SingleFile() override { hold(nullptr); }

  std::shared_ptr<StoredFile> file() const override { return file_; }
  std::shared_ptr<LateFile> late() const override { return late_; }
  Result<FileSystemFacts> facts() override { return file_->facts(); }
  Status check_close() override { return file_->check_close(); }
  Status take_place() override;
  Status give_name(bool durable) override;
  Status abandon() override;
  Status close() override;
  void restore() override;
  Result<Container*> begin_copy(uint64_t bytes) override;
  Status finish_copy(bool durable) override;
  void abandon_copy() override;

 private:
  SingleFile(const ContainerContext& context, std::string path, bool writable)
      : SingleFile(context.store, std::move(path), writable, context.striping, context.writer) {}
  SingleFile(Store& store, std::string path, bool writable, const Striping& striping, Writer writer)
      : Container(store, std::move(path)), writable_(writable), striping_(striping), writer_(writer) {}
  void hold(std::shared_ptr<StoredFile> file);
  Status take_final_name();
  Status check_room(uint64_t bytes);

  bool writable_;
  Striping striping_;      // of a copy
  Writer writer_;          // of an undo journal that is found
  bool own_ = false;       // a new file under its final name, of which no earlier contents are left
  bool complete_ = false;  // a new file under its temporary name, of which all bytes are stored
  std::shared_ptr<StoredFile> file_;
  std::shared_ptr<LateFile> late_;  // of a new file
  std::unique_ptr<SingleFile> copy_;
};

}  // namespace scorpio::storage
