#include "pio/definitions/name_rooms.h"

namespace scorpio_pio {

namespace {

size_t present_length(scorpio_file* file, const Definition& renaming) {
  size_t length = 0;
  switch (renaming.kind) {
    case Definition::Kind::dimension_name:
      (void)scorpio_dimension_inquire(file, renaming.object, nullptr, 0, &length, nullptr, nullptr);
      return length;
    case Definition::Kind::variable_name:  // whose path begins with a slash
      (void)scorpio_variable_path(file, renaming.object, nullptr, 0, &length);
      return length > 0 ? length - 1 : 0;
    default:
      return renaming.name.size();
  }
}

}  // namespace

size_t NameRooms::of(scorpio_file* file, const Definition& renaming) const {
  const auto known = rooms_.find({renaming.kind, renaming.object, renaming.name});
  return known != rooms_.end() ? known->second : present_length(file, renaming);
}

void NameRooms::keep(const Definition& renaming, size_t bytes) {
  const bool of_attribute = renaming.kind == Definition::Kind::attribute_name;
  rooms_[{renaming.kind, renaming.object, of_attribute ? renaming.new_name : ""}] = bytes;
}

}  // namespace scorpio_pio
