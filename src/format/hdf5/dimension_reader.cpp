#include "format/hdf5/dimension_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "decomp/shells.h"
#include "format/hdf5/attributes.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/scales.h"
#include "model/extents.h"
#include "model/path.h"
#include "model/string_elements.h"

namespace scorpio::format::hdf5 {
namespace {

// Of the dimensions of a file; greater ones are not by netCDF.
constexpr int k_most_ids = 1 << 30;

const model::Attribute* find(const model::Attributes& attributes, const char* name) {
  const auto at = attributes.find(name);
  return at == attributes.end() ? nullptr : &at->second;
}

struct Growth {
  int64_t extent = 0;
  bool unlimited = false;
  uint32_t inner_unlimited = 0;  // bit d: dimension d > 0
};

Growth growth_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = std::max(H5Sget_simple_extent_ndims(space.get()), 0);
  std::vector<hsize_t> dims(static_cast<size_t>(rank));
  std::vector<hsize_t> most(static_cast<size_t>(rank));
  if (rank == 0 || H5Sget_simple_extent_dims(space.get(), dims.data(), most.data()) < 0) return {};
  Growth growth{static_cast<int64_t>(dims[0]), most[0] == H5S_UNLIMITED};
  for (size_t d = 1; d < most.size(); ++d) {
    if (most[d] == H5S_UNLIMITED) growth.inner_unlimited |= uint32_t{1} << d;
  }
  return growth;
}

// When it extends a data set that is allocated early, HDF5 gives all new chunks their places. Those of chunks
// without filters, which always have the same size, cannot be changed.
bool takes_new_chunks(hid_t dataset) {
  const Handle list(H5Dget_create_plist(dataset), H5Pclose);
  H5D_alloc_time_t time = H5D_ALLOC_TIME_EARLY;
  return H5Pget_layout(list.get()) == H5D_CHUNKED &&
         (H5Pget_nfilters(list.get()) != 0 ||
          (H5Pget_alloc_time(list.get(), &time) >= 0 && time != H5D_ALLOC_TIME_EARLY));
}

std::vector<hobj_ref_t> first_of_each(const ScaleLists& lists) {
  std::vector<hobj_ref_t> first;
  for (const auto& list : lists) first.push_back(list.empty() ? 0 : list.front());
  return first;
}

// The scales in the order in which their dimensions were defined; those of other programs have no ids and
// come last.
std::vector<const Dataset*> scales_in_order(const std::vector<Dataset>& datasets) {
  std::vector<const Dataset*> scales;
  for (const Dataset& dataset : datasets) {
    if (dataset.scale) scales.push_back(&dataset);
  }
  std::stable_sort(scales.begin(), scales.end(), [](const Dataset* a, const Dataset* b) {
    constexpr int k_last = std::numeric_limits<int>::max();
    return a->id.value_or(k_last) < b->id.value_or(k_last);
  });
  return scales;
}

// Attributes that the netCDF-4 format and dimension scales use are not shown, also if the objects to which
// they refer do not exist. Other attributes of the same names are shown.
void hide_mechanism(Dataset& dataset) {
  model::Attributes& attributes = dataset.variable.attributes;
  const auto hide = [&](const char* name, bool theirs) {
    if (theirs) attributes.erase(name);
  };
  const auto is_foreign = [&](const char* name) {
    const auto* const attribute = find(attributes, name);
    return attribute != nullptr && !attribute->readable;
  };
  for (const char* name : {k_dimension_id, k_coordinates}) hide(name, true);
  for (const char* name : {k_class, k_name}) hide(name, dataset.scale);
  for (const char* name : {k_scale_lists, k_attachments}) hide(name, is_foreign(name));
  number_in_order(attributes);
}

}  // namespace

Result<Dataset> examine_dimensions(hid_t id, model::Variable variable) {
  Dataset dataset;
  const model::Attributes& attributes = variable.attributes;
  const bool ranked = !variable.dims.empty();
  const auto* coordinates = find(attributes, k_coordinates);
  if (coordinates != nullptr) dataset.coordinates = integers_of(*coordinates);
  if (dataset.coordinates.size() != variable.dims.size()) dataset.coordinates.clear();
  dataset.scale = ranked && is_scale(attributes);
  dataset.bare = dataset.scale && is_bare_scale(attributes);
  if (dataset.scale) {
    SCORPIO_ASSIGN(dataset.self, reference_to(id));
    const auto* own = find(attributes, k_dimension_id);
    const std::vector<int> ids = own == nullptr ? std::vector<int>() : integers_of(*own);
    if (ids.size() == 1 && ids[0] >= 0 && ids[0] < k_most_ids) dataset.id = ids[0];
  } else if (ranked && attributes.contains(k_scale_lists)) {
    // An attribute of that name with another type is an ordinary attribute.
    const auto lists = read_scale_lists(id);
    if (lists.ok() && lists->size() == variable.dims.size()) dataset.scales = first_of_each(*lists);
  }
  const Growth growth = variable.extensible != 0 ? growth_of(id) : Growth();
  dataset.unlimited = growth.unlimited;
  dataset.inner_unlimited = growth.inner_unlimited;
  dataset.grows = (growth.unlimited || growth.inner_unlimited != 0) && takes_new_chunks(id);
  dataset.variable = std::move(variable);
  return dataset;
}

