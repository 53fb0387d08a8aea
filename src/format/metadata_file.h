// The metadata of one open file, which the metadata rank alone keeps through the format's own library.
// Independent. Used only inside library calls of the thread that calls SCORPIO, except where stated.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/contents.h"
#include "model/schema.h"
#include "model/string_elements.h"
#include "storage/chunk_access.h"
#include "storage/store.h"

namespace scorpio::format {

struct MetadataOptions {
  bool undo_journal = false;  // keep a journal of overwritten metadata (a file opened for writing)
  bool durable = false;       // fsync in flush()
  uint64_t image_limit_bytes = 64u << 20;  // metadata in memory, before they are written to free space
  // The block size of the file domains: the first block belongs to the metadata rank; elsewhere new metadata
  // begin at a multiple of it after the data.
  uint64_t block_bytes = 1u << 20;
  // For a file that is made as a copy with another layout: the data of the original end before its metadata
  // say.
  bool data_missing = false;
  bool temporary = false;  // of a new file: it gets its name after the first flush(), or never
  std::string writer{};    // the library that creates the file, with its version: "name=1.2.3"
};

struct MetadataCounters {
  uint64_t writes = 0;  // number of write calls with metadata
  uint64_t bytes_written = 0;
  uint64_t relocated = 0;  // number of variables that the library has placed elsewhere
};

class MetadataFile {
 public:
  virtual ~MetadataFile() = default;

  // The contents of the file, and the locations of its variables.
  virtual Result<Contents> load() = 0;

  // Changes the objects of the file to those of the schema: removes the removed ones, and creates and changes
  // pending ones. Objects that are done are no longer removed or pending, also if a later one fails. A new
  // variable with an address is created there. One without gets a free address after all data (eager mode),
  // which is set in `placements`, as is the address of a variable that the library placed elsewhere.
  // `end_of_data` is one past the last byte of data of any rank. Storage may be unchanged until flush().
  virtual Status apply(model::Schema& schema, Placements& placements, uint64_t end_of_data) = 0;

  // Chunks that I/O ranks have stored; apply() enters their addresses in the metadata.
  virtual void add_index(std::vector<storage::IndexEntry> /*entries*/) {}

  // Elements of a variable of texts, in row-major order; apply() writes them.
  virtual void put_strings(model::StringBox /*box*/, std::vector<std::string> /*texts*/) {}
  // The elements that apply() has written, or that were in the file. Elements after the last record are
  // empty.
  virtual Result<std::vector<std::string>> get_strings(const model::Variables& /*variables*/,
                                                       const model::StringBox& /*box*/) {
    return failure(Code::unsupported, "the format has no strings of variable length");
  }

  // Makes the file in storage complete and valid: writes new space first, then changed metadata, the
  // superblock last. If the capabilities of the format say so, or after leave_library(), it may run in any
  // thread, while other functions are not called.
  virtual Status flush() = 0;
  // Whether leave_library() has an effect.
  virtual bool can_leave_library() const { return false; }
  // After the last apply(): only flush() and close() may follow, and flush() may run in any thread.
  virtual Status leave_library() { return {}; }
  // The same while other writers may extend the file by data that these metadata do not describe. Returns
  // false, without a change, if this is not possible now.
  virtual Result<bool> flush_beside_writers() { return false; }
  // The bytes of the file that are in memory after leave_library(), until close().
  virtual uint64_t kept_bytes() const { return 0; }

  // Whether storage has the metadata of this schema, so that apply() and flush() would change nothing there.
  // Takes little time; false if it is not known.
  virtual bool is_current(const model::Schema& /*schema*/) const { return false; }

  // One past the last byte of data or metadata: new data may be placed from here on.
  virtual uint64_t end_of_allocation() const = 0;

  // The number of bytes of data that the metadata describe and that are after the end of the file: they were
  // never written, or the file was truncated.
  virtual Result<uint64_t> missing_bytes() { return uint64_t{0}; }

  // The object to which `path` leads now, also if an application created or changed it through the live id: a
  // schema with this object and its attributes alone, whose dimensions are those of load() and apply(), and
  // its location. Code::not_found if there is none.
  virtual Result<Contents> inspect(const std::string& path) = 0;

  // The id of the open file in the format's library (HDF5: hid_t), owned by this object; registered again if
  // an application closed it.
  virtual Result<int64_t> library_id() = 0;

  virtual const MetadataCounters& counters() const = 0;

  // A change of the file has failed: nothing more is written to storage.
  virtual void abandon() = 0;

  // Calls flush(), unless the file is read-only or abandoned, and releases the library's handles and the
  // descriptor, also after a failure.
  virtual Status close() = 0;
};

// The id in the format's library of a file that another rank has open. It shows the file as it was when the
// mirror was made. Objects that an application creates through it exist in memory only, until the mirror is
// closed.
class LibraryMirror {
 public:
  virtual ~LibraryMirror() = default;
  virtual Result<int64_t> library_id() = 0;
  // Whether the application has objects open through the id.
  virtual bool in_use() const = 0;
  // The number of bytes that the application wrote as data through the id; they are not in the file.
  virtual uint64_t unkept_bytes() const = 0;
  virtual Status close() = 0;
};

// Reads variables that have no plain address. Each I/O rank has its own, read-only.
class LibraryReader {
 public:
  virtual ~LibraryReader() = default;
  // Elements [first, first + count) of the row-major flattened variable, as `variable.type`.
  virtual Status read(const model::Variable& variable, int64_t first, int64_t count, std::byte* out) = 0;
  virtual Status close() = 0;
};

}  // namespace scorpio::format
