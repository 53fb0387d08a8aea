// Folders of the operating system, and objects in them as files. Independent; any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/store.h"
#include "storage/system_calls.h"

namespace scorpio::storage {

// Store describes these functions. `files` and `calls` outlive this object.
class PosixObjects {
 public:
  PosixObjects(Store& files, SystemCalls& calls) : files_(files), calls_(calls) {}

  Status make_folder(const std::string& path);
  Status remove_folder(const std::string& path);
  Status exchange(const std::string& one, const std::string& other);
  Status sync_folder(const std::string& path);
  Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
             const PutOptions& options);
  Status get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes);
  Status remove_object(const std::string& folder, const std::string& key);
  Result<std::vector<std::string>> list(const std::string& folder);

 private:
  // An object that does not have its name yet.
  struct Unnamed {
    std::unique_ptr<StoredFile> file;
    std::string path;
  };
  Result<std::vector<FolderEntry>> entries_of(const std::string& folder);
  Status collect(const std::string& folder, const std::string& prefix, std::vector<std::string>& keys);
  Status make_folders_of(const std::string& folder, const std::string& key);
  Result<Unnamed> make_unnamed(const std::string& folder);
  Result<Unnamed> make_unnamed(const std::string& folder, const std::string& key);
  Status give_name(const std::string& from, const std::string& to);
  Status give_free_name(const std::string& from, const std::string& to);

  Store& files_;
  SystemCalls& calls_;
};

}  // namespace scorpio::storage
