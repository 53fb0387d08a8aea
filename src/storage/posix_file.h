// One open file of the operating system. Independent; one thread at a time, beside which others may write,
// sync, and call check_close(). Owns its descriptor.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "observe/counters.h"
#include "storage/store.h"
#include "storage/system_calls.h"

namespace scorpio::storage {

class PosixFile final : public StoredFile {
 public:
  PosixFile(int descriptor, std::string path, bool writable, std::shared_ptr<SystemCalls> calls,
            observe::Counters* counters)
      : descriptor_(descriptor),
        path_(std::move(path)),
        writable_(writable),
        calls_(std::move(calls)),
        counters_(counters) {}
  ~PosixFile() override;

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override;
  Status write_parts(Parts parts, uint64_t offset) override;
  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override;
  Result<uint64_t> size() override;
  Result<ByteRange> next_data(uint64_t offset) override;
  Result<uint64_t> allocated_bytes() override;
  Status truncate(uint64_t size) override;
  Status sync() override;
  Status lock_exclusive() override;
  bool is_locked() const override { return locked_; }
  Result<bool> is_locked_by_other() override;
  Result<bool> is_at(const std::string& path) override;
  Result<FileSystemFacts> facts() override;
  Status check_close() override;
  std::optional<int> descriptor() const override {
    return descriptor_ >= 0 ? std::optional<int>(descriptor_) : std::nullopt;
  }
  Status close() override;

 private:
  Status check_open() const;
  Status check_writable() const;
  void count_retry();
  int release();

  int descriptor_;  // -1 after close()
  bool locked_ = false;
  std::string path_;
  bool writable_;
  std::shared_ptr<SystemCalls> calls_;
  observe::Counters* counters_;
};

}  // namespace scorpio::storage
