#include "storage/posix_objects.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <utility>

#include "storage/object_key.h"
#include "storage/path.h"
#include "storage/system_error.h"

namespace scorpio::storage {
namespace {

// The umask of the user restricts it, as in any program.
constexpr mode_t k_new_folder_mode = 0777;

// An attempt fails only if another process is creating an object of this name, or was killed while it did.
constexpr int k_most_names = 1000;

bool unknown_to_file_system(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP; }

// Returns another name in each call, from any thread, because the count is that of the process. A process on
// another node may have the same process id: if the name is in use, the next one is tried.
std::string unnamed_path(const std::string& folder) {
  static std::atomic<uint64_t> next =
      static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  return fmt::format("{}/{}{:x}-{:x}", folder, k_put_prefix, ::getpid(), ++next);
}

Status fill(StoredFile& file, std::span<const std::byte> bytes, bool durable) {
  Status status = file.write_at(bytes, 0);
  if (status.ok() && durable) status = file.sync();
  return first_failure(std::move(status), file.close());
}

Status resized(std::vector<std::byte>& bytes, uint64_t size, const std::string& path) {
  try {
    bytes.resize(size);
    return {};
  } catch (const std::exception&) {
    return failure(Code::memory, "there is no memory for the {} bytes of the object {}", size, path);
  }
}

Status within_object(const std::string& path) {
  return failure(Code::exists, "cannot put {}: a part of its key is the key of another object", path);
}

Status absent(const std::string& path) {
  return failure(Code::not_found, "there is no object {}; check its folder and its key", path);
}

}  // namespace

Status PosixObjects::make_folder(const std::string& path) {
  if (calls_.make_folder(path.c_str(), k_new_folder_mode) == 0) return {};
  return system_failure("make the folder", path, errno);
}

Result<std::vector<FolderEntry>> PosixObjects::entries_of(const std::string& folder) {
  std::vector<FolderEntry> entries;
  if (calls_.list(folder.c_str(), &entries) != 0) return system_failure("list the folder", folder, errno);
  return entries;
}

// An object that another process removes at the same time counts as removed.
Status PosixObjects::remove_folder(const std::string& path) {
  SCORPIO_ASSIGN(const std::vector<FolderEntry> entries, entries_of(path));
  for (const FolderEntry& entry : entries) {
    const std::string inner = path_of_object(path, entry.name);
    const Status removed = entry.is_folder ? remove_folder(inner) : files_.remove(inner);
    if (removed.code() != Code::not_found) SCORPIO_TRY(removed);
  }
  if (calls_.remove_empty_folder(path.c_str()) == 0) return {};
  return system_failure("remove the folder", path, errno);
}

Status PosixObjects::exchange(const std::string& one, const std::string& other) {
  if (calls_.exchange(one.c_str(), other.c_str()) == 0) return {};
  if (unknown_to_file_system(errno)) {
    return failure(Code::unsupported,
                   "the file system of {} cannot exchange two names; rename the two one after the other",
                   other);
  }
  return system_failure(fmt::format("exchange {} and", one), other, errno);
}

Status PosixObjects::sync_folder(const std::string& path) {
  SCORPIO_ASSIGN(const std::vector<FolderEntry> entries, entries_of(path));
  for (const FolderEntry& entry : entries) {
    if (entry.is_folder) SCORPIO_TRY(sync_folder(path_of_object(path, entry.name)));
  }
  return files_.sync_directory_of(path + "/");
}

Status PosixObjects::make_folders_of(const std::string& folder, const std::string& key) {
  for (size_t slash = key.find('/'); slash != std::string::npos; slash = key.find('/', slash + 1)) {
    const Status made = make_folder(path_of_object(folder, key.substr(0, slash)));
    const bool below_another = key.rfind('/', slash - 1) != std::string::npos;
    if (made.code() == Code::not_found && below_another) return within_object(path_of_object(folder, key));
    if (made.code() != Code::exists) SCORPIO_TRY(made);
  }
  return {};
}

Result<PosixObjects::Unnamed> PosixObjects::make_unnamed(const std::string& folder) {
  Status last;
  for (int i = 0; i < k_most_names; ++i) {
    std::string path = unnamed_path(folder);
    auto made = files_.open(path, OpenMode::create_new);
    if (made.ok()) return Unnamed{std::move(made).value(), std::move(path)};
    last = made.status();
    if (last.code() != Code::exists) break;
  }
  return last;
}

// In the folder of the object, because a rename is certainly atomic only within a folder.
Result<PosixObjects::Unnamed> PosixObjects::make_unnamed(const std::string& folder, const std::string& key) {
  const std::string parent = folder_of(path_of_object(folder, key));
  auto made = make_unnamed(parent);
  if (made.status().code() != Code::not_found || parent == folder) return made;
  SCORPIO_TRY(make_folders_of(folder, key));
  made = make_unnamed(parent);
  if (made.status().code() != Code::not_found) return made;
  return within_object(path_of_object(folder, key));
}

Status PosixObjects::give_name(const std::string& from, const std::string& to) {
  if (calls_.rename(from.c_str(), to.c_str()) == 0) return {};
  if (errno == EISDIR) return failure(Code::exists, "cannot put {}: it is a folder of other objects", to);
  return system_failure("put", to, errno);
}

// NFS has no rename that fails if the name is in use, but it can create a second name.
Status PosixObjects::give_free_name(const std::string& from, const std::string& to) {
  if (calls_.rename_new(from.c_str(), to.c_str()) == 0) return {};
  if (!unknown_to_file_system(errno)) return system_failure("put", to, errno);
  if (calls_.link(from.c_str(), to.c_str()) != 0) return system_failure("put", to, errno);
  return files_.remove(from);
}

Status PosixObjects::put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
                         const PutOptions& options) {
  SCORPIO_TRY(check_key(key));
  SCORPIO_ASSIGN(const Unnamed fresh, make_unnamed(folder, key));
  Status status = fill(*fresh.file, bytes, options.durable);
  const std::string path = path_of_object(folder, key);
  if (status.ok())
    status = options.exclusive ? give_free_name(fresh.path, path) : give_name(fresh.path, path);
  if (!status.ok()) (void)files_.remove(fresh.path);  // otherwise its folder removes it
  return status;
}

