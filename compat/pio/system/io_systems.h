// All I/O systems of this process by their ids, of which none is used twice. Local; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "pio/system/io_system.h"

namespace scorpio_pio {

class IoSystems {
 public:
  static IoSystems& instance();

  int add(std::shared_ptr<IoSystem> system);
  void remove(int id);

  // NULL if there is none.
  std::shared_ptr<IoSystem> find(int id) const;
  std::vector<int> ids() const;  // of those that exist, in order
  bool existed(int id) const;
  // The I/O system of the only family whose file was used last, or any of its I/O systems. NULL if there are
  // no I/O systems or several families.
  std::shared_ptr<IoSystem> stand_in() const;
  // The same for a call with the id of an I/O system that does not exist. NULL also if the id was that of an
  // I/O system of other ranks: what they do with it concerns no other I/O system.
  std::shared_ptr<IoSystem> stand_in_for(int iosysid) const;

 private:
  static constexpr int k_first = 2048;

  IoSystems() = default;

  std::map<int, std::shared_ptr<IoSystem>> systems_;
  int next_ = k_first;
  std::vector<uint64_t> ranks_;  // [system] a hash of its ranks, also after its end
};

}  // namespace scorpio_pio
