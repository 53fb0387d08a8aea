// A store in memory that can lose what was not made durable, as a machine does whose power fails: bytes since
// the last sync of a file survive or not, each write on its own; names since the last sync of their folder
// survive up to some point. One thread. Locks are those of a process that dies with the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "storage/store.h"

namespace scorpio::storage::test {

class PowerFailureStore final : public Store {
 public:
  struct Change {
    uint64_t offset;
    std::string bytes;  // empty: the size is set to `offset`
  };
  struct Contents {
    std::string current;
    std::string durable;
    std::vector<Change> pending;  // what leads from `durable` to `current`
    const void* locked_by = nullptr;
  };
  using Names = std::map<std::string, std::shared_ptr<Contents>>;

  Result<std::unique_ptr<StoredFile>> open(const std::string& path, OpenMode mode) override;
  Result<bool> exists(const std::string& path) override { return names_.count(path) != 0; }
  Status remove(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status sync_directory_of(const std::string& path) override;

  // It knows files only.
  Status make_folder(const std::string&) override { return files_only(); }
  Status remove_folder(const std::string&) override { return files_only(); }
  Status exchange(const std::string&, const std::string&) override { return files_only(); }
  Status sync_folder(const std::string&) override { return files_only(); }
  Status put(const std::string&, const std::string&, std::span<const std::byte>, const PutOptions&) override {
    return files_only();
  }
  Status get(const std::string&, const std::string&, std::vector<std::byte>&) override {
    return files_only();
  }
  Status remove_object(const std::string&, const std::string&) override { return files_only(); }
  Result<std::vector<std::string>> list(const std::string&) override { return files_only(); }

  // `choose(n)`: a number from 0 to n - 1; decides what survives.
  void fail_power(const std::function<uint64_t(uint64_t)>& choose);

  const Names& names() const { return names_; }

 private:
  static Status files_only() { return failure(Code::unsupported, "this store has no folders"); }
  void changed() { later_names_.push_back(names_); }

  Names names_;
  Names durable_names_;
  std::vector<Names> later_names_;  // after each change since the last sync of the folder
};

}  // namespace scorpio::storage::test
