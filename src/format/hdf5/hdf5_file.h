// HDF5 files: their metadata through one file driver of ours, and a reader for what has no plain address.
// Independent; any thread: one of the process at a time is in HDF5 (library_call.h).
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "format/chunk_finder.h"
#include "format/metadata_file.h"
#include "storage/store.h"

namespace scorpio::format {

// Starts the library, so that the first file does not pay for it. Any number of times.
Status start_hdf5();

// `file` may hold data already, from options.block_bytes on; it has no HDF5 metadata before flush(). `name`:
// its final path, which HDF5 tells clients. `store`: where commits after the first keep their undo journal,
// beside `name`; null: none is kept.
Result<std::unique_ptr<MetadataFile>> create_hdf5(std::unique_ptr<storage::StoredFile> file,
                                                  const std::string& name, const MetadataOptions& options,
                                                  storage::Store* store = nullptr);

// The caller has recovered `path` from an undo journal, if there was one. `store` outlives the file.
Result<std::unique_ptr<MetadataFile>> open_hdf5(std::unique_ptr<storage::StoredFile> file,
                                                storage::Store& store, const std::string& path, bool writable,
                                                const MetadataOptions& options);

// `writable`: whether a client may make objects through the id. The file is complete in storage.
Result<std::unique_ptr<LibraryMirror>> open_hdf5_mirror(std::unique_ptr<storage::StoredFile> file,
                                                        const std::string& path, bool writable);

// `name`: its path, from where HDF5 finds external and virtual parts.
Result<std::unique_ptr<LibraryReader>> open_hdf5_reader(std::unique_ptr<storage::StoredFile> file,
                                                        const std::string& name);

// The same for what finds chunks.
Result<std::unique_ptr<ChunkFinder>> open_hdf5_finder(std::unique_ptr<storage::StoredFile> file,
                                                      const std::string& name);

}  // namespace scorpio::format
