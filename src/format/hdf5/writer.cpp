#include "format/hdf5/writer.h"

#include <algorithm>
#include <utility>

#include "format/hdf5/attributes.h"
#include "format/hdf5/dataspace.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/types.h"

namespace scorpio::format::hdf5 {
namespace {

// Up to here attributes lie in the object header, where they are read with the object.
constexpr unsigned k_attributes_in_header = 128;
constexpr unsigned k_attributes_back_in_header = 96;

bool any_pending(const model::Attributes& attributes) {
  return std::any_of(attributes.begin(), attributes.end(),
                     [](const auto& entry) { return !entry.second.committed && entry.second.readable; });
}

}  // namespace

Status set_header_form(hid_t creation_list) {
  if (H5Pset_attr_creation_order(creation_list, H5P_CRT_ORDER_TRACKED) < 0 ||
      H5Pset_attr_phase_change(creation_list, k_attributes_in_header, k_attributes_back_in_header) < 0) {
    return library_failure(Code::internal, "HDF5 does not accept the form of object headers");
  }
  return {};
}

Status SchemaWriter::prepare() {
  group_form_ = Handle(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  dataset_form_ = Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  SCORPIO_TRY(set_header_form(group_form_.get()));
  SCORPIO_TRY(set_header_form(dataset_form_.get()));
  // The same definitions give the same bytes: no times.
  if (H5Pset_link_creation_order(group_form_.get(), H5P_CRT_ORDER_TRACKED) < 0 ||
      H5Pset_obj_track_times(group_form_.get(), false) < 0 ||
      H5Pset_obj_track_times(dataset_form_.get(), false) < 0 ||
      H5Pset_layout(dataset_form_.get(), H5D_CONTIGUOUS) < 0 ||
      H5Pset_alloc_time(dataset_form_.get(), H5D_ALLOC_TIME_EARLY) < 0) {
    return library_failure(Code::internal, "HDF5 does not accept the creation properties");
  }
  return {};
}

Status SchemaWriter::write(model::Schema& schema) {
  SCORPIO_TRY(prepare());
  reserve_data(schema);
  for (const auto& removed : schema.graveyard()) SCORPIO_TRY(remove(removed));
  schema.clear_graveyard();
  const model::Schema::Pending& pending = schema.pending();
  for (const std::string& path : pending.groups) {
    const auto group = schema.groups().find(path);
    if (group == schema.groups().end()) continue;
    SCORPIO_TRY(write_group(path, group->second).with_context("group " + path));
  }
  for (const int i : pending.variables) {
    if (!schema.alive(i)) continue;
    model::Variable& variable = schema.variable(i);
    SCORPIO_TRY(write_variable(variable).with_context("variable " + variable.path));
  }
  for (const std::string& path : pending.links) {
    const auto link = schema.links().find(path);
    if (link == schema.links().end()) continue;
    SCORPIO_TRY(write_link(path, link->second).with_context("soft link " + path));
  }
  return {};
}

// Before HDF5 takes space for metadata: nothing of it may fall on data that are to be described later.
void SchemaWriter::reserve_data(const model::Schema& schema) {
  for (const int i : schema.pending().variables) {
    const model::Variable& variable = schema.variable(i);
    if (!schema.alive(i) || variable.committed || !variable.address) continue;
    image_.space().raise_data_end(*variable.address + variable.bytes());
  }
}

// What a client removed already is gone as well.
Status SchemaWriter::remove(const model::Schema::Removed& removed) {
  const char* object = removed.object.c_str();
  const bool is_link = removed.attribute.empty();
  const herr_t done = is_link ? H5Ldelete(file_, object, H5P_DEFAULT)
                              : H5Adelete_by_name(file_, object, removed.attribute.c_str(), H5P_DEFAULT);
  if (done >= 0) return {};
  const Status status =
      library_failure(Code::io, fmt::format("cannot remove {} {}", object, removed.attribute));
  const htri_t still_there = is_link
                                 ? H5Lexists(file_, object, H5P_DEFAULT)
                                 : H5Aexists_by_name(file_, object, removed.attribute.c_str(), H5P_DEFAULT);
  return still_there > 0 ? status : Status();
}

Status SchemaWriter::write_group(const std::string& path, model::Group& group) {
  if (group.committed || path == "/") {
    SCORPIO_TRY(change_attributes(path, group.attributes));
    group.committed = true;
    return {};
  }
  Handle made(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, group_form_.get(), H5P_DEFAULT), H5Gclose);
  const bool fresh = made.valid();
  if (!fresh) {
    const Status status = library_failure(Code::exists, "HDF5 cannot create it");
    // A client of the live id may have made it.
    made = Handle(H5Gopen2(file_, path.c_str(), H5P_DEFAULT), H5Gclose);
    if (!made.valid()) return status;
  }
  group.committed = true;
  return write_attributes(made.get(), group.attributes, fresh);
}

Status SchemaWriter::write_variable(model::Variable& variable) {
  if (variable.committed) return change_attributes(variable.path, variable.attributes);
  return create_variable(variable);
}

Status SchemaWriter::create_variable(model::Variable& variable) {
  SCORPIO_ASSIGN(const Handle type, make_type(variable.type));
  SCORPIO_ASSIGN(const Handle space, make_space({variable.dims.empty(), variable.dims}));
  const uint64_t bytes = variable.bytes();
  if (bytes > 0) image_.space().arm(variable.address, bytes);
  const Handle dataset(H5Dcreate2(file_, variable.path.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                  dataset_form_.get(), H5P_DEFAULT),
                       H5Dclose);
  const std::optional<Range> placed = image_.space().disarm();
  if (!dataset.valid()) {
    if (placed && !variable.address) image_.space().remove_data(*placed);
    return library_failure(Code::exists, "HDF5 cannot create it");
  }
  variable.committed = true;
  if (bytes > 0) SCORPIO_TRY(settle_address(dataset.get(), variable, placed));
  return write_attributes(dataset.get(), variable.attributes, true);
}

// HDF5 may have preferred space that was freed before: it reads as anything, and nobody placed data there.
Status SchemaWriter::settle_address(hid_t dataset, model::Variable& variable, std::optional<Range> placed) {
  const haddr_t actual = H5Dget_offset(dataset);
  if (actual == HADDR_UNDEF) return library_failure(Code::internal, "HDF5 gave it no place");
  const Range range{actual, variable.bytes()};
  const std::optional<uint64_t> wanted = std::exchange(variable.address, actual);
  if (placed == range) {
    image_.place_data(range);
    return {};
  }
  if (!wanted) return image_.zero_data(range);
  image_.counters().relocated += 1;
  return image_.move_data({*wanted, range.bytes}, actual);
}

Status SchemaWriter::change_attributes(const std::string& path, model::Attributes& attributes) {
  if (!any_pending(attributes)) return {};
  const Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) return library_failure(Code::not_found, "HDF5 cannot open it");
  return write_attributes(object.get(), attributes, false);
}

Status SchemaWriter::write_link(const std::string& path, model::SoftLink& link) {
  if (link.committed) return {};
  if (H5Lcreate_soft(link.target.c_str(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0) {
    return library_failure(Code::exists, "HDF5 cannot create it");
  }
  link.committed = true;
  return {};
}

}  // namespace scorpio::format::hdf5
