#include "format/hdf5/hdf5_layout.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "codec/zfp.h"
#include "format/address_book.h"
#include "format/chunk_arena.h"
#include "format/chunk_places.h"
#include "format/chunk_ranges.h"
#include "format/found_chunks.h"
#include "model/extents.h"
#include "model/string_elements.h"

namespace scorpio::format {
namespace {

class Hdf5Layout final : public Layout, public ChunkLayout {
 public:
  Hdf5Layout(uint64_t block_bytes, uint64_t first_free, uint64_t unit_bytes, const ChunkWishes& chunks,
             const Hdf5Rules& rules)
      // netCDF-C finds only types that have a name in the file.
      : Layout({.names_all_dimensions = rules.netcdf4(), .foreign_types = !rules.netcdf4()}),
        rules_(rules),
        chunk_wishes_(chunks),
        addresses_(block_bytes, first_free),
        block_bytes_(block_bytes),
        unit_bytes_(unit_bytes) {}

  std::unique_ptr<Layout> copy() const override { return std::make_unique<Hdf5Layout>(*this); }
  void take(Layout&& copy) override { *this = std::move(dynamic_cast<Hdf5Layout&>(copy)); }
  ChunkLayout* chunks() override { return this; }
  std::string stored_name(std::string name) const override { return rules_.stored_name(std::move(name)); }

  Status check_group(const model::Schema& schema, const std::string& path) override {
    return rules_.check_group(schema, path);
  }
  Status check_link(const model::Schema& schema, const std::string& path) override {
    return rules_.check_link(schema, path);
  }
  Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) override {
    return rules_.check_dimension(schema, dimension);
  }
  Status check_variable(const model::Schema& schema, model::Variable& variable) override {
    SCORPIO_TRY(rules_.check_variable(schema, variable));
    // A variable that cannot be placed must not be added to the schema, because the file could not be
    // completed.
    const std::span<const int64_t> dims = variable.slab_dims();
    const auto bytes = model::array_bytes({dims.begin(), dims.end()}, variable.type.size_bytes);
    if (!bytes.ok()) return {};  // the schema rejects arrays that are too large
    if (variable.records || variable.is_free()) {
      SCORPIO_TRY(check_takes_chunks(variable));
      SCORPIO_TRY(Hdf5Rules::check_divisible(schema.dimensions(), variable));
      variable.storage = {model::Storage::Form::chunked, plan_chunk(variable, chunk_wishes_).shape};
      return check_chunk(variable, variable.storage.chunk);
    }
    if (*bytes == 0 || model::holds_strings(variable)) return {};
    return addresses_.check(static_cast<uint64_t>(*bytes)).with_context("variable " + variable.path);
  }
  Status check_attribute(const model::Schema& schema, const std::string& object, const std::string& name,
                         const model::Attribute& attribute, bool) override {
    return rules_.check_attribute(schema, object, name, attribute);
  }
  Status check_attribute_name(const model::Schema& schema, const std::string& object,
                              const std::string& name) override {
    return rules_.check_attribute_name(schema, object, name);
  }
  Status check_removal(const model::Schema& schema, const std::string& path, bool) override {
    return Hdf5Rules::check_removal(schema, path);
  }
  Status check_rename(const model::Schema&, const std::string&, const std::string& name, bool) override {
    return rules_.check_rename(name);
  }
  Status check_records(const std::string& variable, uint64_t records) const override {
    return Hdf5Rules::check_records(variable, records);
  }
  Status check_byte_order(const model::Variable& variable) const override {
    return rules_.check_byte_order(variable);
  }

  // Chunks that can be decoded here get addresses in raw space. Those for which there is no space are left to
  // HDF5, and so are all chunks of an eager file, and its variables without space, which its application may
  // change.
  void found(const model::Schema& schema, Placements all) override {
    for (int i = 0; i < schema.variables().count() && rules_.eager(); ++i) {
      if (all.of(i).is_unallocated()) all.set(i, Placement::by_library(all.of(i).form()));
    }
    rules_.found(schema);
    if (!rules_.eager())
      any_chunks_ = place_found_chunks(schema.variables(), unit_bytes_, chunk_places_, all) || any_chunks_;
    Layout::found(schema, std::move(all));
  }

