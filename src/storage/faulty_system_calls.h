// System calls that fail according to a plan. Independent; any thread.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "storage/fault_plan.h"
#include "storage/system_calls.h"

namespace scorpio::storage {

class FaultySystemCalls : public SystemCalls {
 public:
  explicit FaultySystemCalls(std::shared_ptr<FaultPlan> plan) : plan_(std::move(plan)) {}

  int open(const char* path, int flags, mode_t mode) override;
  ssize_t pread(int descriptor, void* bytes, size_t count, off_t offset) override;
  ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) override;
  int ftruncate(int descriptor, off_t size) override;
  int fsync(int descriptor) override;
  // A failing close releases the descriptor, as on Linux.
  int close(int descriptor) override;
  int rename(const char* from, const char* to) override;
  int rename_new(const char* from, const char* to) override;
  int exchange(const char* one, const char* other) override;
  int link(const char* from, const char* to) override;
  int unlink(const char* path) override;
  int make_folder(const char* path, mode_t mode) override;
  int remove_empty_folder(const char* path) override;
  int list(const char* path, std::vector<FolderEntry>* entries) override;
  int lock(int descriptor) override;

 private:
  // Whether the call is to fail; if so, errno is set.
  bool fails(Operation operation);

  std::shared_ptr<FaultPlan> plan_;
};

}  // namespace scorpio::storage
