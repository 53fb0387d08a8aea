#include "format/hdf5/stored_form.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/hdf5/errors.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/known_chunks.h"
#include "format/hdf5/object_number.h"

namespace scorpio::format::hdf5 {
namespace {

// Nothing was written yet. When HDF5 gets the first chunk, it gives all chunks their places; those of chunks
// without filters, which always have the same size, cannot be changed, and one of several filtered chunks of
// the same size gets the place that is meant for another one.
bool is_allocated_together(hid_t dataset, hid_t list) {
  H5D_alloc_time_t time = H5D_ALLOC_TIME_INCR;
  H5D_space_status_t status = H5D_SPACE_STATUS_ALLOCATED;
  return H5Pget_alloc_time(list, &time) >= 0 && time == H5D_ALLOC_TIME_LATE &&
         H5Dget_space_status(dataset, &status) >= 0 && status == H5D_SPACE_STATUS_NOT_ALLOCATED;
}

// Whoever wrote the file has set a value, and did not say that it is never stored.
bool is_filled(hid_t list) {
  H5D_fill_value_t value = H5D_FILL_VALUE_UNDEFINED;
  H5D_fill_time_t time = H5D_FILL_TIME_NEVER;
  return H5Pfill_value_defined(list, &value) >= 0 && H5Pget_fill_time(list, &time) >= 0 &&
         value == H5D_FILL_VALUE_USER_DEFINED && time != H5D_FILL_TIME_NEVER;
}

// In a file with a user block, H5Dget_offset() returns the undefined address plus the size of the block.
bool has_no_space(hid_t dataset) {
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  return H5Dget_space_status(dataset, &status) < 0 || status == H5D_SPACE_STATUS_NOT_ALLOCATED;
}

// HDF5 gives it space at its first put, and until then reads it as its fill value.
Placement without_space(hid_t dataset, hid_t list, const TypeFacts& facts) {
  constexpr const char* k_form = "without space in the file yet";
  std::optional<std::vector<std::byte>> fill = std::vector<std::byte>();
  if (is_filled(list)) fill = fill_of(dataset, list, facts.type.size_bytes);
  if (!fill) return Placement::by_library(k_form);
  return Placement::unallocated(k_form, *std::move(fill), number_of(dataset));
}

Placement place_of(hid_t dataset, hid_t list, const TypeFacts& facts, const model::Variable& variable) {
  switch (H5Pget_layout(list)) {
    case H5D_CONTIGUOUS:
      break;
    case H5D_CHUNKED:
      if (is_allocated_together(dataset, list))
        return Placement::by_library("chunks without places in the file, which HDF5 gives them all together");
      return Placement::by_library(H5Pget_nfilters(list) > 0 ? "chunked, with filters" : "chunked",
                                   examine_chunks(dataset, list, facts, variable), number_of(dataset));
    case H5D_COMPACT:
      return Placement::by_library("compact");
    case H5D_VIRTUAL:
      return Placement::by_library("virtual");
    default:
      return Placement::by_library("of a layout that is not known here");
  }
  if (H5Pget_external_count(list) != 0) return Placement::by_library("external");
  if (!facts.exact) return Placement::by_library("of a type that has to be converted");
  if (variable.bytes() == 0) return {};
  if (has_no_space(dataset)) return without_space(dataset, list, facts);
  const haddr_t address = H5Dget_offset(dataset);
  if (address != HADDR_UNDEF) return Placement::at(address);
  return Placement::by_library("without a place that HDF5 tells");
}

std::vector<int64_t> chunk_of(hid_t list) {
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int ndims = H5Pget_chunk(list, H5S_MAX_RANK, extents.data());
  return ndims < 0 ? std::vector<int64_t>() : std::vector<int64_t>(extents.begin(), extents.begin() + ndims);
}

model::Storage in_chunks(hid_t list) {
  model::Storage storage{model::Storage::Form::chunked, chunk_of(list)};
  const int count = H5Pget_nfilters(list);
  for (int i = 0; i < count; ++i) {
    const codec::Filter filter = stored_filter(list, static_cast<unsigned>(i));
    storage.filters.push_back(filter.number);
    storage.parameters.push_back(filter.parameter);
  }
  return storage;
}

model::Storage storage_of(hid_t list) {
  using Form = model::Storage::Form;
  switch (H5Pget_layout(list)) {
    case H5D_CONTIGUOUS:
      return {H5Pget_external_count(list) != 0 ? Form::external : Form::plain};
    case H5D_CHUNKED:
      return in_chunks(list);
    case H5D_COMPACT:
      return {Form::compact};
    case H5D_VIRTUAL:
      return {Form::virtual_dataset};
    default:
      return {Form::unknown};
  }
}

bool can_decode(H5Z_filter_t filter) {
  unsigned what = 0;
  return H5Zfilter_avail(filter) > 0 && H5Zget_filter_info(filter, &what) >= 0 &&
         (what & H5Z_FILTER_CONFIG_DECODE_ENABLED) != 0;
}

// For example "blosc (number 32001)"; a file may have no name.
std::string name_of(H5Z_filter_t filter, const std::string& name) {
  return name.empty() ? fmt::format("number {}", filter) : fmt::format("{} (number {})", name, filter);
}

// Bit i: filter i was not applied to the first chunk that HDF5 finds. All bits if there is no chunk.
unsigned left_out_of_first_chunk(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  unsigned mask = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t bytes = 0;
  // HDF5 adds the sizes of all chunks for this.
  const bool any = H5Dget_storage_size(dataset) != 0;
  return any && H5Dget_chunk_info(dataset, space.get(), 0, nullptr, &mask, &address, &bytes) >= 0 ? mask
                                                                                                  : ~0U;
}

// Filters of the data set that HDF5 cannot apply here. Writers can leave an optional filter out of each
// chunk, as the first one tells of all.
std::string missing_filters(hid_t dataset, hid_t list) {
  std::string missing;
  if (H5Pget_layout(list) != H5D_CHUNKED) return missing;
  std::optional<unsigned> left_out;
  const int filters = H5Pget_nfilters(list);
  for (int i = 0; i < filters; ++i) {
    std::array<char, 256> name{};
    unsigned flags = 0;
    size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(list, static_cast<unsigned>(i), &flags, &values, nullptr,
                                               name.size() - 1, name.data(), nullptr);
    if (filter < 0 || can_decode(filter)) continue;
    if (!left_out) left_out = left_out_of_first_chunk(dataset);
    if (i < 32 && (*left_out >> i & 1U) != 0) continue;
    missing += (missing.empty() ? "" : ", ") + name_of(filter, name.data());
  }
  H5Eclear2(H5E_DEFAULT);  // of the search for plugins
  return missing;
}

}  // namespace

Placement examine_form(hid_t dataset, const TypeFacts& facts, model::Variable& variable) {
  const Handle list(H5Dget_create_plist(dataset), H5Pclose);
  variable.type = facts.type;
  variable.foreign_type = facts.foreign;
  variable.storage = storage_of(list.get());
  variable.filled = is_filled(list.get());
  Placement placement = place_of(dataset, list.get(), facts, variable);
  if (placement.found_chunks() != nullptr) return placement;
  // HDF5 converts what it reads: elements have the byte order of this machine, whatever that of the file is.
  if (placement.is_by_library()) {
    variable.type = model::native(facts.type.kind, facts.type.size_bytes);
    variable.other_order = facts.convertible && facts.type.order != variable.type.order;
  }
  if (!facts.convertible && !facts.bytes_alone) {
    variable.unreadable = "its type can only be read with HDF5 itself: " + facts.foreign;
    return placement;
  }
  const std::string filters = missing_filters(dataset, list.get());
  if (filters.empty()) return placement;
  variable.unreadable = fmt::format(
      "its chunks passed a filter that HDF5 does not have here: {}; install its plugin and name the folder "
      "in "
      "HDF5_PLUGIN_PATH",
      filters);
  return placement;
}

}  // namespace scorpio::format::hdf5
