#include "format/hdf5/schema_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "format/default_fill.h"
#include "format/hdf5/attribute_names.h"
#include "format/hdf5/attributes.h"
#include "format/hdf5/dataspace.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/header_form.h"
#include "format/hdf5/scales.h"
#include "format/hdf5/types.h"
#include "model/string_elements.h"

namespace scorpio::format::hdf5 {

Status SchemaWriter::prepare() {
  group_form_ = Handle(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  dataset_form_ = Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  SCORPIO_TRY(set_group_form(group_form_.get(), image_.options().netcdf4));
  SCORPIO_TRY(set_header_form(dataset_form_.get(), image_.options().netcdf4));
  // Times are not recorded, so that the same definitions give the same bytes.
  if (H5Pset_obj_track_times(group_form_.get(), false) < 0 ||
      H5Pset_obj_track_times(dataset_form_.get(), false) < 0 ||
      H5Pset_layout(dataset_form_.get(), H5D_CONTIGUOUS) < 0 ||
      H5Pset_alloc_time(dataset_form_.get(), H5D_ALLOC_TIME_EARLY) < 0) {
    return library_failure(Code::internal, "HDF5 does not accept the creation properties");
  }
  return {};
}

Status SchemaWriter::write() {
  SCORPIO_TRY(prepare());
  model::Pending& pending = schema_.pending();
  for (auto& [path, group] : pending.groups) {
    SCORPIO_TRY(write_group(path, group).with_context("group " + path));
  }
  if (!dimensions_.idle()) SCORPIO_TRY(dimensions_.update_scales());
  for (auto& [index, variable] : pending.variables) {
    SCORPIO_TRY(write_variable(index, variable).with_context("variable " + schema_.variables()[index].path));
  }
  while (!pending.links.empty()) {
    const std::string& path = *pending.links.begin();
    SCORPIO_TRY(write_link(path).with_context("soft link " + path));
    pending.links.erase(pending.links.begin());
  }
  return attach_scales();
}

// Must precede any allocation by HDF5: metadata must not overlap data that are described later.
void SchemaWriter::reserve_data() {
  for (const auto& [index, variable] : schema_.pending().variables) {
    const Placement& placement = placements_.of(index);
    const auto address = placement.address();
    if ((variable.is_new || variable.takes_space) && address && placement.chunks() == nullptr)
      image_.space().reserve_data(ByteRange::at(*address, schema_.variables()[index].bytes()));
  }
}

// In a file without named dimensions, the location of a variable is its path.
std::string SchemaWriter::locate_held(const std::string& path) const {
  return dimensions_.idle() ? path : locate(file_, path);
}

Status SchemaWriter::remove() {
  reserve_data();
  std::vector<model::Removed>& all = schema_.pending().removed;
  for (const model::Removed& removed : all) SCORPIO_TRY(remove_one(removed));
  all.clear();
  return {};
}

// An object that an application removed already counts as removed.
Status SchemaWriter::remove_one(const model::Removed& removed) {
  const std::string location = locate_held(removed.object);
  const char* const object = location.c_str();
  const bool is_link = removed.attribute.empty();
  if (is_link && H5Lexists(file_, object, H5P_DEFAULT) <= 0) {
    H5Eclear2(H5E_DEFAULT);
    return {};
  }
  const bool moves = !removed.moved_to.empty();
  if (is_link && moves) return dimensions_.move(location, removed.moved_to);
  if (is_link && !dimensions_.idle()) SCORPIO_TRY(dimensions_.forget(location));
  const char* const attribute = removed.attribute.c_str();
  const herr_t done = is_link ? H5Ldelete(file_, object, H5P_DEFAULT)
                      : moves ? rename_attribute(file_, object, attribute, removed.moved_to.c_str())
                              : H5Adelete_by_name(file_, object, attribute, H5P_DEFAULT);
  if (done >= 0) return {};
  const Status status = library_failure(Code::io, fmt::format("cannot {} {} {}", moves ? "rename" : "remove",
                                                              removed.object, removed.attribute));
  const htri_t still_there = is_link ? H5Lexists(file_, object, H5P_DEFAULT)
                                     : H5Aexists_by_name(file_, object, attribute, H5P_DEFAULT);
  return still_there > 0 ? status : Status();
}

Status SchemaWriter::write_group(const std::string& path, model::PendingObject& pending) {
  if (!pending.is_new) return change_attributes(path, pending);
  Handle made(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, group_form_.get(), H5P_DEFAULT), H5Gclose);
  const bool fresh = made.valid();
  if (!fresh) {
    const Status status = library_failure(Code::exists, "HDF5 cannot create it");
    // An application may have created it through the live id.
    made = Handle(H5Gopen2(file_, path.c_str(), H5P_DEFAULT), H5Gclose);
    if (!made.valid()) return status;
  }
  pending.is_new = false;
  return write_attributes(made.get(), *schema_.objects().attributes(path), pending, fresh, types_);
}

Status SchemaWriter::write_variable(int index, model::PendingObject& pending) {
  if (pending.is_new) return create_variable(index, pending);
  if (pending.takes_space) SCORPIO_TRY(take_space(index, pending));
  return change_attributes(schema_.variables()[index].path, pending);
}

namespace {

// Puts the first element.
Status put_one(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  const Handle one(H5Screate(H5S_SCALAR), H5Sclose);
  const std::vector<hsize_t> first(static_cast<size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
  const std::vector<std::byte> element(std::max<size_t>(H5Tget_size(type.get()), 1));
  if ((first.empty() || H5Sselect_elements(space.get(), H5S_SELECT_SET, 1, first.data()) >= 0) &&
      H5Dwrite(dataset, type.get(), one.get(), space.get(), H5P_DEFAULT, element.data()) >= 0)
    return {};
  return library_failure(Code::io, "HDF5 cannot give it space in the file");
}

}  // namespace

// HDF5 gives a data set space when it gets its first element. This one, and the fill values that HDF5 writes
// before it, do not reach the file, in which the data of the ranks are (Space::arm).
Status SchemaWriter::take_space(int index, model::PendingObject& pending) {
  const model::Variable& variable = schema_.variables()[index];
  const Handle dataset = open_variable(file_, variable.path);
  if (!dataset.valid()) return library_failure(Code::not_found, "HDF5 cannot open it");
  image_.space().arm(placements_.of(index).address(), variable.bytes());
  const Status put = put_one(dataset.get());
  const std::optional<ByteRange> placed = image_.space().disarm();
  SCORPIO_TRY(put);
  pending.takes_space = false;
  return accept_address(dataset.get(), index, placed);
}

namespace {

// HDF5 may lack the filter, with which it encodes nothing here; therefore the filter is marked as optional.
bool add_filter(hid_t form, const codec::Filter& filter, const decomp::ChunkGrid& grid) {
  switch (filter.number) {
    case codec::k_shuffle:
      return H5Pset_shuffle(form) >= 0;
    case codec::k_fletcher32:
      return H5Pset_fletcher32(form) >= 0;
    case codec::k_deflate:
      return H5Pset_deflate(form, static_cast<unsigned>(filter.parameter)) >= 0;
    default:
      break;
  }
  const codec::FilterCode* code = codec::find_filter(filter.number);
  if (code == nullptr) return false;
  const auto values =
      code->client_values({filter.parameter, grid.element_bytes(), filter.values}, grid.chunk_bytes());
  return H5Pset_filter(form, filter.number, H5Z_FLAG_OPTIONAL, values.size(), values.data()) >= 0;
}

}  // namespace

SchemaWriter::Form SchemaWriter::describe(int index) const {
  const model::Variable& variable = schema_.variables()[index];
  Form form{.type = variable.type, .storage = variable.storage, .filled = variable.filled};
  const auto& chunks = placements_.of(index).chunks();
  if (variable.filled && chunks != nullptr) {
    form.fill = chunks->fill;
  } else if (variable.filled && image_.options().netcdf4) {
    form.fill = fill_value(variable, netcdf_default_fill(variable.type));
  }
  return form;
}

// Chunks have the properties that HDF5 and netCDF-C set, because these also apply when other programs add
// chunks: space is allocated chunk by chunk, and elements that were never written have the fill value.
Result<hid_t> SchemaWriter::form_of(int index, hid_t type) {
  Form form = describe(index);
  if (last_form_.list.valid() && form.is_as(last_form_)) return last_form_.list.get();
  form.list = Handle(H5Pcopy(dataset_form_.get()), H5Pclose);
  const hid_t list = form.list.get();
  SCORPIO_TRY(set_fill(form, type));
  const model::Storage& storage = form.storage;
  if (storage.form == model::Storage::Form::chunked) {
    const std::vector<hsize_t> chunk(storage.chunk.begin(), storage.chunk.end());
    bool good = H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR) >= 0 &&
                H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()) >= 0;
    const auto& chunks = placements_.of(index).chunks();
    if (good && chunks != nullptr) {
      good = std::ranges::all_of(chunks->pipeline.filters(), [&](const codec::Filter& filter) {
        return add_filter(list, filter, chunks->grid);
      });
    }
    if (!good) return library_failure(Code::internal, "HDF5 does not accept the form of its chunks");
  }
  last_form_ = std::move(form);
  return list;
}

