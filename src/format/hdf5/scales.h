// Dimension scales: data sets that represent the dimensions of others. The definitions of HDF5's dimension
// scale specification (CLASS, NAME, DIMENSION_LIST, REFERENCE_LIST), and those of the netCDF-4 format
// (_Netcdf4Dimid, _Netcdf4Coordinates, names). Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "model/attribute.h"

namespace scorpio::format::hdf5 {

inline constexpr const char* k_class = "CLASS";
inline constexpr const char* k_name = "NAME";
inline constexpr const char* k_scale_lists = "DIMENSION_LIST";
inline constexpr const char* k_attachments = "REFERENCE_LIST";
inline constexpr const char* k_dimension_id = "_Netcdf4Dimid";
inline constexpr const char* k_coordinates = "_Netcdf4Coordinates";

// Attributes of the root group: the writer of the file, and a mark for the classic model.
inline constexpr const char* k_provenance = "_NCProperties";
inline constexpr const char* k_classic_model = "_nc3_strict";

// The text without the NUL at its end in the file; empty if the attribute is not text.
std::string text_of(const model::Attribute& attribute);
std::vector<int> integers_of(const model::Attribute& attribute);

// Whether the data set is a scale, according to CLASS and NAME in its attributes.
bool is_scale(const model::Attributes& attributes);
// Whether it is the scale of a dimension without a variable.
bool is_bare_scale(const model::Attributes& attributes);
bool is_scale(hid_t dataset);
bool is_bare_scale(hid_t dataset);
// NAME of the scale of a dimension without a variable.
std::string bare_name(int64_t extent);

// The location of the variable `path` if it has the name of a dimension but does not have this dimension.
std::string beside(const std::string& path);
bool is_beside(const std::string& path);
// The inverse of beside().
std::string plain(const std::string& path);
// The location in the file of the variable, link or group `path` of the schema.
std::string locate(hid_t file, const std::string& path);
// The data set of the variable `path` of the schema; `access`: a list of access properties.
Handle open_variable(hid_t file, const std::string& path);

Result<hobj_ref_t> reference_to(hid_t object);

// `ids` are those of all dimensions of the data set, its own first; a scale without a variable has only its
// own.
Status make_scale(hid_t dataset, const std::string& name, const std::vector<int>& ids);
Status unmake_scale(hid_t dataset);
Status put_scale_name(hid_t scale, const std::string& name);
Status put_dimension_id(hid_t dataset, int id);

// An element of REFERENCE_LIST: dimension `dimension` of `dataset` has this scale.
struct Attachment {
  hobj_ref_t dataset = 0;
  int dimension = 0;
  int padding = 0;  // zero, so that the same definitions give the same bytes
  friend bool operator==(const Attachment&, const Attachment&) = default;
};
Result<std::vector<Attachment>> read_attachments(hid_t scale);
Status write_attachments(hid_t scale, const std::vector<Attachment>& attachments);

// DIMENSION_LIST: [ndims][scales of that dimension]; empty if there is none.
using ScaleLists = std::vector<std::vector<hobj_ref_t>>;
Result<ScaleLists> read_scale_lists(hid_t dataset);
Status write_scale_lists(hid_t dataset, const ScaleLists& lists);

}  // namespace scorpio::format::hdf5
