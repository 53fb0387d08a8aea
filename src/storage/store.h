// Bytes at offsets, by name: the interface of a file system in the library. Independent, without MPI. A
// StoredFile may be used from one thread at a time, beside which others may call write_at(), sync() and
// check_close(); a Store from any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_range.h"
#include "base/result.h"
#include "storage/parts.h"
#include "storage/striping.h"

namespace scorpio::storage {

enum class OpenMode {
  read,             // must exist
  read_write,       // must exist
  made_elsewhere,   // must exist: another process has made it; read and write
  left_behind,      // must exist, and is no symbolic link: a stopped run has left it; read and write
  create_new,       // must not exist; read and write
  create_truncate,  // created, or truncated; read and write
};

// Properties of the file system of a file.
struct FileSystemFacts {
  uint64_t block_bytes = 0;          // stripe or block to which writes should be aligned; 0 = unknown
  std::string kind;                  // "tmpfs", "ext4", "lustre", ...; empty = unknown
  uint64_t free_bytes = UINT64_MAX;  // available to this user; UINT64_MAX = unknown
  uint64_t stripes = 0;              // servers that hold parts of this file; 0 = unknown
  Status layout = {};                // why stripes and block are unknown, although the file system has them
};

class StoredFile {
 public:
  virtual ~StoredFile() = default;
  StoredFile() = default;
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  // Writes all of `bytes` at `offset`, or fails: interrupted and short system calls are continued inside.
  virtual Status write_at(std::span<const std::byte> bytes, uint64_t offset) = 0;
  // The same with ranges of memory that follow one another in the file: one system call where the file has
  // one for them.
  virtual Status write_parts(Parts parts, uint64_t offset) {
    return write_one_by_one(parts, offset, [this](auto part, uint64_t at) { return write_at(part, at); });
  }
  // Reads until `bytes` is full or the file ends; returns how many were read. A hole reads as zeros.
  virtual Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) = 0;
  virtual Result<uint64_t> size() = 0;
  // The first stored range at or after `offset`, up to the next hole or the end of the file; empty if there
  // is none. On a file system that does not report holes there are none.
  virtual Result<ByteRange> next_data(uint64_t offset) = 0;
  // The space that the file occupies in its file system.
  virtual Result<uint64_t> allocated_bytes() = 0;
  virtual Status truncate(uint64_t size) = 0;
  // All bytes written so far survive a power failure.
  virtual Status sync() = 0;
  // Takes an advisory lock that ends with close; Code::busy if another process holds it. Succeeds on a file
  // system without locks.
  virtual Status lock_exclusive() = 0;
  // Whether this file has the lock; false on a file system without locks.
  virtual bool is_locked() const = 0;
  // Whether another open of the file, here or in another process, has the lock; false on a file system
  // without locks. Takes no lock, and needs no permission to write.
  virtual Result<bool> is_locked_by_other() = 0;
  // Whether `path` is a name of this file now; false if it was renamed, removed or replaced. Any thread,
  // until it is closed.
  virtual Result<bool> is_at(const std::string& path) = 0;
  virtual Result<FileSystemFacts> facts() = 0;
  // The failure that close() would report of the bytes written so far; the file stays open and locked. File
  // systems that delay writes until a close (NFS) make them now.
  virtual Status check_close() = 0;
  // The operating system's descriptor, valid until close(); empty for a file that has none.
  virtual std::optional<int> descriptor() const { return std::nullopt; }
  // May be called once. Later calls fail with Code::state. A destructor without close releases the descriptor
  // and ignores a failure.
  virtual Status close() = 0;
};

struct PutOptions {
  bool exclusive = false;  // an existing object is not replaced: Code::exists
  bool durable = false;    // its bytes survive a power failure; its name does so after sync_folder()
};

class Store {
 public:
  virtual ~Store() = default;
  virtual Result<std::unique_ptr<StoredFile>> open(const std::string& path, OpenMode mode) = 0;
  // As open() with create_new, of a file that is divided in this way. If its file system cannot do that, the
  // file is created all the same, and `refused` says why.
  virtual Result<std::unique_ptr<StoredFile>> create_striped(const std::string& path,
                                                             const Striping& striping, std::string& refused);
  virtual Result<bool> exists(const std::string& path) = 0;
  // Whether a new file can have this name: no file has it, or a regular file, which would be replaced.
  virtual Status check_replaceable(const std::string&) { return {}; }
  virtual Status remove(const std::string& path) = 0;                         // Code::not_found if absent
  virtual Status rename(const std::string& from, const std::string& to) = 0;  // atomic, replaces `to`
  virtual Status sync_directory_of(const std::string& path) = 0;              // for a rename or removal

  // ---- folders, and whole objects in them ----
  // Objects are files that are written and read as a whole. The part of a key (object_key.h) before a '/' is
  // a folder, which is created when it is needed, and which stays when the object is removed.

  // Code::exists if the name is in use.
  virtual Status make_folder(const std::string& path) = 0;
  // Removes the folder and its contents. Code::not_found if absent. After a failure a part of it may be
  // removed.
  virtual Status remove_folder(const std::string& path) = 0;
  // Exchanges the names of two folders in one step: each name always exists. Code::unsupported on a file
  // system that cannot do it.
  virtual Status exchange(const std::string& one, const std::string& other) = 0;
  // Makes all names in the folder, and in folders in it, survive a power failure.
  virtual Status sync_folder(const std::string& path) = 0;
  // A reader gets the whole old object or the whole new one. Code::not_found without the folder; Code::exists
  // if the key is that of a folder, or a part of it that of an object.
  virtual Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
                     const PutOptions& options) = 0;
  // `bytes` receives the whole object; its memory is reused by the next call. Code::not_found if absent.
  virtual Status get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes) = 0;
  virtual Status remove_object(const std::string& folder, const std::string& key) = 0;
  // The keys of all objects, sorted. Code::not_found without the folder.
  virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;
};

}  // namespace scorpio::storage
