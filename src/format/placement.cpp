#include "format/placement.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "base/checked.h"
#include "decomp/shells.h"
#include "format/address_limits.h"
#include "model/variables.h"

namespace scorpio::format {
namespace {

std::vector<int64_t> extents_of(std::span<const codec::Filter> filters) {
  std::vector<int64_t> values;
  for (const codec::Filter& filter : filters) {
    values.push_back(filter.number);
    values.push_back(filter.parameter);
    values.push_back(static_cast<int64_t>(filter.values.size()));
    values.insert(values.end(), filter.values.begin(), filter.values.end());
  }
  return values;
}

std::vector<codec::Filter> filters_of(std::span<const int64_t> values) {
  std::vector<codec::Filter> filters;
  while (values.size() >= 3) {
    codec::Filter filter{static_cast<int>(values[0]), static_cast<int>(values[1])};
    const auto count = std::min(static_cast<size_t>(std::max<int64_t>(values[2], 0)), values.size() - 3);
    for (const int64_t value : values.subspan(3, count))
      filter.values.push_back(static_cast<unsigned>(value));
    filters.push_back(std::move(filter));
    values = values.subspan(3 + count);
  }
  return filters;
}

void write(model::ByteWriter& out, const ChunkForm& form) {
  out.extents(form.grid.dims());
  out.extents(form.grid.chunk());
  out.u64(form.grid.element_bytes());
  out.u64(form.grid.unit_bytes());
  out.u64(static_cast<uint64_t>(form.grid.cell_layers()));
  out.u64(form.cell_begin);
  out.extents(extents_of(form.pipeline.filters()));
  out.raw(form.fill.data(), form.fill.size());
  out.u64(form.room_bytes);
  out.u64(static_cast<uint64_t>(form.found_frames));
  out.extents(form.found_extents);
}

// Returns null for a placement without a form.
std::shared_ptr<const ChunkForm> read_form(model::ByteReader& in) {
  const std::vector<int64_t> dims = in.extents(), chunk = in.extents();
  const uint64_t element_bytes = in.u64(), unit_bytes = in.u64();
  const auto cell_layers = static_cast<int64_t>(in.u64());
  const uint64_t cell_begin = in.u64();
  const std::vector<int64_t> values = in.extents();
  std::vector<std::byte> fill = in.raw();
  const uint64_t room_bytes = in.u64();
  const auto found_frames = static_cast<int64_t>(in.u64());
  std::vector<int64_t> found_extents = in.extents();
  const auto unlimited = static_cast<size_t>(std::ranges::count(dims, decomp::ChunkGrid::k_grows));
  const bool sound = !dims.empty() && dims.size() == chunk.size() && element_bytes > 0 &&
                     element_bytes <= UINT32_MAX && unit_bytes > 0 && found_frames >= 0 && cell_layers >= 0 &&
                     fill.size() == element_bytes && unlimited <= decomp::Shells::k_most_dims &&
                     (found_extents.empty() || found_extents.size() == dims.size()) &&
                     std::ranges::all_of(chunk, [](int64_t extent) { return extent > 0; });
  if (!sound) return nullptr;
  auto pipeline = codec::Pipeline::make(filters_of(values), static_cast<uint32_t>(element_bytes));
  if (!pipeline.ok()) return nullptr;
  return std::make_shared<ChunkForm>(
      ChunkForm{{dims, chunk, static_cast<uint32_t>(element_bytes), unit_bytes, cell_layers},
                *pipeline,
                std::move(fill),
                room_bytes,
                found_frames,
                cell_begin,
                std::move(found_extents)});
}

// The smallest size of a placement in a message.
constexpr size_t k_least_stream_bytes = 3 + 4 * 8;

}  // namespace

Placement Placement::at(uint64_t address, uint64_t record_stride) {
  Placement placement;
  placement.kind_ = Kind::address;
  placement.address_ = address;
  placement.record_stride_ = record_stride;
  return placement;
}

Placement Placement::in_chunks(uint64_t address, std::shared_ptr<const ChunkForm> form) {
  Placement placement = at(address);
  placement.kind_ = Kind::chunks;
  placement.chunks_ = std::move(form);
  return placement;
}

Placement Placement::found_in_chunks(uint64_t address, std::shared_ptr<const ChunkForm> form,
                                     uint64_t object) {
  Placement placement = in_chunks(address, std::move(form));
  placement.kind_ = Kind::found_chunks;
  placement.object_ = object;
  return placement;
}

bool operator==(const Placement& a, const Placement& b) {
  const auto rest = [](const Placement& p) {
    return std::tie(p.kind_, p.address_, p.record_stride_, p.form_, p.object_, p.fill_);
  };
  if (rest(a) != rest(b)) return false;
  return a.chunks_ == b.chunks_ || (a.chunks_ != nullptr && b.chunks_ != nullptr && *a.chunks_ == *b.chunks_);
}

Placement Placement::by_library(std::string form, std::shared_ptr<const ChunkForm> chunks, uint64_t object) {
  Placement placement;
  placement.kind_ = Kind::library;
  placement.form_ = std::move(form);
  placement.chunks_ = std::move(chunks);
  placement.object_ = object;
  return placement;
}

Placement Placement::unallocated(std::string form, std::vector<std::byte> fill, uint64_t object) {
  Placement placement = by_library(std::move(form), nullptr, object);
  placement.fill_ = std::move(fill);
  return placement;
}

std::optional<uint64_t> Placement::address() const {
  return has_address() ? std::optional(address_) : std::nullopt;
}

uint64_t Placement::address_of(int64_t record) const {
  return address_ + static_cast<uint64_t>(record) * record_stride_;
}

std::optional<uint64_t> Placement::end(uint64_t records, uint64_t slab_bytes) const {
  const auto before = checked_mul(records - 1, record_stride_);
  const auto begin = before ? checked_add(*before, address_) : std::nullopt;
  return begin ? checked_add(*begin, slab_bytes) : std::nullopt;
}

int64_t Placement::first_record_behind(uint64_t byte, uint64_t slab_bytes) const {
  const uint64_t first_end = address_ + slab_bytes;
  if (record_stride_ == 0 || first_end > byte) return 0;
  return static_cast<int64_t>((byte - first_end) / record_stride_ + 1);
}

Status Placement::check_records(const std::string& variable, uint64_t records) const {
  if (chunks_ != nullptr && chunks_->grid.is_free()) return {};  // see check_extents()
  if (chunks_ != nullptr && chunks_->grid.grows()) {
    const int64_t most = chunks_->grid.frames_within(chunks_->room_bytes);
    if (records <= static_cast<uint64_t>(most)) return {};
    return failure(Code::limit, "{} records for {}, which is stored in chunks: this file has room for {}",
                   records, variable, most);
  }
  const uint64_t stride = std::max<uint64_t>(record_stride_, 1);
  if (address_ <= k_address_limit && records <= (k_address_limit - address_) / stride) return {};
  return failure(Code::limit, "{} records of {} bytes for {}: the file would pass 2^61 bytes", records,
                 stride, variable);
}

Status Placement::check_extents(const std::string& variable, std::span<const int64_t> extents) const {
  const bool free = chunks_ != nullptr && chunks_->grid.is_free();
  if (!free || chunks_->grid.fits(extents, chunks_->room_bytes)) return {};
  return failure(
      Code::limit,
      "extents ({}) of {}, which is stored in chunks of ({}): this file has no room for them; give "
      "the variable larger chunks when it is defined",
      fmt::join(extents, ", "), variable, fmt::join(chunks_->grid.chunk(), ", "));
}

void Placement::write(model::ByteWriter& out) const {
  out.u8(static_cast<uint8_t>(kind_));
  out.u64(address_);
  out.u64(record_stride_);
  out.text(form_);
  out.u64(object_);
  out.u8(chunks_ != nullptr ? 1 : 0);
  if (chunks_ != nullptr) scorpio::format::write(out, *chunks_);
  out.flag(fill_.has_value());
  if (fill_) out.raw(fill_->data(), fill_->size());
}

Placement Placement::read(model::ByteReader& in) {
  const uint8_t kind = in.u8();
  const uint64_t address = in.u64();
  const uint64_t record_stride = in.u64();
  std::string form = in.text();
  const uint64_t object = in.u64();
  auto chunks = in.u8() != 0 ? read_form(in) : nullptr;
  if (in.flag()) return unallocated(std::move(form), in.raw(), object);
  switch (static_cast<Kind>(kind)) {
    case Kind::address:
      return at(address, record_stride);
    case Kind::library:
      return by_library(std::move(form), std::move(chunks), object);
    case Kind::chunks:
      return chunks == nullptr ? Placement() : in_chunks(address, std::move(chunks));
    case Kind::found_chunks:
      return chunks == nullptr ? Placement() : found_in_chunks(address, std::move(chunks), object);
    default:
      return {};
  }
}

void Placements::set(int variable, Placement placement) {
  const auto index = static_cast<size_t>(variable);
  if (index >= all_.size()) all_.resize(index + 1);
  Placement& now = all_[index];
  with_chunks_ += (placement.chunks() != nullptr ? 1 : 0) - (now.chunks() != nullptr ? 1 : 0);
  unallocated_ += (placement.is_unallocated() ? 1 : 0) - (now.is_unallocated() ? 1 : 0);
  now = std::move(placement);
  if (now.is_by_library()) {
    by_library_.insert(variable);
  } else {
    by_library_.erase(variable);
  }
  if (index_) changed_.insert(variable);
}

namespace {

// Of the whole variable or of record 0.
std::optional<ByteRange> bytes_of(const model::Variable& variable, const Placement& placement) {
  const uint64_t bytes = variable.slab_bytes();
  if (!placement.has_address() || bytes == 0 || variable.is_free()) return std::nullopt;
  if (variable.records && placement.record_stride() == 0) return std::nullopt;
  const auto& chunks = placement.chunks();
  const uint64_t begin = *placement.address();
  return chunks != nullptr ? chunks->window(begin) : ByteRange::at(begin, bytes);
}

}  // namespace

const PlacementIndex& Placements::by_address(const model::Variables& variables) const {
  if (!index_ || !append_changed(variables)) make_index(variables);
  indexed_ = static_cast<int>(all_.size());
  changed_.clear();
  return *index_;
}

// Whether only variables without records were added, in order of their addresses.
bool Placements::append_changed(const model::Variables& variables) const {
  return std::ranges::all_of(changed_, [&](int i) {
    if (i < indexed_ || i >= variables.count()) return false;
    const model::Variable& variable = variables[i];
    const auto bytes = bytes_of(variable, of(i));
    return !bytes || (!variable.records && index_->append({*bytes, i}));
  });
}

void Placements::make_index(const model::Variables& variables) const {
  std::vector<PlacementIndex::Entry> whole;
  std::vector<PlacementIndex::Repeated> records;
  const int count = std::min(static_cast<int>(all_.size()), variables.count());
  for (int i = 0; i < count; ++i) {
    const model::Variable& variable = variables[i];
    const auto bytes = bytes_of(variable, of(i));
    if (!bytes) continue;
    if (variable.records) {
      records.push_back({of(i).record_stride(), {*bytes, i}});
    } else {
      whole.push_back({*bytes, i});
    }
  }
  index_.emplace(std::move(whole), std::move(records));
}

void Placements::write(model::ByteWriter& out) const {
  out.u64(all_.size());
  for (const Placement& placement : all_) placement.write(out);
  out.text(chunks_refused_);
}

Placements Placements::read(model::ByteReader& in) {
  Placements placements;
  const size_t count = in.count(k_least_stream_bytes);
  placements.all_.resize(count);
  for (size_t i = 0; i < count; ++i) placements.set(static_cast<int>(i), Placement::read(in));
  placements.chunks_refused_ = in.text();
  return placements;
}

}  // namespace scorpio::format