  Status place(const model::Schema& schema, int index) override {
    if (rules_.eager()) return {};
    movable_.push_back({index, addresses_, chunk_places_.changes()});
    return place_there(schema.variables()[index], index);
  }
  Status place_found(const model::Schema& schema, int index) override {
    const Placement before = placement(index);
    Status placed = place_there(schema.variables()[index], index);
    if (!placed.ok()) placements().set(index, before);
    return placed;
  }
  Status check_storage(const model::Schema&, const model::Variable& variable,
                       const model::Storage& storage) const override {
    SCORPIO_TRY(rules_.check_chunks(variable));
    SCORPIO_TRY(check_takes_chunks(variable));
    SCORPIO_TRY(check_chunk(variable, storage.chunk));
    if (!storage.filters.empty()) SCORPIO_TRY(Hdf5Rules::check_filters(variable));
    return pipeline_of(variable, storage).status().with_context("variable " + variable.path);
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
  std::optional<uint64_t> arena() const override { return arena_; }
  uint64_t arena_chunk_bytes() const override { return arena_ ? arena_chunk_bytes_ : 0; }
  bool waits_for_arena() const override { return !waiting_.empty() || (arena_ && other_chunks_); }
  Status end_arena(const model::Schema& schema, uint64_t end) override {
    if (arena_ && end > *arena_) {
      addresses_.raise(end);
      chunk_ranges_ = ChunkRanges(~uint64_t{0});  // the ranges in the arena have the gaps that are allowed
    }
    arena_.reset();
    for (const int index : std::exchange(waiting_, {})) {
      if (schema.variables().alive(index)) SCORPIO_TRY(place_there(schema.variables()[index], index));
    }
    return {};
  }
  void before_data(const model::Schema& schema, const FillOf& fill_of) override {
    movable_.clear();
    chunk_places_.keep();
    for (const int index : std::exchange(without_fill_, {})) {
      const Placement& old = placement(index);
      const model::Variable& variable = schema.variables()[index];
      auto form = std::make_shared<ChunkForm>(*old.chunks());
      if (variable.filled) form->fill = fill_of(variable);
      placements().set(index, Placement::in_chunks(*old.address(), std::move(form)));
      any_chunks_ = true;
    }
    if (!any_chunks_ || arena_) return;
    AddressBook behind = addresses_;
    behind.leave_block();
    const uint64_t end = behind.end_of_data();
    arena_ = (end + block_bytes_ - 1) / block_bytes_ * block_bytes_;
    arena_chunk_bytes_ =
        common_chunk_bytes(placements(), schema.variables().count(), block_bytes_,
                           {.unit_bytes = unit_bytes_, .most = chunk_wishes_.most_held_bytes});
    other_chunks_ = false;
  }
  // The first I/O rank is the metadata rank, so its chunks may share the first block with metadata.
  Result<std::vector<uint64_t>> place_stored(std::span<const uint64_t> bytes) override {
    return chunk_ranges_.place(addresses_, bytes);
  }
  Result<Rearrangement> end_definitions(const model::Schema&) override { return Rearrangement(); }
  uint64_t end_of_data(const model::Schema&) const override { return addresses_.end_of_data(); }
  // Metadata may now be in the range of an arena that was not used.
  void raise(uint64_t end) override {
    addresses_.raise(end);
    arena_.reset();
  }

 private:
  Status check_takes_chunks(const model::Variable& variable) const {
    const std::string& why = placements().chunks_refused();
    if (why.empty()) return {};
    return failure(Code::unsupported, "variable {} would be stored in chunks: {}", variable.path, why);
  }
  // HDF5 and netCDF-C find a filter of a variable by its number: of two shuffles, HDF5 sets one up.
  static Result<codec::Pipeline> pipeline_of(const model::Variable& variable, const model::Storage& storage) {
    std::vector<codec::Filter> filters;
    for (size_t i = 0; i < storage.filters.size(); ++i) {
      if (std::ranges::count(storage.filters, storage.filters[i]) > 1) {
        return failure(Code::argument, "variable {}: filter {} is given more than once; give it once",
                       variable.path, storage.filters[i]);
      }
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
    if (model::holds_strings(variable)) {
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

  Hdf5Rules rules_;
  ChunkWishes chunk_wishes_;
  AddressBook addresses_;
  ChunkPlaces chunk_places_;
  ChunkRanges chunk_ranges_;
  std::vector<Movable> movable_;   // in the order of their definition, which is that of their indices
  bool any_chunks_ = false;        // some variable is stored in chunks
  std::optional<uint64_t> arena_;  // its begin: encoded chunks may be anywhere after it
  uint64_t arena_chunk_bytes_ = 0;
  bool other_chunks_ = false;   // such were defined after its begin was set
  std::vector<int> waiting_;    // contiguous variables that were defined after its begin was set
  std::set<int> without_fill_;  // chunked variables to which before_data() has not assigned a fill value
  uint64_t block_bytes_;
  uint64_t unit_bytes_;
};

}  // namespace

std::unique_ptr<Layout> make_hdf5_layout(uint64_t block_bytes, uint64_t first_free, uint64_t unit_bytes,
                                         const ChunkWishes& chunks, const Hdf5Rules& rules) {
  return std::make_unique<Hdf5Layout>(block_bytes, first_free, unit_bytes, chunks, rules);
}

}  // namespace scorpio::format
