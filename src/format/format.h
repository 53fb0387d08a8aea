// A format that files can have: what it is able to, who computes places, makes files and opens them, and
// moves their data. A file is one file in storage, or a folder of objects (storage/container.h). Everything
// that differs from format to format is asked here; the rest of the library names none of them. Local, but
// for create(), open() and open_reader(), which one rank calls.
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
#include "format/layout.h"
#include "format/live_library.h"
#include "format/metadata_file.h"
#include "model/schema.h"
#include "observe/counters.h"
#include "storage/container.h"
#include "storage/data_access.h"

namespace scorpio::format {

struct Capabilities {
  std::string_view name;         // as option `format` has it; a literal
  uint8_t number;                // of scorpio_format, and between ranks
  bool records_in_turns;         // records of several variables lie in turns
  bool bytes_lack_sign = false;  // elements of one byte are taken as the caller means them, signed or not
  // The key of an object that all files of the format have, which are folders of objects. Empty: each is one
  // file.
  std::string_view folder_mark = {};
};

// What a layout is computed from, beside what the file holds already (Layout::found); the same on all ranks.
struct LayoutRequest {
  const Options& options;
  uint64_t block_bytes;
  uint64_t unit_bytes;         // what one unit of staging holds
  uint64_t end_of_allocation;  // of what the file holds already
  bool eager;                  // objects are made in the file at once
};

// What the metadata rank makes or opens.
struct FileRequest {
  storage::Container& container;  // outlives the file
  const std::string& path;        // the file's final name
  const Options& options;
  const MetadataOptions& metadata;
  // Of a new file: where commits after the first keep their undo journal, beside the file; null: none is
  // kept. Of one that is opened: where it is; never null. Outlives the file.
  storage::Store* store;
  bool writable = true;
};

// What each I/O rank reaches the data of an open file by. All but the path outlives what is made.
struct DataRequest {
  storage::Store& store;
  const std::string& path;      // where the bytes are now
  const model::Schema& schema;  // of the file, as it is at each call
  const Layout& layout;         // the same
  bool writable;
  bool durable;          // what sync points say is written survives a power failure
  uint64_t block_bytes;  // that the file is divided in among I/O ranks
  uint64_t chunk_bytes;  // of memory for pieces that are stored as a whole
  observe::Counters& counters;
};

// At most ten functions: more belongs into what they return. Lives as long as the process, also while it
// exits: files may be closed then.
class Format {
 public:
  Format() = default;
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  virtual const Capabilities& capabilities() const = 0;
  // Whether a file that begins with `first_bytes` (k_detect_bytes, fewer of a shorter file) is of this
  // format. Formats are asked one after the other (registry.h); folders are known by their mark.
  virtual bool detect(std::span<const std::byte> first_bytes) const;
  virtual std::unique_ptr<Layout> layout(const LayoutRequest& request) const = 0;
  // The container is new; it may hold data already, and has no metadata before flush().
  virtual Result<std::unique_ptr<MetadataFile>> create(const FileRequest& request) const = 0;
  // The container was brought to its last valid state, if a run was stopped.
  virtual Result<std::unique_ptr<MetadataFile>> open(const FileRequest& request) const = 0;
  // Of a format whose files are one file each: that file.
  virtual std::unique_ptr<storage::DataAccess> data(const DataRequest& request) const;
  // For variables without a plain address; a format that gives all of them one has no such reader.
  virtual Result<std::unique_ptr<LibraryReader>> open_reader(std::unique_ptr<storage::StoredFile> file,
                                                             const std::string& path) const;
  // One element of what is read where nobody wrote, as `type` stores it.
  virtual std::vector<std::byte> default_fill(const model::ElementType& type) const = 0;
  // Null: the format has no library whose live ids could be lent.
  virtual const LiveLibrary* live_library() const { return nullptr; }
  // So that the first file does not pay for it. Any number of times.
  virtual Status start() const { return {}; }

 protected:
  ~Format() = default;
};

}  // namespace scorpio::format
