// Where the communication phase ends and the I/O phase begins: slots that are full, to be written, and slots
// that are to be filled from the file. Each carries its file, and what is to be called when it is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/outlet.h"
#include "exchange/staging_memory.h"
#include "plan/domains.h"

namespace scorpio::exchange {

// Is told when the I/O phase is done with a slot. Any thread; never waits.
class SlotUser {
 public:
  // The slot has come to that value of its SlotCounter.
  virtual void advance(int slot, uint64_t value) = 0;

 protected:
  ~SlotUser() = default;
};

// The slot of this I/O rank, and the place in its uses that it comes to.
struct Completion {
  SlotUser* user = nullptr;
  int slot = 0;
  uint64_t value = 0;

  void done() const { user->advance(slot, value); }
};

// The image of one unit of a file, and which of its bytes hold data.
struct FullSlot {
  Outlet* outlet = nullptr;
  plan::Unit unit;  // whose image it is
  Slot slot;
  std::vector<ByteRange> certain;  // bytes of the file that hold data: sorted, disjoint
  bool exact = true;               // false: the slot's bitmap tells of more; it is cleared
  Completion completion;
};

struct EmptySlot {
  Outlet* outlet = nullptr;
  storage::Source* source = nullptr;
  plan::Unit unit;
  ByteRange range{};           // bytes of it that are wanted
  std::byte* image = nullptr;  // of all of the unit
  Completion completion;
};

// Carries out what it is given. Failures are noted in the outlet. Of one channel; one thread gives.
class IoPhase {
 public:
  virtual ~IoPhase() = default;
  // Each slot is given again only after it is done, so they never wait and allocate nothing. Slots of one
  // unit are carried out in the order in which they were given.
  virtual void write(FullSlot slot) = 0;
  virtual void read(const EmptySlot& slot) = 0;
  // Does on this thread what is left to it. False: there was nothing to do.
  virtual bool progress() = 0;
  // What was given of this file and is not written is dropped, and what is being written is completed:
  // nothing refers to it afterwards. Of a channel that has failed, or of a file that was flushed.
  virtual void drop(const Outlet& outlet) = 0;
};

}  // namespace scorpio::exchange
