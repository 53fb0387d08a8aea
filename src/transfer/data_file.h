// The file as an I/O rank sees it in the I/O phase: opened at the first byte, so that I/O ranks without data
// never open it. Independent; one thread.
#pragma once

#include <memory>
#include <string>

#include "observe/counters.h"
#include "storage/sink.h"
#include "storage/store.h"

namespace scorpio::transfer {

class DataFile final : public storage::Sink, public storage::Source {
 public:
  DataFile(storage::Store& store, std::string path, bool writable, observe::Counters& counters);

  // What writes are counted as aligned to: the unit that domains are made of.
  void set_block(uint64_t block_bytes) { block_bytes_ = block_bytes; }

  // Uses a descriptor that is open already (the metadata rank's).
  void adopt(std::shared_ptr<storage::StoredFile> file) { file_ = std::move(file); }
  // For others of this rank who read the file; opens it if need be.
  Result<std::unique_ptr<storage::StoredFile>> share();
  const std::string& path() const { return path_; }
  // The file's name changed; matters only if it is not open yet.
  void set_path(std::string path) { path_ = std::move(path); }

  Status write(uint64_t offset, std::span<const std::byte> bytes) override;
  // Bytes behind the end of the file are zero: nobody has written them.
  Status read(uint64_t offset, std::span<std::byte> bytes) override;
  Status sync();  // fine when never opened
  // What close() would say of the bytes written here; fine when there are none.
  Status check_close();
  Status close();

 private:
  Status open();

  storage::Store& store_;
  std::string path_;
  bool writable_;
  observe::Counters& counters_;
  uint64_t block_bytes_ = 1;
  bool unchecked_ = false;  // bytes were written since check_close()
  std::shared_ptr<storage::StoredFile> file_;
};

}  // namespace scorpio::transfer
