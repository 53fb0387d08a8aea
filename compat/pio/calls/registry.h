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

// PIO_EBADID, with its text.
int no_such_decomposition(int id);

class Registry {
 public:
  static Registry& instance();

  // What adding a file or decomposition takes of memory is there before the ranks open or make it. A node is
  // that of the map from ids.
  template <typename T>
  using Node = typename std::map<int, std::shared_ptr<T>>::node_type;
  Node<File> node_of(std::shared_ptr<File> file);
  static Node<Decomposition> node_of(std::shared_ptr<Decomposition> decomposition);
  // They take no memory, and return the id.
  int add(Node<File> node, int system);
  int add(Node<Decomposition> node);

  // NULL if there is none.
  std::shared_ptr<File> file(int id) const;
  std::shared_ptr<Decomposition> decomposition(int id) const;
  // Returns 0, or PIO_EBADID with its text: there is no such decomposition, or it is one of another I/O
  // system.
  int look_up(int system, int id, std::shared_ptr<Decomposition>& decomposition) const;
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
