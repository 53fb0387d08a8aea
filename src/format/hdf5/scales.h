// Dimension scales: data sets that stand for the extents of others. What HDF5's dimension scale specification
// lays down (CLASS, NAME, DIMENSION_LIST, REFERENCE_LIST), and what the netCDF-4 format adds (_Netcdf4Dimid,
// _Netcdf4Coordinates, names). Local; the thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

inline constexpr const char* k_class = "CLASS";
inline constexpr const char* k_name = "NAME";
inline constexpr const char* k_scale_lists = "DIMENSION_LIST";
inline constexpr const char* k_attachments = "REFERENCE_LIST";
inline constexpr const char* k_dimension_id = "_Netcdf4Dimid";
inline constexpr const char* k_coordinates = "_Netcdf4Coordinates";

// Of the root group: what wrote the file, and that it keeps to the classic model.
inline constexpr const char* k_provenance = "_NCProperties";
inline constexpr const char* k_classic_model = "_nc3_strict";

// Without the NUL that ends it in the file; empty for anything but text.
std::string text_of(const model::Attribute& attribute);
std::vector<int> integers_of(const model::Attribute& attribute);

// CLASS and NAME of a data set, as attributes of the model.
bool is_scale(const model::Attributes& attributes);
// The scale of a dimension that no variable goes with.
bool is_bare_scale(const model::Attributes& attributes);
bool is_scale(hid_t dataset);
bool is_bare_scale(hid_t dataset);
// NAME of a bare scale.
std::string bare_name(int64_t extent);

// Where the variable `path` lies if it has the name of a dimension, but not that dimension.
std::string beside(const std::string& path);
bool is_beside(const std::string& path);
// `path` for beside(path).
std::string plain(const std::string& path);
// Where the file has the variable, link or group `path` of the model.
std::string locate(hid_t file, const std::string& path);

Result<hobj_ref_t> reference_to(hid_t object);

// `ids`: of all dimensions of the data set, the scale's own first; those of a bare scale are its own alone.
Status make_scale(hid_t dataset, const std::string& name, const std::vector<int>& ids);
Status unmake_scale(hid_t dataset);
Status put_scale_name(hid_t scale, const std::string& name);
Status put_dimension_id(hid_t dataset, int id);

// REFERENCE_LIST: dimension `dimension` of `dataset` has this scale.
struct Attachment {
  hobj_ref_t dataset = 0;
  int dimension = 0;
  int padding = 0;  // the same definitions give the same bytes
  friend bool operator==(const Attachment&, const Attachment&) = default;
};
Result<std::vector<Attachment>> read_attachments(hid_t scale);
Status write_attachments(hid_t scale, const std::vector<Attachment>& attachments);

// DIMENSION_LIST: [ndims][scales of that dimension]; empty if there is none.
using ScaleLists = std::vector<std::vector<hobj_ref_t>>;
Result<ScaleLists> read_scale_lists(hid_t dataset);
Status write_scale_lists(hid_t dataset, const ScaleLists& lists);

}  // namespace scorpio::format::hdf5
