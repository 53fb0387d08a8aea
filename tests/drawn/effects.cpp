#include "effects.h"

#include <algorithm>
#include <map>

namespace scorpio::drawn {
namespace {

Extents beyond(const Selection& selection, size_t ndims, Extents extents) {
  for (const Place& place : selection.places) {
    for (size_t d = 0; d < ndims; ++d) extents[d] = std::max(extents[d], place[d] + 1);
  }
  return extents;
}

Number stored(const Variable& variable, Number number, scorpio_type type, bool* clipped) {
  if (variable.unsigned_too && type == SCORPIO_UINT8) return number > 127 ? number - 256 : number;
  return converted(number, variable.type, clipped);
}

}  // namespace

Number given(const Variable& variable, Number number, scorpio_type type, bool* clipped) {
  if (variable.unsigned_too && type == SCORPIO_UINT8) return number < 0 ? number + 256 : number;
  return converted(number, type, clipped);
}

void put_element(Variable& variable, const Place& place, Number number, scorpio_type type) {
  variable.elements[variable.at(place)] = {stored(variable, number, type, nullptr), true};
}

bool clips_some(const Variable& variable, const Selection& selection, const std::vector<Number>& numbers,
                scorpio_type type) {
  bool clipped = false;
  for (size_t i = 0; i < selection.places.size(); ++i)
    stored(variable, numbers[selection.buffer[i]], type, &clipped);
  return clipped;
}

void grow_for(Contents& contents, size_t variable, const Selection& selection) {
  Variable& of = contents.variables[variable];
  contents.reach(of, beyond(selection, of.extents.size(), of.extents));
}

void put_together(Contents& contents, size_t variable, const std::vector<Puts>& all) {
  Variable& of = contents.variables[variable];
  for (const Puts& puts : all) grow_for(contents, variable, *puts.selection);
  struct Owner {
    int rank = -1;
    size_t access = 0;
  };
  std::map<size_t, Owner> owners;
  for (size_t a = 0; a < all.size(); ++a) {
    for (size_t i = 0; i < all[a].selection->places.size(); ++i) {
      const Place& place = all[a].selection->places[i];
      Owner& owner = owners[of.at(place)];
      const bool other = owner.rank == -2 || (owner.rank >= 0 && owner.rank != all[a].rank);
      const bool twice = owner.rank == all[a].rank && owner.access == a && all[a].slabs;
      owner = {other ? -2 : all[a].rank, a};
      put_element(of, place, (*all[a].numbers)[all[a].selection->buffer[i]], all[a].type);
      if (other || twice) of.elements[of.at(place)].known = false;
    }
  }
}

bool clips(const Variable& variable, const Selection& selection, scorpio_type type, bool& possible) {
  bool clipped = false;
  for (const Place& place : selection.places) {
    const Element& element = variable.elements[variable.at(place)];
    if (element.known)
      given(variable, element.number, type, &clipped);
    else
      possible = possible || type != variable.type;
  }
  return clipped;
}

std::vector<std::byte> encoded(const std::vector<Number>& numbers, scorpio_type type) {
  std::vector<std::byte> bytes(numbers.size() * bytes_of(type) + 1);
  for (size_t i = 0; i < numbers.size(); ++i) encode(numbers[i], type, &bytes[i * bytes_of(type)]);
  return bytes;
}

bool has_no_elements(const Extents& extents) { return std::ranges::count(extents, 0) > 0; }

}  // namespace scorpio::drawn
