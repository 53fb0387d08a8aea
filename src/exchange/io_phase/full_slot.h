// The interface between the communication phase and the I/O phase: full slots that are to be written, and
// empty slots that are to be filled from the file. Each refers to its file and to the completion that is
// called when it is done.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exchange/io_phase/file_io.h"
#include "exchange/memory/staging_memory.h"
#include "plan/domains.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

// Called when the I/O phase is done with a slot. Any thread; never waits.
class SlotUser {
 public:
  // Sets the SlotCounter of the slot to this value.
  virtual void advance(int slot, uint64_t value) = 0;
  // Whether ranks wait until slots are written.
  virtual bool pressing() const { return false; }
  // Wakes up to this number of ranks that wait, because they can encode chunks.
  virtual void call_helpers(size_t /*ranks*/) {}
  // Whether ranks of any file wait for a slot that could be one of these when it is written.
  virtual bool wanted() const { return false; }

 protected:
  ~SlotUser() = default;
};

// A slot of this I/O rank, and the value that its counter gets at the end.
struct Completion {
  SlotUser* user = nullptr;
  int slot = 0;
  uint64_t value = 0;

  void done() const { user->advance(slot, value); }
};

// The image of one unit of a file, or of parts of several, and the bytes of it that hold data.
struct FullSlot {
  FileIo* file_io = nullptr;
  plan::Unit unit;  // the unit of the image
  Slot slot;
  std::vector<ByteRange> certain;  // bytes of the file that hold data: sorted, disjoint
  bool exact = true;               // false: the slot's bitmap has further bytes; it is cleared
  Completion completion;
  uint64_t round = 0;  // in which the unit was closed (FileIo::round)
  // The image consists of these parts of units, in this order; empty: it is that of the unit.
  std::vector<plan::Region> regions{};

  // Calls `use` with each range of the file that holds data, and with its bytes in the slot.
  template <typename Use>
  void for_each_range(Use&& use) {
    if (!regions.empty()) return for_each_packed(use);
    const uint64_t first = unit.bytes.begin;
    const auto give = [&](uint64_t begin, uint64_t end) {
      use(ByteRange{first + begin, first + end}, std::span(slot.bytes + begin, end - begin));
    };
    if (!exact) {
      for (const ByteRange& range : certain) slot.bitmap.set(range.begin - first, range.end - first);
      return slot.bitmap.for_each(give);
    }
    for (const ByteRange& range : certain) give(range.begin - first, range.end - first);
  }

 private:
  template <typename Use>
  void for_each_packed(Use&& use) {
    for (const plan::Region& region : regions) {
      auto at = std::ranges::partition_point(
          certain, [&](const ByteRange& range) { return range.end <= region.bytes.begin; });
      for (; at != certain.end() && at->begin < region.bytes.end; ++at) {
        const ByteRange range{std::max(at->begin, region.bytes.begin), std::min(at->end, region.bytes.end)};
        use(range, std::span(slot.bytes + region.at + (range.begin - region.bytes.begin), range.size()));
      }
    }
  }
};

// Adjacent slots that are not adjacent in memory are joined to writes of at most so many bytes: they stay
// full until the write ends.
inline constexpr size_t k_joined_write_bytes = size_t{1} << 20;

struct EmptySlot {
  FileIo* file_io = nullptr;
  storage::Source* source = nullptr;
  plan::Unit unit;
  std::vector<ByteRange> ranges{};  // of the unit that are read: ascending, disjoint; at least one
  std::byte* image = nullptr;       // of the whole unit
  Completion completion;
};

// Slots that become full by the work of other ranks; look() passes them on. Any thread.
class SlotsToCome {
 public:
  virtual void look() noexcept = 0;

 protected:
  ~SlotsToCome() = default;
};

// Writes and fills the slots of one channel. Failures are recorded in the FileIo. One thread at a time adds
// slots.
class IoPhase {
 public:
  virtual ~IoPhase() = default;
  // A slot is added again only after it is done; therefore these functions never wait and allocate no memory.
  // Slots of the same unit are processed in the order in which they were added.
  virtual void write(FullSlot slot) = 0;
  virtual void read(const EmptySlot& slot) = 0;
  // Does the work that is left to this thread. Returns false if there was none.
  virtual bool progress() = 0;
  // Discards the slots of this file that are not written, and waits for writes in progress: nothing refers to
  // the file afterwards. For a channel that has failed, or a file that was flushed.
  virtual void drop(const FileIo& file_io) = 0;
  // For slots that are written while no call is made: `slots` is called whenever some may be full, until
  // leave(). It remains valid until then.
  virtual void attend(SlotsToCome&) {}
  virtual void leave() {}
};

}  // namespace scorpio::exchange
