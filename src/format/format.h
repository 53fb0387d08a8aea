// The interface of a file format: its capabilities, its layout, and the objects that create and open its
// files and access their data. A file is one file in storage, or a folder of objects (storage/container.h).
// All differences between formats are behind this interface; the rest of the library names no format. Local,
// except create(), open() and open_reader(), which one rank calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "comm/shared_tasks.h"
#include "format/chunk_planner.h"
#include "format/layout.h"
#include "format/live_library.h"
#include "format/metadata_file.h"
#include "model/element_type.h"
#include "model/variables.h"
#include "observe/counters.h"
#include "storage/container.h"
#include "storage/data_access.h"

namespace scorpio::format {

struct Capabilities {
  std::string_view name;         // the value of option `format`; a literal
  uint8_t number;                // the value of scorpio_format; also in messages
  bool records_in_turns;         // records of several variables are interleaved
  bool bytes_lack_sign = false;  // elements of one byte have the signedness of the caller's type
  // No library outside of calls is needed to write metadata: MetadataFile::flush() may run in any thread.
  bool flushes_in_any_thread = false;
  // For a format whose files are folders of objects: the key of an object that each of them contains. Empty:
  // a file is one file in storage.
  std::string_view folder_mark = {};
};

// The parameters of a layout, in addition to the contents of the file (Layout::found); the same on all ranks.
struct LayoutRequest {
  const Options& options;
  uint64_t block_bytes;
  uint64_t unit_bytes;         // the length of a unit
  uint64_t end_of_allocation;  // one past the last byte in use
  bool eager;                  // objects are created in the file at once
  ChunkWishes chunks = {};     // for the shapes of chunks that the program does not choose
};

// The arguments of create() and open() on the metadata rank.
struct FileRequest {
  storage::Container& container;  // outlives the file
  const std::string& path;        // the file's final name
  const Options& options;
  const MetadataOptions& metadata;
  // For a new file: the store for the undo journal of commits after the first one; null: no journal is kept.
  // For a file that is opened: its store; never null. Outlives the file.
  storage::Store* store;
  bool writable = true;
};

// The arguments of data() on each I/O rank. All except the path outlive the result.
struct DataRequest {
  storage::Store& store;
  const std::string& path;            // the present path of the bytes
  const model::Variables& variables;  // of the file; they change with definitions
  const Layout& layout;               // the same
  bool writable;
  bool durable;          // data survive a power failure after a synchronisation point
  uint64_t block_bytes;  // the unit in which the file is divided among I/O ranks
  uint64_t chunk_bytes;  // memory for pieces that are stored as a whole
  observe::Counters& counters;
  comm::SharedTasks* tasks = nullptr;  // by which ranks of the node encode chunks; null: each its own ones
};

// At most ten functions; other functions belong to the objects that they return. Exists as long as the
// process, also while it exits, because files may be closed then.
class Format {
 public:
  Format() = default;
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  virtual const Capabilities& capabilities() const = 0;
  // Whether a file that begins with `first_bytes` (k_detect_bytes, or all of a shorter file) has this format.
  // detect() tries the formats one after the other (registry.h). Folders are identified by their mark.
  virtual bool detect(std::span<const std::byte> first_bytes) const;
  virtual std::unique_ptr<Layout> layout(const LayoutRequest& request) const = 0;
  // The container is new; it may hold data already, and has no metadata before flush().
  virtual Result<std::unique_ptr<MetadataFile>> create(const FileRequest& request) const = 0;
  // The container has been restored to its last valid state, if a job was killed.
  virtual Result<std::unique_ptr<MetadataFile>> open(const FileRequest& request) const = 0;
  // For a format whose files are single files: the access to that file.
  virtual std::unique_ptr<storage::DataAccess> data(const DataRequest& request) const;
  // For variables without an address; a format in which every variable has one does not override this.
  virtual Result<std::unique_ptr<LibraryReader>> open_reader(std::unique_ptr<storage::StoredFile> file,
                                                             const std::string& path) const;
  // The default fill value: one element as `type` stores it.
  virtual std::vector<std::byte> default_fill(const model::ElementType& type) const = 0;
  // Null: the format has no library with ids of open files.
  virtual const LiveLibrary* live_library() const { return nullptr; }
  // Starts the format's library, so that the first file does not take the time for it. Can be called
  // repeatedly.
  virtual Status start() const { return {}; }
  // The library that reads and writes its metadata, with the version; empty: none. The format is built in
  // with it.
  virtual std::string library() const { return {}; }

 protected:
  ~Format() = default;
};

}  // namespace scorpio::format
