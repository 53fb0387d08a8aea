// HDF5 files: their metadata through a file driver of this library, and a reader for variables without an
// address. Independent; any thread: only one of the process can be in HDF5 at a time (library_call.h).
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "format/chunk_finder.h"
#include "format/hdf5/hdf5_options.h"
#include "format/metadata_file.h"
#include "storage/store.h"

namespace scorpio::format {

// Starts the library, so that the first file does not take the time for it. Can be called repeatedly.
Status start_hdf5();

// `file` may hold data already, from options.block_bytes on; it has no HDF5 metadata before flush(). `name`:
// its final path, which HDF5 reports to applications. `store`: the store of the undo journal, next to `name`,
// of commits after the first one; null: no journal is kept.
Result<std::unique_ptr<MetadataFile>> create_hdf5(std::unique_ptr<storage::StoredFile> file,
                                                  const std::string& name, const Hdf5Options& options,
                                                  storage::Store* store = nullptr);

// The caller has restored `path` from an undo journal, if there was one. `store` outlives the file.
Result<std::unique_ptr<MetadataFile>> open_hdf5(std::unique_ptr<storage::StoredFile> file,
                                                storage::Store& store, const std::string& path, bool writable,
                                                const Hdf5Options& options);

// `writable`: whether the application may create objects through the id. The file is complete in storage.
Result<std::unique_ptr<LibraryMirror>> open_hdf5_mirror(std::unique_ptr<storage::StoredFile> file,
                                                        const std::string& path, bool writable);

// `name`: the path of the file, relative to which HDF5 finds external and virtual parts.
Result<std::unique_ptr<LibraryReader>> open_hdf5_reader(std::unique_ptr<storage::StoredFile> file,
                                                        const std::string& name);

// The same for the object that finds chunks.
Result<std::unique_ptr<ChunkFinder>> open_hdf5_finder(std::unique_ptr<storage::StoredFile> file,
                                                      const std::string& name);

}  // namespace scorpio::format
