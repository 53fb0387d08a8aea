// All files and decompositions of this process by their ids, of which none is used twice. Local; one thread.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "pio/decompositions/layout.h"
#include "pio/file/open_file.h"

namespace scorpio_pio {

struct Decomposition {
  int system = 0;  // the id of its I/O system
  nc_type type = PIO_NAT;
  size_t element_bytes = 0;
  std::vector<int> extents;  // as they were given
  std::shared_ptr<Layout> layout;
};

class Registry {
 public:
  static Registry& instance();

  int add(std::shared_ptr<File> file, int system);
  // The place of a decomposition takes memory, which is there before the ranks make it. Adding it takes none.
  using Place = std::map<int, std::shared_ptr<Decomposition>>::node_type;
  static Place place_of(std::shared_ptr<Decomposition> decomposition);
  int add(Place place);

  // NULL if there is none.
  std::shared_ptr<File> file(int id) const;
  std::shared_ptr<Decomposition> decomposition(int id) const;
  // The I/O system of an open or closed file; 0: there was no such file.
  int system_of_file(int id) const;

  void remove_file(int id) { files_.erase(id); }
  void remove_decomposition(int id) { decompositions_.erase(id); }

 private:
  Registry() = default;

  std::map<int, std::shared_ptr<File>> files_;
  std::map<int, std::shared_ptr<Decomposition>> decompositions_;
  std::vector<int> systems_of_files_;
  int next_decomposition_ = PIO_IODESC_START_ID;
};

}  // namespace scorpio_pio