// Without a fill value HDF5 uses zeros. In netCDF-4 files a variable without fill mode is marked, so that the
// mark is found when the file is opened.
Status SchemaWriter::set_fill(const Form& form, hid_t type) const {
  const hid_t list = form.list.get();
  herr_t set = 0;
  if (image_.options().netcdf4 && !form.filled) set = H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  if (!form.fill.empty()) set = H5Pset_fill_value(list, type, form.fill.data());
  return set >= 0 ? Status() : library_failure(Code::internal, "HDF5 does not accept its fill value");
}

Status SchemaWriter::create_variable(int index, model::PendingObject& pending) {
  const model::Variable& variable = schema_.variables()[index];
  if (model::holds_strings(variable)) return create_strings(index, pending);
  SCORPIO_ASSIGN(const Handle type,
                 make_type(variable.type, {.terminated = image_.options().terminated_text}));
  std::vector<int64_t> dims = variable.dims;
  const uint32_t unlimited = variable.inner_unlimited | (variable.records ? 1u : 0u);
  if (unlimited != 0) dims = chunks_.extents_of(index);
  SCORPIO_ASSIGN(const Handle space, make_space({dims.empty(), dims, unlimited}));
  const bool chunked = variable.storage.form == model::Storage::Form::chunked;
  SCORPIO_ASSIGN(const hid_t form, form_of(index, type.get()));
  const uint64_t bytes = chunked ? 0 : variable.bytes();
  const auto address = chunked ? std::nullopt : placements_.of(index).address();
  if (bytes > 0) image_.space().arm(address, bytes);
  const Handle dataset(H5Dcreate2(file_, dimensions_.place_of(variable).c_str(), type.get(), space.get(),
                                  H5P_DEFAULT, form, H5P_DEFAULT),
                       H5Dclose);
  const std::optional<ByteRange> placed = image_.space().disarm();
  if (!dataset.valid()) {
    if (placed && !address) image_.space().remove_data(*placed);
    return library_failure(Code::exists, "HDF5 cannot create it");
  }
  pending.is_new = false;
  if (bytes > 0) SCORPIO_TRY(accept_address(dataset.get(), index, placed));
  SCORPIO_TRY(dimensions_.created(index, dataset.get()));
  SCORPIO_TRY(write_attributes(dataset.get(), variable.attributes, pending, true, types_));
  return chunks_.write_new(index, dataset.get());
}

