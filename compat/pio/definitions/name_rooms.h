// The space that a classic file has for names. In data mode a name can become shorter and as long again as it
// was when define mode ended, as with netCDF-C, which leaves its place in the file as long as it is. Local;
// one thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "pio/definitions/definition.h"

namespace scorpio_pio {

class NameRooms {
 public:
  // In bytes, of the name that `renaming` replaces. `file`: before the definition.
  size_t of(scorpio_file* file, const Definition& renaming) const;
  // The definition was made in data mode, where the old name had this room.
  void keep(const Definition& renaming, size_t bytes);
  // Define mode has ended.
  void forget() { rooms_.clear(); }

 private:
  using Key = std::tuple<Definition::Kind, int, std::string>;  // the kind, the id and an attribute's name

  // The name before is left in: in data mode an attribute can get it by another renaming only.
  std::map<Key, size_t> rooms_;
};

}  // namespace scorpio_pio
