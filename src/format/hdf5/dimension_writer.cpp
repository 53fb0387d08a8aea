#include "format/hdf5/dimension_writer.h"

#include <algorithm>
#include <utility>

#include "format/hdf5/errors.h"
#include "format/hdf5/header_form.h"
#include "format/hdf5/visitor.h"
#include "model/path.h"

namespace scorpio::format::hdf5 {
namespace {

using model::Schema;

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info2_t;
herr_t visit_objects(hid_t object, herr_t (*visit)(hid_t, const char*, const ObjectInfo*, void*),
                     void* data) {
  return H5Ovisit3(object, H5_INDEX_NAME, H5_ITER_NATIVE, visit, data, H5O_INFO_BASIC);
}
#else
using ObjectInfo = H5O_info_t;
herr_t visit_objects(hid_t object, herr_t (*visit)(hid_t, const char*, const ObjectInfo*, void*),
                     void* data) {
  return H5Ovisit2(object, H5_INDEX_NAME, H5_ITER_NATIVE, visit, data, H5O_INFO_BASIC);
}
#endif

// The scales in the file. A reference may lead to a removed object; therefore no reference is followed.
using Scales = std::map<hobj_ref_t, std::string>;

// Removes all references between the data set and scales.
Status detach(hid_t file, hid_t dataset, const Scales& scales) {
  SCORPIO_ASSIGN(const ScaleLists lists, read_scale_lists(dataset));
  if (lists.empty()) return {};
  SCORPIO_ASSIGN(const hobj_ref_t self, reference_to(dataset));
  for (const auto& list : lists) {
    const auto known = list.empty() ? scales.end() : scales.find(list.front());
    if (known == scales.end()) continue;
    const Handle scale(H5Dopen2(file, known->second.c_str(), H5P_DEFAULT), H5Dclose);
    SCORPIO_ASSIGN(std::vector<Attachment> attachments, read_attachments(scale.get()));
    if (std::erase_if(attachments, [&](const auto& one) { return one.dataset == self; }) > 0) {
      SCORPIO_TRY(write_attachments(scale.get(), attachments));
    }
  }
  return write_scale_lists(dataset, {});
}

struct Detaching {
  hid_t file;
  Scales scales;
  Status status;
  VisitorException exception;
};

// A data set that has another name is not removed and keeps its scales.
herr_t detach_dataset(hid_t from, const char* name, const ObjectInfo* info, void* data) {
  if (info->type != H5O_TYPE_DATASET || info->rc > 1) return 0;
  auto* detaching = static_cast<Detaching*>(data);
  return detaching->exception.keep([&] {
    const Handle dataset(H5Dopen2(from, name, H5P_DEFAULT), H5Dclose);
    detaching->status = detach(detaching->file, dataset.get(), detaching->scales);
    return detaching->status.ok() ? 0 : -1;
  });
}

bool has_extent(hid_t dataset, int64_t extent) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  return H5Sget_simple_extent_ndims(space.get()) == 1 &&
         H5Sget_simple_extent_npoints(space.get()) == static_cast<hssize_t>(extent);
}

bool is_free(hid_t file, const std::string& location) {
  return H5Lexists(file, location.c_str(), H5P_DEFAULT) <= 0;
}

// Contiguous data sets cannot be extended.
Result<Handle> make_bare_space(const model::Dimension& dimension, hid_t form) {
  const auto extent = static_cast<hsize_t>(dimension.extent);
  const hsize_t most = dimension.unlimited ? H5S_UNLIMITED : extent;
  const hsize_t chunk = 1;
  if (dimension.unlimited && H5Pset_chunk(form, 1, &chunk) < 0) {
    return library_failure(Code::internal, "HDF5 does not accept chunks");
  }
  Handle space(H5Screate_simple(1, &extent, &most), H5Sclose);
  if (!space.valid()) return library_failure(Code::shape, "HDF5 does not accept the extent");
  return space;
}

}  // namespace

// ---- locations of scales ----

std::string DimensionWriter::claim_of(int index) const { return dimension(index).path(); }

// The group of the dimension was removed, and no variable has the dimension.
bool DimensionWriter::is_gone(int index) const {
  return !schema_.objects().has_group(dimension(index).group);
}

bool DimensionWriter::is_coordinate(const model::Variable& variable) const {
  const auto claim = claims_.find(variable.path);
  return claim != claims_.end() && !variable.dimensions.empty() &&
         variable.dimensions.front() == claim->second;
}