// HDF5 rejects texts that are never filled. The references to the texts are few bytes, which HDF5 places
// among its metadata.
Result<Handle> SchemaWriter::form_of_texts(const model::Variable& variable) const {
  Handle list(H5Pcopy(dataset_form_.get()), H5Pclose);
  if (variable.storage.form != model::Storage::Form::chunked) return list;
  const std::vector<hsize_t> chunk(variable.storage.chunk.begin(), variable.storage.chunk.end());
  if (H5Pset_alloc_time(list.get(), H5D_ALLOC_TIME_INCR) < 0 ||
      H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data()) < 0)
    return library_failure(Code::internal, "HDF5 does not accept the form of its chunks");
  return list;
}

Status SchemaWriter::create_strings(int index, model::PendingObject& pending) {
  const model::Variable& variable = schema_.variables()[index];
  SCORPIO_ASSIGN(const Handle type, make_string_type());
  SCORPIO_ASSIGN(const Handle space,
                 make_space({variable.dims.empty(), variable.dims, variable.records ? 1u : 0u}));
  SCORPIO_ASSIGN(const Handle form, form_of_texts(variable));
  const Handle dataset(H5Dcreate2(file_, dimensions_.place_of(variable).c_str(), type.get(), space.get(),
                                  H5P_DEFAULT, form.get(), H5P_DEFAULT),
                       H5Dclose);
  if (!dataset.valid()) return library_failure(Code::exists, "HDF5 cannot create it");
  pending.is_new = false;
  SCORPIO_TRY(dimensions_.created(index, dataset.get()));
  return write_attributes(dataset.get(), variable.attributes, pending, true, types_);
}

