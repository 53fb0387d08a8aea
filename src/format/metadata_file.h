// The metadata of one open file, kept by the metadata rank alone through the format's own library.
// Independent. Entered only from inside library calls of the thread that calls SCORPIO.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/contents.h"
#include "model/schema.h"
#include "storage/data_access.h"
#include "storage/store.h"

namespace scorpio::format {

struct MetadataOptions {
  bool undo_journal = false;  // guard overwrites of committed metadata (a file opened for writing)
  bool durable = false;       // fsync at flush
  uint64_t image_limit_bytes = 64u << 20;  // metadata kept in memory before it is spilled
  // Of the file's division among the I/O ranks: the first block is the metadata rank's, in others new
  // metadata start at a multiple of it behind the data.
  uint64_t block_bytes = 1u << 20;
  // Of a classic file that is made as a copy of another: its data end before those of its header, as the
  // other's.
  bool data_missing = false;
  bool temporary = false;        // of a new file: its name is given after the first flush(), if ever
  bool terminated_text = false;  // HDF5: texts of variables end with NUL instead of being padded with it
  std::string writer{};          // the library that makes the file, with its version: "name=1.2.3"
  bool netcdf4 = false;          // HDF5: a new file is what netCDF-C would make ...
  bool classic_model = false;    // ... in the classic model
  bool keep_lock = false;  // hold the format library's own lock while the file is open: others must not read
};

struct MetadataCounters {
  uint64_t writes = 0;  // write calls that carried metadata
  uint64_t bytes_written = 0;
  uint64_t relocated = 0;  // variables that the library insisted on placing elsewhere
};

class MetadataFile {
 public:
  virtual ~MetadataFile() = default;

  // Everything the file holds, and where.
  virtual Result<Contents> load() = 0;

  // Makes the file's objects equal to the model: removes what is in the graveyard, and creates and changes
  // what is pending. What is done is neither any more, also where the rest fails. A new variable with an
  // address is placed there; one without gets a free address behind everything (eager mode), which is set in
  // `placements`. There too is the address of one that the library insisted on placing elsewhere.
  // `end_of_data` is one past the last byte that anybody placed data at. Nothing need reach the storage
  // before flush().
  virtual Status apply(model::Schema& schema, Placements& placements, uint64_t end_of_data) = 0;

  // Where I/O ranks have stored pieces of variables: apply() tells it in the metadata.
  virtual void add_index(std::vector<storage::IndexEntry> /*entries*/) {}

  // The file in storage is complete and valid: new space first, then overwrites, the superblock last.
  virtual Status flush() = 0;

  // Whether the storage holds the metadata of this model, so that apply() and flush() would change nothing
  // there. Cheap; false where that is not known.
  virtual bool is_current(const model::Schema& /*schema*/) const { return false; }

  // One past the last byte in use by data or metadata: new data may be placed from here.
  virtual uint64_t end_of_allocation() const = 0;

  // How many bytes of data, of which the metadata tell, lie behind the file's end now: they were cut off, or
  // nobody wrote them.
  virtual Result<uint64_t> missing_bytes() { return uint64_t{0}; }

  // What `path` names in the file now, also if a client of the live id made or changed it: a schema that
  // holds the object (and its attributes) alone, whose dimensions are those that load() and apply() know, and
  // where it lies. Code::not_found if there is none.
  virtual Result<Contents> inspect(const std::string& path) = 0;

  // The format library's own id of the open file (HDF5: hid_t), lent; registered again if a client closed it.
  virtual Result<int64_t> library_id() = 0;

  virtual const MetadataCounters& counters() const = 0;

  // From here on nothing that is not in storage yet gets there: a change of the file has failed.
  virtual void abandon() = 0;

  // flush() unless read-only or abandoned, then releases the library's handles and the descriptor, also on
  // failure.
  virtual Status close() = 0;
};

// The format library's id of a file that another rank has open, showing it as it was when the mirror was
// made. What a client makes through it stays in memory and is forgotten with the mirror.
class LibraryMirror {
 public:
  virtual ~LibraryMirror() = default;
  virtual Result<int64_t> library_id() = 0;
  // Whether a client holds objects that it opened through the id.
  virtual bool in_use() const = 0;
  // Bytes that a client wrote as data through the id: they are in no file.
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
