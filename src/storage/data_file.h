// The data of a file that is one file in storage. It is opened at the first access, so that I/O ranks without
// data never open it. Independent; one thread, beside which other ones may call write(), sync() and
// check_close().
#pragma once

#include <memory>
#include <string>

#include "observe/counters.h"
#include "storage/data_access.h"

namespace scorpio::storage {

class DataFile final : public DataAccess {
 public:
  // `block_bytes`: writes that begin and end at its multiples are counted as aligned; file domains begin
  // there. `store` and `counters` outlive this object.
  DataFile(Store& store, std::string path, bool writable, uint64_t block_bytes, observe::Counters& counters);
  DataFile(DataFile&&) noexcept;
  ~DataFile() override;

  Status write(uint64_t offset, std::span<const std::byte> bytes) override;
  Status write_parts(uint64_t offset, Parts parts) override;
  // Bytes after the end of the file are read as zeros: they were never written.
  Status read(uint64_t offset, std::span<std::byte> bytes) override;

  void adopt(const Container& container) override;
  Result<std::unique_ptr<StoredFile>> share() override;
  // Has an effect only before the file is opened.
  void set_path(std::string path) override;
  Status sync() override;
  Status check_close() override;
  Status close() override;

 private:
  struct Opened;
  Result<StoredFile*> open();
  std::shared_ptr<StoredFile> opened() const;

  Store& store_;
  std::string path_;
  bool writable_;
  uint64_t block_bytes_;
  observe::Counters& counters_;
  std::unique_ptr<Opened> opened_;
};

}  // namespace scorpio::storage
