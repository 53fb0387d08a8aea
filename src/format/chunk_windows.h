// Finds the variable to which a byte in the raw space of chunks belongs. Local; any thread, one call at a
// time.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "format/chunk_form.h"

namespace scorpio::format {

// Holds a `Variable` for each variable in chunks. Their addresses in memory do not change.
template <typename Variable>
class ChunkWindows {
 public:
  // `begin`: the first byte of the variable. A window can be assigned again if a variable was removed before
  // it had data; it belongs to the last one.
  void add(uint64_t begin, const ChunkForm& form, Variable variable) {
    const ByteRange range = form.window(begin);
    const uint64_t unit_bytes = form.grid.cell_layers() > 0 ? form.grid.unit_bytes() : 0;
    Window& window = windows_[range.end];
    if (window.begin != range.begin || window.unit_bytes != unit_bytes)
      window = {range.begin, unit_bytes, {}};
    window.cells.insert_or_assign(begin, std::move(variable));
  }
  // The variable that has the byte. If none has: one that is near the byte, or null.
  Variable* find(uint64_t byte) {
    const auto found = windows_.upper_bound(byte);
    if (found == windows_.end()) return nullptr;
    Window& window = found->second;
    const auto behind = window.cells.upper_bound(window.place_of(byte));
    const auto cell = behind == window.cells.begin() ? behind : std::prev(behind);
    return &cell->second;
  }
  const Variable* find(uint64_t byte) const { return const_cast<ChunkWindows*>(this)->find(byte); }
  // The end of the gap at `byte`: the next byte at which a variable or a unit begins.
  uint64_t end_of_gap(uint64_t byte) const {
    const auto found = windows_.upper_bound(byte);
    if (found == windows_.end()) return UINT64_MAX;
    const Window& window = found->second;
    const uint64_t place = window.place_of(byte);
    const auto behind = window.cells.upper_bound(place);
    if (behind != window.cells.end()) return byte + (behind->first - place);
    return window.unit_bytes == 0 ? found->first : byte + (window.begin + window.unit_bytes - place);
  }
  // The variables in windows that overlap `bytes`.
  std::vector<Variable*> overlapping(ByteRange bytes) {
    std::vector<Variable*> variables;
    for (auto at = windows_.upper_bound(bytes.begin); at != windows_.end(); ++at) {
      if (at->second.begin >= bytes.end) break;
      for (auto& [begin, variable] : at->second.cells) variables.push_back(&variable);
    }
    return variables;
  }

 private:
  struct Window {
    uint64_t begin = 0;
    uint64_t unit_bytes = 0;               // 0: one variable has the window alone
    std::map<uint64_t, Variable> cells{};  // by the first byte of the variable
    // The byte of the first unit that is as far from the unit's beginning as `byte` is from that of its own.
    uint64_t place_of(uint64_t byte) const {
      return unit_bytes == 0 || byte < begin ? byte : begin + (byte - begin) % unit_bytes;
    }
  };
  std::map<uint64_t, Window> windows_;  // by the first byte after the window
};

}  // namespace scorpio::format
