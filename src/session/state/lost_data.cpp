#include "session/state/lost_data.h"

#include <algorithm>
#include <optional>
#include <string>

namespace scorpio::session {

namespace {

// The first byte of a variable, and its record; -1: it has no records of fixed places.
struct FirstByte {
  uint64_t byte = 0;
  int64_t record = -1;
};

std::optional<FirstByte> first_in_chunks(const format::ChunkForm& form, uint64_t address,
                                         const model::Variable& variable, ByteRange bytes) {
  const ByteRange window = form.window(address);
  const uint64_t byte = std::max({bytes.begin, window.begin, address});
  if (byte >= std::min(bytes.end, window.end) || !form.holds(address, byte)) return std::nullopt;
  if (!variable.records || variable.is_free()) return FirstByte{byte};
  return FirstByte{byte, form.grid.start_of(form.grid.at(byte - address).chunk)[0]};
}

std::optional<FirstByte> first_of(const model::Variable& variable, const format::Placement& placement,
                                  ByteRange bytes) {
  if (!placement.has_address() || variable.slab_bytes() == 0) return std::nullopt;
  const uint64_t address = *placement.address(), slab_bytes = variable.slab_bytes();
  if (const auto chunks = placement.chunks(); chunks != nullptr)
    return first_in_chunks(*chunks, address, variable, bytes);
  const bool records = variable.records && placement.record_stride() > 0;
  const int64_t record = records ? placement.first_record_behind(bytes.begin, slab_bytes) : 0;
  const ByteRange own = ByteRange::at(placement.address_of(record), slab_bytes);
  if (own.begin >= bytes.end || own.end <= bytes.begin) return std::nullopt;
  return FirstByte{std::max(own.begin, bytes.begin), records ? record : -1};
}

}  // namespace

Status naming_data(const Status& status, const model::Variables& variables, const format::Layout* layout) {
  const std::optional<ByteRange> bytes = status.bytes();
  if (!bytes || layout == nullptr || status.complete()) return status;
  std::optional<FirstByte> first;
  int variable = -1, lost = 0;
  for (int i = 0; i < variables.count(); ++i) {
    if (!variables.alive(i)) continue;
    const auto one = first_of(variables[i], layout->placements().of(i), *bytes);
    if (!one) continue;
    ++lost;
    if (first && first->byte <= one->byte) continue;
    first = one;
    variable = i;
  }
  if (!first) return status;
  std::string what = "variable " + variables[variable].path;
  if (first->record >= 0) what += fmt::format(", record {}", first->record);
  if (lost > 1) what += fmt::format(", and {} more", lost - 1);
  return {status.code(), what + ": " + status.text()};
}

}  // namespace scorpio::session