// References to scales are in a heap, which HDF5 allocates at its end of allocation. A flush before makes
// HDF5 release space that it had reserved for other metadata, and the heap uses it: a new file is still
// written with one call.
Status SchemaWriter::attach_scales() {
  if (dimensions_.has_unattached()) {
    image_.hold_commits(true);
    const herr_t flushed = H5Fflush(file_, H5F_SCOPE_LOCAL);
    image_.hold_commits(false);
    if (flushed < 0) return library_failure(Code::io, "HDF5 cannot flush");
  }
  return dimensions_.attach();
}

// HDF5 may have allocated space that was freed before, with undefined bytes and no data of any rank.
Status SchemaWriter::accept_address(hid_t dataset, int index, std::optional<ByteRange> placed) {
  const haddr_t actual = H5Dget_offset(dataset);
  if (actual == HADDR_UNDEF) return library_failure(Code::internal, "HDF5 gave it no place");
  const ByteRange range = ByteRange::at(actual, schema_.variables()[index].bytes());
  const std::optional<uint64_t> wanted = placements_.of(index).address();
  placements_.set(index, Placement::at(actual));
  if (placed == range) {
    image_.place_data(range);
    return {};
  }
  if (!wanted) return image_.zero_data(range);
  image_.counters().relocated += 1;
  return image_.move_data(ByteRange::at(*wanted, range.size()), actual);
}

Status SchemaWriter::change_attributes(const std::string& path, model::PendingObject& pending) {
  if (!pending.has_attributes()) return {};
  const Handle object(H5Oopen(file_, locate_held(path).c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) return library_failure(Code::not_found, "HDF5 cannot open it");
  return write_attributes(object.get(), *schema_.objects().attributes(path), pending, false, types_);
}

Status SchemaWriter::write_link(const std::string& path) {
  if (H5Lcreate_soft(schema_.objects().links().at(path).target.c_str(), file_, path.c_str(), H5P_DEFAULT,
                     H5P_DEFAULT) < 0) {
    return library_failure(Code::exists, "HDF5 cannot create it");
  }
  return {};
}

}  // namespace scorpio::format::hdf5