std::optional<int> DimensionWriter::coordinate_of(int index) const {
  const auto variable = schema_.objects().find_variable(claim_of(index));
  return variable && is_coordinate(schema_.variables()[*variable]) ? variable : std::nullopt;
}

std::vector<int> DimensionWriter::ids_of(const model::Variable& variable) const {
  std::vector<int> ids;
  for (const int index : variable.dimensions) {
    if (index >= 0) ids.push_back(table_.entries[static_cast<size_t>(index)].id);
  }
  // If a dimension of the variable has no name, a complete list of ids is not possible.
  if (ids.size() != variable.dimensions.size()) ids.resize(1);
  return ids;
}

std::string DimensionWriter::place_of(const model::Variable& variable) const {
  return claims_.contains(variable.path) && !is_coordinate(variable) ? beside(variable.path) : variable.path;
}

Handle DimensionWriter::open(const std::string& location) const {
  Handle dataset(location.empty() ? -1 : H5Dopen2(file_, location.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) H5Eclear2(H5E_DEFAULT);
  return dataset;
}

std::map<hobj_ref_t, std::string> DimensionWriter::scales() const {
  Scales found;
  for (const Entry& entry : table_.entries) {
    const Handle scale = open(entry.path);
    if (!scale.valid() || !is_scale(scale.get())) continue;
    if (const auto reference = reference_to(scale.get()); reference.ok()) found[*reference] = entry.path;
  }
  return found;
}

// ---- removals and new names ----

Status DimensionWriter::forget(const std::string& location) {
  for (Entry& entry : table_.entries) {
    if (model::at_or_below(entry.path, location)) entry.path.clear();
  }
  const Handle object(H5Oopen(file_, location.c_str(), H5P_DEFAULT), H5Oclose);
  Detaching detaching{file_, scales(), {}, {}};
  const bool failed = object.valid() && visit_objects(object.get(), detach_dataset, &detaching) < 0;
  detaching.exception.rethrow();
  if (failed) {
    SCORPIO_TRY(detaching.status);
    return library_failure(Code::io, "HDF5 cannot list what is in " + location);
  }
  H5Eclear2(H5E_DEFAULT);
  return {};
}

Status DimensionWriter::move(const std::string& location, const std::string& path) {
  // update_scales() decides whether the scale stays.
  const Handle there = open(path);
  const std::string to = there.valid() && is_bare_scale(there.get()) ? beside(path) : path;
  if (H5Lmove(file_, location.c_str(), file_, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0) {
    return library_failure(Code::exists, fmt::format("HDF5 cannot rename {} to {}", location, to));
  }
  for (size_t i = 0; i < table_.entries.size(); ++i) {
    if (table_.entries[i].path != location) continue;
    table_.entries[i].path = to;
    moved_.insert(static_cast<int>(i));
  }
  return {};
}

// ---- the contents of the file ----

Status DimensionWriter::update_scales() {
  const size_t known = table_.entries.size();
  take_in();
  const int count = static_cast<int>(table_.entries.size());
  const bool growing = table_.entries.size() > known;
  for (int i = 0; i < count; ++i) SCORPIO_TRY(check(i, growing));
  for (int i = 0; i < count; ++i) SCORPIO_TRY(release(i));
  for (int i = 0; i < count; ++i) {
    if (!is_gone(i)) SCORPIO_TRY(clear_way(i));
  }
  for (int i = 0; i < count; ++i) {
    if (!is_gone(i)) SCORPIO_TRY(provide(i).with_context("dimension " + dimension(i).name));
  }
  return {};
}

void DimensionWriter::take_in() {
  while (table_.entries.size() < schema_.dimensions().all().size()) {
    table_.entries.push_back({.id = table_.next_id++});
  }
  for (int i = 0; i < static_cast<int>(table_.entries.size()); ++i) {
    if (!is_gone(i)) claims_[claim_of(i)] = i;
  }
}

// An application may have removed the scale through the live id. Scales of other programs have no ids; they
// get ids when new dimensions are added.
Status DimensionWriter::check(int index, bool growing) {
  const Handle scale = open(entry(index).path);
  if (!scale.valid() || !is_scale(scale.get())) {
    entry(index).path.clear();
    return {};
  }
  if (!growing || H5Aexists(scale.get(), k_dimension_id) > 0) return {};
  return put_dimension_id(scale.get(), entry(index).id);
}

Status DimensionWriter::remove_bare(const std::string& location) {
  if (H5Ldelete(file_, location.c_str(), H5P_DEFAULT) >= 0) return {};
  return library_failure(Code::io, "HDF5 cannot remove the dimension scale " + location);
}

// Releases a scale that has the wrong form or location.
Status DimensionWriter::release(int index) {
  Entry& held = entry(index);
  const Handle scale = open(held.path);
  if (!scale.valid()) return {};
  const std::string claim = claim_of(index);
  const auto coordinate = coordinate_of(index);
  const std::string path = held.path;
  if (is_bare_scale(scale.get())) {
    if (!coordinate && path == claim) return {};
    held.path.clear();
    return remove_bare(path);
  }
  if (coordinate && path == claim) {
    return moved_.contains(index) ? put_scale_name(scale.get(), dimension(index).name) : Status();
  }
  held.path.clear();
  SCORPIO_TRY(unmake_scale(scale.get()));
  const auto variable = schema_.objects().find_variable(is_beside(path) ? plain(path) : path);
  if (variable && in_file(*variable)) unattached_.insert(*variable);
  return {};
}

Status DimensionWriter::clear_way(int index) {
  if (!entry(index).path.empty()) return {};
  const std::string claim = claim_of(index);
  const auto coordinate = coordinate_of(index);
  const Handle there = open(claim);
  const bool bare = there.valid() && is_bare_scale(there.get());
  if (!coordinate) {
    const auto variable = schema_.objects().find_variable(claim);
    const bool in_the_way = there.valid() && !bare && variable && in_file(*variable);
    return in_the_way ? move(claim, beside(claim)) : Status();
  }
  if (bare) SCORPIO_TRY(remove_bare(claim));
  const bool aside = in_file(*coordinate) && (!there.valid() || bare);
  return aside && !is_free(file_, beside(claim)) ? move(beside(claim), claim) : Status();
}

Status DimensionWriter::provide(int index) {
  if (!entry(index).path.empty()) return {};
  const std::string claim = claim_of(index);
  const auto coordinate = coordinate_of(index);
  if (!coordinate && waits(index)) {
    waiting_.push_back(index);
    return {};
  }
  if (!coordinate) return make_bare(index, claim);
  const model::Variable& variable = schema_.variables()[*coordinate];
  if (!in_file(*coordinate)) return {};  // created() does it later
  const Handle dataset = open(claim);
  if (!dataset.valid()) return failure(Code::not_found, "its variable {} is not in the file any more", claim);
  SCORPIO_TRY(detach(file_, dataset.get(), scales()));
  return make_coordinate(index, variable, dataset.get());
}

// netCDF-C (nc_inq_unlimdim) takes for the unlimited dimension of a group the one whose scale was created
// first, which is to be the one that was defined first. Programs take it for the time.
bool DimensionWriter::waits(int index) const {
  const model::Dimension& one = dimension(index);
  for (int i = 0; one.unlimited && i < index; ++i) {
    if (!dimension(i).unlimited || dimension(i).group != one.group) continue;
    const auto coordinate = coordinate_of(i);
    if (coordinate && !in_file(*coordinate)) return true;
  }
  return false;
}

Status DimensionWriter::provide_waiting() {
  while (!waiting_.empty() && !waits(waiting_.front())) {
    const int index = waiting_.front();
    SCORPIO_TRY(make_bare(index, claim_of(index)).with_context("dimension " + dimension(index).name));
    waiting_.erase(waiting_.begin());
  }
  return {};
}

Status DimensionWriter::make_bare(int index, const std::string& path) {
  const model::Dimension& made = dimension(index);
  Handle dataset = open(path);  // possibly created by an application through the live id
  const bool adopted =
      dataset.valid() && is_bare_scale(dataset.get()) && has_extent(dataset.get(), made.extent);
  if (!adopted) {
    const Handle form(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    SCORPIO_TRY(set_header_form(form.get(), indexed_));
    H5Pset_obj_track_times(form.get(), false);
    H5Pset_fill_time(form.get(), H5D_FILL_TIME_NEVER);
    SCORPIO_ASSIGN(const Handle space, make_bare_space(made, form.get()));
    dataset = Handle(
        H5Dcreate2(file_, path.c_str(), H5T_IEEE_F32BE, space.get(), H5P_DEFAULT, form.get(), H5P_DEFAULT),
        H5Dclose);
    if (!dataset.valid()) return library_failure(Code::exists, "HDF5 cannot create its scale " + path);
  }
  SCORPIO_TRY(make_scale(dataset.get(), bare_name(made.extent), {entry(index).id}));
  entry(index).path = path;
  entry(index).length = Entry::k_unknown;
  renewed_.insert(index);
  return {};
}

Status DimensionWriter::make_coordinate(int index, const model::Variable& variable, hid_t dataset) {
  SCORPIO_TRY(make_scale(dataset, dimension(index).name, ids_of(variable)));
  entry(index).path = variable.path;
  entry(index).length = Entry::k_unknown;
  renewed_.insert(index);
  return {};
}

// ---- new variables ----

Status DimensionWriter::created(int index, hid_t dataset) {
  const model::Variable& variable = schema_.variables()[index];
  if (is_coordinate(variable)) {
    SCORPIO_TRY(make_coordinate(variable.dimensions.front(), variable, dataset));
    return provide_waiting();
  }
  if (variable.dimensions.empty()) return {};
  if (has_scales(variable)) return refer(index, dataset, {});
  unattached_.insert(index);
  return {};
}

bool DimensionWriter::has_scales(const model::Variable& variable) const {
  return std::ranges::all_of(variable.dimensions, [this](int index) {
    return index < 0 || !table_.entries[static_cast<size_t>(index)].path.empty();
  });
}

bool DimensionWriter::has_unattached() {
  for (int i = 0; !gathered_ && !renewed_.empty() && i < schema_.variables().count(); ++i) {
    const model::Variable& variable = schema_.variables()[i];
    if (schema_.variables().alive(i) && in_file(i) && !attached_.contains(i) &&
        std::any_of(variable.dimensions.begin(), variable.dimensions.end(),
                    [this](int dimension) { return renewed_.contains(dimension); })) {
      unattached_.insert(i);
    }
  }
  gathered_ = true;
  std::erase_if(unattached_, [this](int i) {
    return schema_.variables()[i].dimensions.empty() || is_coordinate(schema_.variables()[i]);
  });
  return !unattached_.empty();
}

Result<hobj_ref_t> DimensionWriter::scale_of(int index) {
  if (const auto known = references_.find(index); known != references_.end()) return known->second;
  const Handle scale = open(entry(index).path);
  if (!scale.valid()) return failure(Code::internal, "dimension {} has no scale", dimension(index).name);
  SCORPIO_ASSIGN(const hobj_ref_t reference, reference_to(scale.get()));
  references_.emplace(index, reference);
  return reference;
}

// `before`: the references of the data set, of which those for extents without a name stay.
Status DimensionWriter::refer(int index, hid_t dataset, const ScaleLists& before) {
  const model::Variable& variable = schema_.variables()[index];
  ScaleLists lists = before;
  lists.resize(variable.dimensions.size());
  SCORPIO_ASSIGN(const hobj_ref_t self, reference_to(dataset));
  for (size_t at = 0; at < lists.size(); ++at) {
    const int dimension = variable.dimensions[at];
    if (dimension < 0) continue;
    if (lists[at].empty()) lists[at].push_back(0);
    SCORPIO_ASSIGN(lists[at].front(), scale_of(dimension));
    added_[dimension].push_back({self, static_cast<int>(at)});
  }
  attached_.insert(index);
  return write_scale_lists(dataset, lists);
}

Status DimensionWriter::refer_to_variables(int index, const std::vector<Attachment>& added) {
  const Handle scale = open(entry(index).path);
  SCORPIO_ASSIGN(std::vector<Attachment> all, read_attachments(scale.get()));
  const size_t before = all.size();
  for (const Attachment& one : added) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::find(all.begin(), end, one) == end) all.push_back(one);
  }
  return write_attachments(scale.get(), all);
}

// Each scale gets the references to all its new variables at once.
Status DimensionWriter::attach() {
  for (const int i : std::exchange(unattached_, {})) {
    const std::string& path = schema_.variables()[i].path;
    const Handle dataset = open_variable(file_, path);
    if (!dataset.valid()) continue;  // an application removed it through the live id
    SCORPIO_ASSIGN(const ScaleLists lists, read_scale_lists(dataset.get()));
    SCORPIO_TRY(refer(i, dataset.get(), lists).with_context("variable " + path));
  }
  for (const auto& [index, added] : std::exchange(added_, {})) {
    SCORPIO_TRY(refer_to_variables(index, added).with_context("dimension " + dimension(index).name));
  }
  renewed_.clear();
  return {};
}

}  // namespace scorpio::format::hdf5
