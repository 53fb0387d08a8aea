// All I/O systems, files and decompositions of this process by their ids, of which none is used twice. Local;
// one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "io_system.h"
#include "layout.h"
#include "open_file.h"

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

  int add(std::shared_ptr<IoSystem> system);
  int add(std::shared_ptr<File> file, int system);
  int add(std::shared_ptr<Decomposition> decomposition);

  // NULL if there is none.
  std::shared_ptr<IoSystem> system(int id) const;
  std::shared_ptr<File> file(int id) const;
  std::shared_ptr<Decomposition> decomposition(int id) const;
  std::vector<int> systems() const;  // the ids of those that exist, in order
  // The I/O system of an open or closed file; 0: there was no such file.
  int system_of_file(int id) const;
  bool was_system(int id) const;
  // The I/O system by which the systems of a family agree. A rank with an invalid id knows only the family,
  // and takes part in the agreements of the others through it.
  const IoSystem& speaker_of(const IoSystem& system) const;
  // The I/O system of the only family whose file was used last, or any of its I/O systems. NULL if there are
  // no I/O systems or several families.
  std::shared_ptr<IoSystem> stand_in() const;
  // The same for a call with the id of an I/O system that does not exist. NULL also if the id was that of an
  // I/O system of other ranks: what they do with it concerns no other I/O system.
  std::shared_ptr<IoSystem> stand_in_for(int iosysid) const;

  void remove_system(int id);
  void remove_file(int id) { files_.erase(id); }
  void remove_decomposition(int id) { decompositions_.erase(id); }

 private:
  Registry() = default;

  std::map<int, std::shared_ptr<IoSystem>> systems_;
  std::map<int, std::shared_ptr<File>> files_;
  std::map<int, std::shared_ptr<Decomposition>> decompositions_;
  std::vector<int> systems_of_files_;
  int next_system_ = 2048;
  std::vector<uint64_t> ranks_of_systems_;  // [system] a hash of its ranks, also after its end
  std::map<int, int> members_;              // number of members of each family so far
  int next_decomposition_ = PIO_IODESC_START_ID;
};

}  // namespace scorpio_pio
