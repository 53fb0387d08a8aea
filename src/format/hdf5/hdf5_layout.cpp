#include "format/hdf5/hdf5_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/zfp.h"
#include "decomp/shells.h"
#include "format/address_book.h"
#include "format/chunk_arena.h"
#include "format/chunk_places.h"
#include "format/chunk_ranges.h"
#include "format/found_chunks.h"
#include "model/extents.h"
#include "model/texts.h"

namespace scorpio::format {
namespace {

// Attributes of dimension scales ...
constexpr std::array<std::string_view, 4> k_of_scales{"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};
// ... and those of the netCDF-4 format, of variables and of the root group.
constexpr std::array<std::string_view, 2> k_of_variables{"_Netcdf4Dimid", "_Netcdf4Coordinates"};
constexpr std::array<std::string_view, 2> k_of_root{"_NCProperties", "_nc3_strict"};

// A dimension without a coordinate variable has a scale with elements of four bytes, whose total HDF5 limits.
constexpr int64_t k_most_extent = INT64_MAX / 4;

// HDF5 stores their length, with the NUL at the end, in 16 bits.
constexpr size_t k_longest_attribute_name = 65534;

template <typename List>
bool is_in(const List& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// HDF5 takes "." for the group itself; names and paths must not be empty.
Status check_name(const std::string& name) {
  if (!name.empty() && name != "." && name != "..") return {};
  return failure(Code::name, "\"{}\" is no name in HDF5 files; give one with other characters", name);
}

Status check_dimension_name(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return failure(Code::name, "'{}' is no name for a dimension: it holds '/'", name);
  return check_name(name);
}

// A variable with an unlimited dimension is stored in chunks, and chunks have no extent of 0.
Status check_divisible(const model::Schema& schema, const model::Variable& variable) {
  if (!variable.stays_empty()) return {};
  size_t at = 0;
  while (variable.dims[at] != 0 || variable.grows(at)) ++at;
  return failure(Code::shape,
                 "variable {}: dimension {} has length 0, and HDF5 stores no variable that has such a "
                 "dimension and an unlimited one; give it a length of 1 or more",
                 variable.path, schema.dimensions()[static_cast<size_t>(variable.dimensions[at])].name);
}

class Hdf5Layout final : public Layout {
 public:
  Hdf5Layout(uint64_t block_bytes, uint64_t first_free, bool at_once, uint64_t unit_bytes,
             const ChunkWishes& chunks, const Netcdf4Rules& rules)
      : rules_(rules),
        chunk_wishes_(chunks),
        addresses_(block_bytes, first_free),
        block_bytes_(block_bytes),
        unit_bytes_(unit_bytes),
        at_once_(at_once) {}

  std::unique_ptr<Layout> copy() const override { return std::make_unique<Hdf5Layout>(*this); }
  void take(Layout&& copy) override { *this = std::move(dynamic_cast<Hdf5Layout&>(copy)); }
  bool has_define_mode() const override { return false; }
  bool names_all_dimensions() const override { return rules_.netcdf4; }
  std::string stored_name(std::string name) const override {
    if (names_as_given_) return name;
    return rules_.stored_name(std::move(name));
  }

  Status check_group(const model::Schema& schema, const std::string& path) override {
    SCORPIO_TRY(rules_.check_name(model::Schema::leaf(path), "group"));
    SCORPIO_TRY(rules_.check_group(path));
    return check_no_dimension(schema, path, "group");
  }
  Status check_link(const model::Schema& schema, const std::string& path) override {
    SCORPIO_TRY(rules_.check_link(path));
    return check_no_dimension(schema, path, "soft link");
  }
  Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) override {
    SCORPIO_TRY(check_dimension_name(dimension.name));
    SCORPIO_TRY(rules_.check_name(dimension.name, "dimension"));
    SCORPIO_TRY(rules_.check_dimension(schema, dimension));
    if (dimension.extent > k_most_extent) {
      return failure(Code::limit, "dimension {} of {}: the longest that HDF5 can describe is {}",
                     dimension.name, dimension.extent, k_most_extent);
    }
    const std::string path = dimension.path();
    if (schema.has_group(path) || schema.links().contains(path) || schema.others().contains(path)) {
      return failure(
          Code::exists,
          "dimension {}: HDF5 keeps it as an object of that name, but {} is a group or link; choose "
          "another name",
          dimension.name, path);
    }
    return dimension.unlimited ? check_records_possible(dimension) : Status();
  }
  Status check_variable(const model::Schema& schema, model::Variable& variable) override {
    SCORPIO_TRY(rules_.check_name(model::Schema::leaf(variable.path), "variable"));
    SCORPIO_TRY(rules_.check_variable(variable));
    for (size_t at = 0; at < variable.dimensions.size(); ++at) {
      if (variable.dimensions[at] < 0) continue;
      const auto& dimension = schema.dimensions()[static_cast<size_t>(variable.dimensions[at])];
      if (!dimension.unlimited) continue;
      SCORPIO_TRY(check_records_of(variable, dimension, at));
      if (at == 0) variable.records = true;
      if (at > 0) variable.inner_unlimited |= uint32_t{1} << at;
      variable.dims[at] = dimension.extent;
    }
    SCORPIO_TRY(check_unlimited(variable));
    // A variable that cannot be placed must not be added to the schema, because the file could not be
    // completed.
    const auto bytes = model::array_bytes(variable.slab_dims(), variable.type.size_bytes);
    if (!bytes.ok()) return {};  // the schema rejects arrays that are too large
    if (variable.records || variable.is_free()) {
      SCORPIO_TRY(check_takes_chunks(variable));
      SCORPIO_TRY(check_divisible(schema, variable));
      variable.storage = {model::Storage::Form::chunked, plan_chunk(variable, chunk_wishes_).shape};
      return check_chunk(variable, variable.storage.chunk);
    }
    if (*bytes == 0 || model::holds_texts(variable)) return {};
    return addresses_.check(static_cast<uint64_t>(*bytes)).with_context("variable " + variable.path);
  }
  Status check_attribute(const model::Schema& schema, const std::string& object, const std::string& name,
                         const model::Attribute& attribute, bool) override {
    SCORPIO_TRY(rules_.check_attribute(object, name, attribute));
    return check_attribute_name(schema, object, name);
  }
  // netCDF-C finds only types that have a name in the file.
  bool has_foreign_types() const override { return !rules_.netcdf4; }
  Status check_attribute_name(const model::Schema& schema, const std::string& object,
                              const std::string& name) override {
    SCORPIO_TRY(rules_.check_name(name, "attribute"));
    if (name.size() > k_longest_attribute_name) {
      return failure(Code::name, "the name of an attribute of {} has {} bytes; HDF5 keeps {}", object,
                     name.size(), k_longest_attribute_name);
    }
    const bool of_scales = is_in(k_of_scales, name), of_variables = is_in(k_of_variables, name);
    const auto index = of_scales || of_variables ? schema.find_variable(object) : std::nullopt;
    const bool over_dimensions =
        index && std::ranges::any_of(schema.variable(*index).dimensions, [](int one) { return one >= 0; });
    if ((over_dimensions && of_scales) || (index && of_variables)) {
      return failure(Code::name,
                     "attribute {} of {}: HDF5 keeps the names of dimensions in it; choose another", name,
                     object);
    }
    if (!is_in(k_of_root, name) || object != "/") return {};
    return failure(Code::name,
                   "attribute {} of the file: the netCDF-4 format has it for its own use; choose "
                   "another name",
                   name);
  }
  Status check_removal(const model::Schema& schema, const std::string& path, bool) override {
    const auto normal = model::Schema::normalise(path);
    std::set<std::string> moved;  // names of dimensions that are moved to the root group
    for (size_t i = 0; normal.ok() && i < schema.dimensions().size(); ++i) {
      const model::Dimension& dimension = schema.dimensions()[i];
      const bool lost = *normal != "/" && model::Schema::at_or_below(dimension.group, *normal);
      if (!lost || !schema.is_used(static_cast<int>(i), *normal)) continue;
      const std::string path_in_root = "/" + dimension.name;
      const bool taken = schema.find_dimension("/", dimension.name) || schema.has_group(path_in_root) ||
                         schema.links().contains(path_in_root) || schema.others().contains(path_in_root);
      if (!taken && moved.insert(dimension.name).second) continue;
      return failure(Code::exists,
                     "{} cannot be removed: its dimension {} is that of variables elsewhere, and the root "
                     "group has an object of that name already; rename the dimension first",
                     *normal, dimension.name);
    }
    return {};
  }
  Status check_rename(const std::string&, const std::string& name, bool) override {
    SCORPIO_TRY(rules_.check_name(name, "dimension, variable or attribute"));
    return check_name(name);
  }

  // Chunks that can be decoded here get addresses in raw space. Those for which there is no space are left to
  // HDF5, and so are all chunks of an eager file, and its variables without space, which its application may
  // change.
  void found(const model::Schema& schema, Placements all) override {
    for (int i = 0; i < schema.variable_count() && !at_once_; ++i) {
      if (all.of(i).is_unallocated()) all.set(i, Placement::by_library(all.of(i).form()));
    }
    rules_.classic_model = rules_.classic_model || schema.restricted();
    names_as_given_ = names_as_given_ || rules_.has_other_names(schema);
    if (at_once_) chunks_ = place_found_chunks(schema, unit_bytes_, chunk_places_, all) || chunks_;
    Layout::found(schema, std::move(all));
  }

  Status place(const model::Schema& schema, int index) override {
    if (!at_once_) return {};
    movable_.push_back({index, addresses_, chunk_places_.changes()});
    return place_there(schema.variable(index), index);
  }
  Status place_found(const model::Schema& schema, int index) override {
    const Placement before = placement(index);
    Status placed = place_there(schema.variable(index), index);
    if (!placed.ok()) placements().set(index, before);
    return placed;
  }
  Status check_storage(const model::Schema&, const model::Variable& variable,
                       const model::Storage& storage) const override {
    if (!at_once_) {
      return failure(Code::unsupported, "variable {}: an eager file has no chunks", variable.path);
    }
    SCORPIO_TRY(check_takes_chunks(variable));
    SCORPIO_TRY(check_chunk(variable, storage.chunk));
    if (model::holds_texts(variable) && !storage.filters.empty())
      return failure(Code::unsupported,
                     "variable {}: HDF5 keeps texts of variable length outside of chunks, where filters do "
                     "not change them",
                     variable.path);
    return pipeline_of(variable, storage).status().with_context("variable " + variable.path);
  }
  Status check_byte_order(const model::Variable& variable) const override {
    if (at_once_) return {};
    return failure(Code::unsupported,
                   "variable {}: it is in the eager file already, with the byte order of this machine",
                   variable.path);
  }
  bool is_movable(int variable) const override {
    return std::ranges::binary_search(movable_, variable, {}, &Movable::variable);
  }
  Status place_again(const model::Schema& schema, int variable) override {
    if (!is_movable(variable)) return failure(Code::internal, "variable {} has its place", variable);
    const auto first = std::ranges::lower_bound(movable_, variable, {}, &Movable::variable);
    std::vector<Movable> again(first, movable_.end());
    movable_.erase(first, movable_.end());
    addresses_ = again.front().addresses;
    chunk_places_.undo(again.front().chunk_changes);
    for (const Movable& one : again) SCORPIO_TRY(place(schema, one.variable));
    return {};
  }
  void keep_places() override {
    movable_.clear();
    chunk_places_.keep();
  }
  std::optional<uint64_t> arena() const override { return arena_; }
  uint64_t arena_chunk_bytes() const override { return arena_ ? arena_chunk_bytes_ : 0; }
  bool waits_for_arena() const override { return !waiting_.empty() || (arena_ && other_chunks_); }
  Status end_arena(const model::Schema& schema, uint64_t end) override {
    if (arena_ && end > *arena_) addresses_.raise(end);
    arena_.reset();
    for (const int index : std::exchange(waiting_, {})) {
      if (schema.alive(index)) SCORPIO_TRY(place_there(schema.variable(index), index));
    }
    return {};
  }
  void before_data(const model::Schema& schema, const FillOf& fill_of) override {
    keep_places();
    for (const int index : std::exchange(without_fill_, {})) {
      const Placement& old = placement(index);
      const model::Variable& variable = schema.variable(index);
      auto form = std::make_shared<ChunkForm>(*old.chunks());
      if (variable.filled) form->fill = fill_of(variable);
      placements().set(index, Placement::in_chunks(*old.address(), std::move(form)));
      chunks_ = true;
    }
    if (!chunks_ || arena_) return;
    AddressBook behind = addresses_;
    behind.leave_block();
    const uint64_t end = behind.end_of_data();
    arena_ = (end + block_bytes_ - 1) / block_bytes_ * block_bytes_;
    arena_chunk_bytes_ =
        common_chunk_bytes(placements(), schema.variable_count(), block_bytes_,
                           {.unit_bytes = unit_bytes_, .most = chunk_wishes_.most_held_bytes});
    other_chunks_ = false;
  }
  // The first I/O rank is the metadata rank, so its chunks may share the first block with metadata.
  Result<std::vector<uint64_t>> place_stored(std::span<const uint64_t> bytes) override {
    return chunk_ranges_.place(addresses_, bytes);
  }
  Result<Rearrangement> end_definitions(const model::Schema&) override { return Rearrangement(); }
  Status check_records(const std::string& variable, uint64_t records) const override {
    if (records <= static_cast<uint64_t>(k_most_extent)) return {};
    return failure(Code::limit, "{} records for {}: the longest dimension that HDF5 can describe is {}",
                   records, variable, k_most_extent);
  }
  uint64_t end_of_data(const model::Schema&) const override { return addresses_.end_of_data(); }
  // Metadata may now be in the range of an arena that was not used.
  void raise(uint64_t end) override {
    addresses_.raise(end);
    arena_.reset();
  }

 private:
  // Only chunks can be added later.
  Status check_records_possible(const model::Dimension& dimension) const {
    if (at_once_) return {};
    return failure(
        Code::unsupported,
        "dimension {}: an eager file has no chunks, and so no unlimited dimensions; give an extent",
        dimension.name);
  }
  Status check_records_of(const model::Variable& variable, const model::Dimension& dimension,
                          size_t at) const {
    if (!at_once_) {
      return failure(Code::unsupported,
                     "variable {}: an eager file has no chunks, which the unlimited dimension {} needs",
                     variable.path, dimension.name);
    }
    if (at < model::Variable::k_most_dims_that_grow) return {};
    return failure(Code::limit,
                   "variable {}: the unlimited dimension {} comes after {} others; HDF5 allows no more",
                   variable.path, dimension.name, at);
  }
  Status check_takes_chunks(const model::Variable& variable) const {
    const std::string& why = placements().chunks_refused();
    if (why.empty()) return {};
    return failure(Code::unsupported, "variable {} would be stored in chunks: {}", variable.path, why);
  }
  static Status check_unlimited(const model::Variable& variable) {
    if (!variable.is_free()) return {};
    const auto unlimited =
        static_cast<size_t>(std::popcount(variable.inner_unlimited)) + (variable.records ? 1 : 0);
    if (unlimited > decomp::Shells::k_most_dims) {
      return failure(
          Code::limit,
          "variable {} has {} unlimited dimensions; at most {} are possible, give others an extent",
          variable.path, unlimited, decomp::Shells::k_most_dims);
    }
    if (!model::holds_texts(variable)) return {};
    return failure(
        Code::unsupported,
        "variable {}: texts of variable length can only have an unlimited dimension that is the first "
        "one; put it there, or give the others an extent",
        variable.path);
  }
  static Status check_no_dimension(const model::Schema& schema, const std::string& path, const char* what) {
    const auto normal = model::Schema::normalise(path);
    if (!normal.ok() || !schema.find_dimension(model::Schema::parent(*normal), model::Schema::leaf(*normal)))
      return {};
    return failure(Code::exists, "{} {}: a dimension has this name; choose another", what, *normal);
  }

  static Result<codec::Pipeline> pipeline_of(const model::Variable& variable, const model::Storage& storage) {
    std::vector<codec::Filter> filters;
    for (size_t i = 0; i < storage.filters.size(); ++i) {
      codec::Filter filter{storage.filters[i], storage.parameters[i]};
      if (filter.number == codec::k_zfp) {
        SCORPIO_ASSIGN(filter.values, codec::zfp_header(filter.parameter, variable.type, storage.chunk));
      }
      filters.push_back(std::move(filter));
    }
    return codec::Pipeline::make(std::move(filters), variable.type.size_bytes);
  }
  Status place_there(const model::Variable& variable, int index) {
    placements().set(index, Placement());
    without_fill_.erase(index);
    std::erase(waiting_, index);
    if (model::holds_texts(variable)) {
      placements().set(index, Placement::by_library(variable.foreign_type));
      return {};
    }
    if (variable.stays_empty()) return {};
    if (variable.storage.form == model::Storage::Form::chunked) return place_chunks(variable, index);
    if (arena_) {
      waiting_.push_back(index);
      return {};
    }
    SCORPIO_ASSIGN(const uint64_t address, addresses_.place(variable.slab_bytes()));
    placements().set(index, Placement::at(address));
    return {};
  }
  Status place_chunks(const model::Variable& variable, int index) {
    SCORPIO_ASSIGN(codec::Pipeline pipeline, pipeline_of(variable, variable.storage));
    decomp::ChunkGrid grid(grid_extents(variable), variable.storage.chunk, variable.type.size_bytes,
                           unit_bytes_);
    SCORPIO_ASSIGN(ChunkPlaces::Cell cell, chunk_places_.place_new(std::move(grid)));
    std::vector<std::byte> zero(variable.type.size_bytes);
    auto form = std::make_shared<ChunkForm>(
        ChunkForm{std::move(cell.grid), std::move(pipeline), std::move(zero), cell.window.size()});
    form->cell_begin = cell.begin;
    if (!form->pipeline.empty() || form->grid.chunk_bytes() != arena_chunk_bytes_)
      other_chunks_ = arena_chunk_bytes_ != 0;
    placements().set(index, Placement::in_chunks(cell.window.begin + cell.begin, std::move(form)));
    without_fill_.insert(index);
    return {};
  }

  // A variable that can still move, and the state before it was placed.
  struct Movable {
    int variable;
    AddressBook addresses;
    size_t chunk_changes;
  };

  Netcdf4Rules rules_;
  bool names_as_given_ = false;  // the file has names of another form than those that the rules store
  ChunkWishes chunk_wishes_;
  AddressBook addresses_;
  ChunkPlaces chunk_places_;
  ChunkRanges chunk_ranges_;
  std::vector<Movable> movable_;   // in the order of their definition, which is that of their indices
  bool chunks_ = false;            // some variable is stored in chunks
  std::optional<uint64_t> arena_;  // its begin: encoded chunks may be anywhere after it
  uint64_t arena_chunk_bytes_ = 0;
  bool other_chunks_ = false;   // such were defined after its begin was set
  std::vector<int> waiting_;    // contiguous variables that were defined after its begin was set
  std::set<int> without_fill_;  // chunked variables to which before_data() has not assigned a fill value
  uint64_t block_bytes_;
  uint64_t unit_bytes_;
  bool at_once_;
};

}  // namespace

std::unique_ptr<Layout> make_hdf5_layout(uint64_t block_bytes, uint64_t first_free, bool at_once,
                                         uint64_t unit_bytes, const ChunkWishes& chunks,
                                         const Netcdf4Rules& rules) {
  return std::make_unique<Hdf5Layout>(block_bytes, first_free, at_once, unit_bytes, chunks, rules);
}

}  // namespace scorpio::format