Status PosixObjects::get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes) {
  SCORPIO_TRY(check_key(key));
  const std::string path = path_of_object(folder, key);
  auto opened = files_.open(path, OpenMode::read);
  const Code code = opened.status().code();
  if (code == Code::not_found || code == Code::format) return absent(path);
  SCORPIO_ASSIGN(const auto file, std::move(opened));
  SCORPIO_ASSIGN(const uint64_t size, file->size());
  SCORPIO_TRY(resized(bytes, size, path));
  SCORPIO_ASSIGN(const size_t got, file->read_at(bytes, 0));
  if (got == size) return file->close();
  return failure(Code::io, "{} was cut from {} to {} bytes while it was read", path, size, got);
}

Status PosixObjects::remove_object(const std::string& folder, const std::string& key) {
  SCORPIO_TRY(check_key(key));
  return files_.remove(path_of_object(folder, key));
}

Status PosixObjects::collect(const std::string& folder, const std::string& prefix,
                             std::vector<std::string>& keys) {
  SCORPIO_ASSIGN(const std::vector<FolderEntry> entries, entries_of(folder));
  for (const FolderEntry& entry : entries) {
    if (entry.is_folder) {
      SCORPIO_TRY(collect(path_of_object(folder, entry.name), prefix + entry.name + "/", keys));
    } else if (!entry.name.starts_with(k_put_prefix)) {
      keys.push_back(prefix + entry.name);
    }
  }
  return {};
}

Result<std::vector<std::string>> PosixObjects::list(const std::string& folder) {
  std::vector<std::string> keys;
  SCORPIO_TRY(collect(folder, "", keys));
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace scorpio::storage
