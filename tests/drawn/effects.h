// What puts do to the model. Local.
#pragma once

#include <vector>

#include "selection.h"

namespace scorpio::drawn {

constexpr std::byte k_untouched{0x5a};  // what gets find in memory, and leave in its holes

// What one access of one rank puts.
struct Puts {
  int rank;
  const Selection* selection;
  const std::vector<Number>* numbers;
  scorpio_type type;
  bool slabs;  // of an element that several of its hyperslabs select it is undefined which value is written
};

// What a get of the element as `type` returns.
Number given(const Variable& variable, Number number, scorpio_type type, bool* clipped);
void put_element(Variable& variable, const Place& place, Number number, scorpio_type type);
bool clips_some(const Variable& variable, const Selection& selection, const std::vector<Number>& numbers,
                scorpio_type type);
void grow_for(Contents& contents, size_t variable, const Selection& selection);
// As of several requests in one wait: later accesses of a rank win, and those of several ranks make an
// element undefined.
void put_together(Contents& contents, size_t variable, const std::vector<Puts>& all);
// Whether a get clips values; `possible` is set if undefined ones may be clipped.
bool clips(const Variable& variable, const Selection& selection, scorpio_type type, bool& possible);
std::vector<std::byte> encoded(const std::vector<Number>& numbers, scorpio_type type);
bool has_no_elements(const Extents& extents);

}  // namespace scorpio::drawn
