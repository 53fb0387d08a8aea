#include "storage/posix_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "storage/file_system_facts.h"
#include "storage/lustre_layout.h"
#include "storage/path.h"
#include "storage/posix_file.h"
#include "storage/posix_objects.h"
#include "storage/system_error.h"

namespace scorpio::storage {
namespace {

// The umask of the user restricts it, as in any program.
constexpr mode_t k_new_file_mode = 0666;

int flags_for(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return O_RDONLY;
    case OpenMode::read_write:
    case OpenMode::made_elsewhere:
      return O_RDWR;
    case OpenMode::left_behind:
      return O_RDWR | O_NOFOLLOW;
    case OpenMode::create_new:
      return O_RDWR | O_CREAT | O_EXCL;
    case OpenMode::create_truncate:
      return O_RDWR | O_CREAT | O_TRUNC;
  }
  return O_RDONLY;
}

const char* action_for(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return "open for reading";
    case OpenMode::read_write:
    case OpenMode::made_elsewhere:
    case OpenMode::left_behind:
      return "open for writing";
    case OpenMode::create_new:
    case OpenMode::create_truncate:
      break;
  }
  return "create";
}

// Whether the folder has the sticky bit and neither it nor the file is this user's, so that a rename over the
// file is refused.
bool is_kept_by_its_folder(const std::string& path) {
  struct stat file = {};
  struct stat folder = {};
  const uid_t user = ::geteuid();
  if (user == 0 || ::lstat(path.c_str(), &file) != 0 || ::stat(folder_of(path).c_str(), &folder) != 0)
    return false;
  return (folder.st_mode & S_ISVTX) != 0 && file.st_uid != user && folder.st_uid != user;
}

const char* name_of_type(mode_t type) {
  switch (type) {
    case S_IFIFO:
      return "a pipe";
    case S_IFDIR:
      return "a folder";
    case S_IFCHR:
    case S_IFBLK:
      return "a device";
    default:
      return "a folder, pipe, socket or device";
  }
}

Status not_regular(const std::string& path, mode_t type) {
  return failure(Code::format, "{} is {}, not a regular file: choose the name of a file", path,
                 name_of_type(type));
}

// The failures of open() for a socket, a folder that is to be written, and a device that does not exist.
bool says_special(int error) { return error == ENXIO || error == EISDIR || error == ENODEV; }

class PosixStore final : public Store {
 public:
  PosixStore(std::shared_ptr<SystemCalls> calls, observe::Counters* counters)
      : calls_(std::move(calls)), counters_(counters), objects_(*this, *calls_) {}

  Result<std::unique_ptr<StoredFile>> open(const std::string& path, OpenMode mode) override {
    const int descriptor = open_at_once(path, flags_for(mode));
    if (descriptor < 0) {
      return says_special(errno) ? not_regular(path, S_IFMT) : system_failure(action_for(mode), path, errno);
    }
    const bool writable = mode != OpenMode::read;
    auto file = std::make_unique<PosixFile>(descriptor, path, writable, calls_, counters_);
    if (mode != OpenMode::create_new)
      SCORPIO_TRY(check_regular(descriptor, path));  // it created a regular file
    return std::unique_ptr<StoredFile>(std::move(file));
  }

  // Lustre gives a file its layout when it is opened, unless it is asked to wait for another one.
  Result<std::unique_ptr<StoredFile>> create_striped(const std::string& path, const Striping& striping,
                                                     std::string& refused) override {
    uint32_t magic = 0;
    const bool known = calls_->file_system(folder_of(path).c_str(), &magic) == 0;
    const std::string kind = known ? file_system_kind(magic) : "";
    if (kind != "lustre") {
      refused = fmt::format("their file system{} is not Lustre", kind.empty() ? "" : " (" + kind + ")");
      return open(path, OpenMode::create_new);
    }
    const int descriptor = open_descriptor(path, flags_for(OpenMode::create_new) | k_delay_layout);
    if (descriptor < 0) return system_failure(action_for(OpenMode::create_new), path, errno);
    std::unique_ptr<StoredFile> file = std::make_unique<PosixFile>(descriptor, path, true, calls_, counters_);
    if (calls_->set_layout(descriptor, lustre_wish(striping).data()) != 0)
      refused = system_failure("set the stripes of", path, errno).text();
    return file;
  }

  Result<bool> exists(const std::string& path) override {
    struct stat facts = {};
    if (calls_->stat(path.c_str(), &facts) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) return false;
    return system_failure("examine", path, errno);
  }

