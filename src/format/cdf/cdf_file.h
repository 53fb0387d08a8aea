// Classic netCDF files, whose metadata are their header. Independent; see format/metadata_file.h.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "format/cdf/header.h"
#include "format/metadata_file.h"
#include "storage/store.h"

namespace scorpio::format {

// `file` may hold data already; it has no header before flush(). `name`: its final path. `journal_store`: the
// store of the undo journal, next to `name`, of commits after the first one; null: no journal is kept.
Result<std::unique_ptr<MetadataFile>> create_cdf(std::unique_ptr<storage::StoredFile> file,
                                                 const std::string& name, cdf::Version version,
                                                 const MetadataOptions& options,
                                                 storage::Store* journal_store);

// The caller has restored `path` from an undo journal, if there was one. `store` outlives the file.
// Code::format if the file is not a classic netCDF file.
Result<std::unique_ptr<MetadataFile>> open_cdf(std::unique_ptr<storage::StoredFile> file,
                                               storage::Store& store, const std::string& path, bool writable,
                                               const MetadataOptions& options);

}  // namespace scorpio::format
