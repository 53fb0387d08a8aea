// Classic netCDF files: their header is all the metadata they have. Independent; see format/metadata_file.h.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "format/cdf/header.h"
#include "format/metadata_file.h"
#include "storage/store.h"

namespace scorpio::format {

// `file` may hold data already; it has no header before flush(). `name`: its final path. `journal_store`:
// where commits after the first keep their undo journal, beside `name`; null: none is kept.
Result<std::unique_ptr<MetadataFile>> create_cdf(std::unique_ptr<storage::StoredFile> file,
                                                 const std::string& name, cdf::Version version,
                                                 const MetadataOptions& options,
                                                 storage::Store* journal_store);

// The caller has recovered `path` from an undo journal, if there was one. `store` outlives the file.
// Code::format for anything but a classic netCDF file.
Result<std::unique_ptr<MetadataFile>> open_cdf(std::unique_ptr<storage::StoredFile> file,
                                               storage::Store& store, const std::string& path, bool writable,
                                               const MetadataOptions& options);

}  // namespace scorpio::format