  Status check_replaceable(const std::string& path) override {
    std::error_code
        ignored;  // other failures occur when the file is created, but the final name is used only at its end
    const auto kind = std::filesystem::symlink_status(path, ignored).type();
    if (ignored.value() == ENAMETOOLONG) return system_failure("create", path, ENAMETOOLONG);
    if (kind == std::filesystem::file_type::directory)
      return failure(Code::exists, "{} is a folder; give the name of a file in it", path);
    if (kind == std::filesystem::file_type::symlink) {
      return failure(
          Code::exists,
          "{} is a symbolic link, which a new file would replace; give the path that it names, {}, "
          "or remove it",
          path, std::filesystem::read_symlink(path, ignored).string());
    }
    const bool takes_files = kind == std::filesystem::file_type::regular ||
                             kind == std::filesystem::file_type::not_found ||
                             kind == std::filesystem::file_type::none;
    if (kind == std::filesystem::file_type::regular && ::access(path.c_str(), W_OK) != 0 && errno == EACCES) {
      return failure(
          Code::permission,
          "{} is write-protected, so that it is not replaced; give it write permission, remove it, or "
          "choose another name",
          path);
    }
    if (kind == std::filesystem::file_type::regular && is_kept_by_its_folder(path)) {
      return failure(
          Code::permission,
          "{} belongs to another user, and in its folder users replace their own files only (the folder has "
          "the sticky bit); choose another name, or another folder",
          path);
    }
    if (takes_files) return {};
    return failure(Code::exists, "{} is a device, pipe or socket: a file of this kind cannot be made there",
                   path);
  }

  Status remove(const std::string& path) override {
    return calls_->unlink(path.c_str()) == 0 ? Status() : system_failure("remove", path, errno);
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (calls_->rename(from.c_str(), to.c_str()) == 0) return {};
    return system_failure(fmt::format("rename {} to", from), to, errno);
  }

  Status sync_directory_of(const std::string& path) override {
    const std::string folder = folder_of(path);
    const int descriptor = open_descriptor(folder, O_RDONLY | O_DIRECTORY);
    if (descriptor < 0) return system_failure("open", folder, errno);
    PosixFile file(descriptor, folder, false, calls_, counters_);
    // A file system that cannot sync a folder has its own order of names; it answers with EINVAL or ENOTSUP.
    const bool synced = calls_->sync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
    const Status status = synced ? Status() : system_failure("sync", folder, errno);
    return first_failure(status, file.close());
  }

  Status make_folder(const std::string& path) override { return objects_.make_folder(path); }
  Status remove_folder(const std::string& path) override { return objects_.remove_folder(path); }
  Status exchange(const std::string& one, const std::string& other) override {
    return objects_.exchange(one, other);
  }
  Status sync_folder(const std::string& path) override { return objects_.sync_folder(path); }
  Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
             const PutOptions& options) override {
    return objects_.put(folder, key, bytes, options);
  }
  Status get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes) override {
    return objects_.get(folder, key, bytes);
  }
  Status remove_object(const std::string& folder, const std::string& key) override {
    return objects_.remove_object(folder, key);
  }
  Result<std::vector<std::string>> list(const std::string& folder) override { return objects_.list(folder); }

 private:
  // Does not wait for the other end of a pipe, which a file that the call creates is not. For regular files
  // the flag matters only if a file server has a lease, which it gives up at the second attempt.
  int open_at_once(const std::string& path, int flags) {
    if ((flags & O_EXCL) != 0) return open_descriptor(path, flags);
    const int descriptor = open_descriptor(path, flags | O_NONBLOCK);
    if (descriptor >= 0 || errno != EWOULDBLOCK) return descriptor;
    struct stat facts = {};
    if (calls_->stat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode))
      return open_descriptor(path, flags);
    errno = ENXIO;
    return -1;
  }

  Status check_regular(int descriptor, const std::string& path) {
    mode_t type = 0;
    if (calls_->type(descriptor, &type) != 0) return system_failure("examine", path, errno);
    if (type != S_IFREG) return not_regular(path, type);
    // Some file systems (FUSE) apply O_NONBLOCK to each transfer.
    return calls_->set_flags(descriptor, 0) == 0 ? Status() : system_failure("prepare", path, errno);
  }

  int open_descriptor(const std::string& path, int flags) {
    int descriptor = -1;
    do {
      descriptor = calls_->open(path.c_str(), flags | O_CLOEXEC, k_new_file_mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
  }

  std::shared_ptr<SystemCalls> calls_;
  observe::Counters* counters_;
  PosixObjects objects_;
};

}  // namespace

std::unique_ptr<Store> make_posix_store(std::shared_ptr<SystemCalls> calls, observe::Counters* counters) {
  if (calls == nullptr) calls = std::make_shared<SystemCalls>();
  return std::make_unique<PosixStore>(std::move(calls), counters);
}

}  // namespace scorpio::storage