Result<DimensionTable> DimensionReader::define(const std::vector<Dataset>& datasets, model::Schema& schema,
                                               Growing growing) {
  growing_ = growing;
  const std::vector<const Dataset*> scales = scales_in_order(datasets);
  for (size_t i = 0; i < scales.size(); ++i) {
    const Dataset& scale = *scales[i];
    scales_.push_back({-1, scale.variable.dims[0], scale.unlimited});
    by_reference_.emplace(scale.self, i);
    if (scale.id) by_id_.emplace(*scale.id, i);
  }
  // In netCDF files the scale of an unlimited dimension may be shorter than the variables that have the
  // dimension.
  for (const Dataset& dataset : datasets) {
    for (size_t at = 0; at < dataset.variable.dims.size(); ++at) {
      const Scale* const scale = find(dataset, at);
      if (scale == nullptr || !scale->unlimited) continue;
      int64_t& extent = scales_[static_cast<size_t>(scale - scales_.data())].extent;
      extent = std::max(extent, dataset.variable.dims[at]);
    }
  }
  DimensionTable table;
  table.next_id = by_id_.empty() ? 0 : by_id_.rbegin()->first + 1;
  for (size_t i = 0; i < scales.size(); ++i) {
    const std::string& path = scales[i]->variable.path;
    const std::string name = model::leaf(path);
    const bool other_name = by_reference_.at(scales[i]->self) != i;  // another name of an earlier scale
    if (other_name) continue;
    SCORPIO_ASSIGN(scales_[i].dimension, schema.add_dimension({name, scales_[i].extent, scales_[i].unlimited,
                                                               model::parent(path)}));
    const int id = scales[i]->id ? *scales[i]->id : table.next_id++;
    table.entries.push_back({path, id});
  }
  return table;
}

void DimensionReader::recall(hid_t file, const DimensionTable& table) {
  for (size_t dimension = 0; dimension < table.entries.size(); ++dimension) {
    const DimensionTable::Entry& entry = table.entries[dimension];
    const Handle scale(entry.path.empty() ? -1 : H5Dopen2(file, entry.path.c_str(), H5P_DEFAULT), H5Dclose);
    const auto reference = scale.valid() ? reference_to(scale.get()) : Result<hobj_ref_t>(hobj_ref_t{0});
    if (!reference.ok() || *reference == 0)
      continue;  // an application may have removed it through the live id
    const Growth growth = growth_of(scale.get());
    by_reference_.emplace(*reference, scales_.size());
    by_id_.emplace(entry.id, scales_.size());
    scales_.push_back({static_cast<int>(dimension), growth.extent, growth.unlimited});
  }
  H5Eclear2(H5E_DEFAULT);
}

// The scale of dimension `at`; null if there is none, or it is unknown.
const DimensionReader::Scale* DimensionReader::find(const Dataset& dataset, size_t at) const {
  const auto known = [this](const auto& map, auto key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &scales_[found->second];
  };
  if (dataset.scale && at == 0) return known(by_reference_, dataset.self);
  if (!dataset.scales.empty()) return known(by_reference_, dataset.scales[at]);
  return dataset.coordinates.empty() ? nullptr : known(by_id_, dataset.coordinates[at]);
}

// A variable is as long along an unlimited dimension as the longest one, whatever it has in the file. Inner
// dimensions with which it cannot grow here keep the extents of the file. An unlimited dimension without a
// scale is one of this variable alone.
void DimensionReader::give_growth(const Dataset& dataset, int index, model::Variable& variable) const {
  if (growing_ == Growing::none || (growing_ != Growing::read && !dataset.grows)) return;
  std::vector<int> dimensions = variable.dimensions;
  if (dimensions.empty()) dimensions.assign(variable.dims.size(), -1);
  const auto is_fixed = [&](size_t d) {
    const Scale* const scale = dimensions[d] >= 0 ? find(dataset, d) : nullptr;
    return scale == nullptr ? growing_ != Growing::all : !scale->unlimited;
  };
  uint32_t inner = 0;
  for (size_t d = 1; d < variable.dims.size() && !model::holds_strings(variable); ++d) {
    if ((dataset.inner_unlimited >> d & 1) != 0 && !is_fixed(d)) inner |= uint32_t{1} << d;
  }
  const bool first = dataset.unlimited && !is_fixed(0);
  if (static_cast<size_t>(std::popcount(inner)) + 1 > decomp::Shells::k_most_dims) inner = 0;
  std::vector<int64_t> dims = variable.dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d == 0 ? !first : (inner >> d & 1) == 0) continue;
    if (dimensions[d] >= 0) dims[d] = find(dataset, d)->extent;
    if (dimensions[d] < 0) dimensions[d] = model::own_dimension(index, d);
  }
  if (!model::array_bytes(dims, variable.type.size_bytes).ok() || (!first && inner == 0)) return;
  variable.records = first;
  variable.inner_unlimited = inner;
  variable.dims = std::move(dims);
  variable.dimensions = std::move(dimensions);
}

void DimensionReader::name(Dataset& dataset, int index) const {
  model::Variable& variable = dataset.variable;
  hide_mechanism(dataset);
  std::vector<int> dimensions;
  for (size_t at = 0; at < variable.dims.size(); ++at) {
    const Scale* const scale = find(dataset, at);
    const bool good = scale != nullptr && fits(*scale, variable.dims[at]);
    dimensions.push_back(good ? scale->dimension : -1);
  }
  if (std::any_of(dimensions.begin(), dimensions.end(), [](int dimension) { return dimension >= 0; })) {
    variable.dimensions = std::move(dimensions);
  }
  give_growth(dataset, index, variable);
}

}  // namespace scorpio::format::hdf5
