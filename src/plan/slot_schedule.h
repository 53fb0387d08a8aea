// The assignment of units to staging slots, and the order in which slots are used again. Every rank computes
// it for the same calls and gets the same result; therefore a put sends no message.
//
// An *activation* is the use of a slot for one unit. It is opened by the first put to the unit, charged with
// byte ranges, and closed when it is full, when its slot is needed, when a later put writes the same bytes
// again, or at a synchronisation point. A *packed* activation is for parts of several units of its owner.
// Closes are numbered from 0, and so are the uses of each slot. Pure; no MPI.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "plan/domains.h"
#include "plan/out_slots.h"

namespace scorpio::plan {

// Bytes of the file, and their place in the image of a slot.
struct Region {
  ByteRange bytes;
  uint64_t at = 0;

  uint64_t end() const { return at + bytes.size(); }
};

// The use of a slot.
struct SlotUse {
  uint64_t file = 0;     // the file of the unit
  Unit unit{};           // of a packed activation: the unit of its first region
  int slot = 0;          // number among the slots of the owner in this channel
  int out_slot = -1;     // number among the outgoing slots of this rank's node; -1: it takes none there
  uint64_t use = 0;      // number of the use of the slot, which begins after the end of the use before
  uint64_t opening = 0;  // its number among the activations of the owner, in the order of opening
  uint64_t tag = 0;      // for the user of the schedule
  uint64_t free_after = k_never;      // close of the use before; k_never: there is none
  uint64_t out_free_after = k_never;  // close that must be sent before the outgoing slot is used again
  bool read = false;
  bool exact = true;   // all bytes are known; false: the slot's bitmap has those that are not in `certain`
  uint64_t close = 0;  // the number of the close, when closed
};

// With the bytes that the slot holds.
struct Activation : SlotUse {
  std::vector<ByteRange>
      charged;                 // bytes that may have been written: sorted, disjoint, as offsets in the file
  uint64_t charged_bytes = 0;  // the number of them
  std::vector<ByteRange> certain;  // bytes that have been written in any case; part of `charged`
  // Of a packed activation, in the order of the image: it holds these parts of units. Empty: the image is
  // that of the unit.
  std::vector<Region> regions;
  std::vector<int> nodes;  // nodes that may have contributed, ascending (several nodes only)

  // All that was put is one run of bytes, of ranks of one node.
  bool is_one_run_of_a_node() const {
    return !read && exact && nodes.size() == 1 && certain.size() == 1 && !is_packed();
  }
  bool is_packed() const { return !regions.empty(); }
  bool is_of_unit(uint64_t of_file, uint64_t number) const {
    return file == of_file && unit.number == number && !is_packed();
  }
};

struct SlotLimits {
  int io_ranks = 1;
  int slots = 2;              // of each I/O rank, in this channel
  int scattered = 2;          // the number of them, the last ones, that have a bitmap: at least 1
  int out_slots = 0;          // of each node, for units with an owner on another node; 0 on a single node
  uint64_t packed_bytes = 0;  // the image of a slot in which parts of several units are packed; 0: none are
  int most_open = 0;  // activations of an I/O rank that are open at the same time; 0: half of the slots
  int reserved = 0;   // the number of them that the channel can count on, at least 2; 0: all
  // With outgoing slots:
  std::vector<int> node_of_owner{};  // [I/O ranks]
  int nodes = 1;
  int my_node = 0;
};

class SlotSchedule {
 public:
  explicit SlotSchedule(const SlotLimits& limits);

  using OnClose = std::function<void(const Activation&)>;

  // Returns the open activation of this unit for `ranges` (sorted, disjoint, within the unit). It is opened
  // if necessary, after activations that must be closed before. `nodes`, ascending: those that may contribute
  // (several nodes only). The reference is valid until the next call.
  Activation& charge(uint64_t file, const Unit& unit, const std::vector<ByteRange>& ranges, bool exact,
                     const std::vector<int>& nodes, const OnClose& on_close);
  // The same for a part of a unit that shares a slot with parts of other units: `ranges`, exact, are at most
  // room_for() bytes from the first to the last one. On one node only.
  Activation& pack(uint64_t file, const Unit& unit, const std::vector<ByteRange>& ranges,
                   const OnClose& on_close);
  // Whether parts of units may be packed, and how many bytes there is room for if the first one is `begin`.
  uint64_t packed_bytes() const { return limits_.packed_bytes; }
  uint64_t room_for(uint64_t file, int owner, uint64_t begin) const;
  // Whether a packed activation of the file is open; whether this unit is, and is not packed.
  bool any_packed_open(uint64_t file) const;
  bool is_open(uint64_t file, const Unit& unit) const;
  // Closes `activation` if every byte of its unit is charged, or if it is packed and has hardly any room.
  void close_if_full(Activation& activation, const OnClose& on_close);
  // A slot for reading `unit`. It is closed at once and has its close number. All writes must be closed.
  // `nodes`: as above, those that may need its bytes.
  Activation read(uint64_t file, const Unit& unit, std::vector<int> nodes);
  void close_all(const OnClose& on_close);

  uint64_t closes() const { return closes_; }
  // The closed slots of the owner in the order of closing, with the number of the use.
  struct ClosedSlot {
    int slot;
    uint64_t use;
    uint64_t close;
  };
  const std::deque<ClosedSlot>& closed_slots(int owner) const {
    return owners_[static_cast<size_t>(owner)].closed;
  }
  // The largest close number whose slot, at its owner or outgoing, was assigned again so far, plus one; if
  // the channel can count on some of the slots only, the same as if it had no others. On several nodes a rank
  // may wait for such a slot; therefore owners must receive, and leaders must send, all their units below it
  // before they return from the call.
  uint64_t reused() const { return reused_; }
  bool any_open() const { return !open_order_.empty(); }

 private:
  struct Owner {
    std::vector<Activation> open;  // in order of opening
    std::deque<ClosedSlot> closed;
    std::deque<int> fresh;  // slots that were never used, ascending
    uint64_t openings = 0;
  };
  bool takes(const Activation& open, const std::vector<ByteRange>& ranges, bool exact) const;
  bool takes_scattered(int slot) const { return slot >= limits_.slots - limits_.scattered; }
  static std::vector<Activation>::iterator find_open(Owner& owner, uint64_t file, uint64_t number);
  static std::vector<Activation>::iterator find_packed(Owner& owner, uint64_t file);
  void close_packed_overlapping(Owner& owner, uint64_t file, const std::vector<ByteRange>& ranges,
                                const OnClose& on_close);
  bool has_room(const Activation& packed) const;
  std::vector<Activation>::iterator open(uint64_t file, const Unit& unit, bool exact,
                                         const OnClose& on_close);
  void make_room(Owner& owner, bool exact, const OnClose& on_close);
  void take_slot(Activation& activation, bool exact);
  void count_on_reserved(const Owner& owner);
  // Whether the activation has an outgoing slot on the node, or would have one if the node contributed.
  bool is_sent_from(int node, const Activation& activation) const;
  void add_node(int node, uint64_t file, const Unit& unit, const OnClose& on_close);
  void take_out_slot(int node, Activation& activation);
  void finish(Activation& activation);
  void close_at(Owner& owner, size_t index, const OnClose& on_close);
  // An open activation.
  struct Opened {
    int owner;
    uint64_t opening;
    bool operator==(const Opened&) const = default;
  };
  size_t index_of(const Opened& opened) const;
  void close_oldest_on(int node, const OnClose& on_close);
  void close_oldest_of_all(const OnClose& on_close);

  SlotLimits limits_;
  std::vector<Owner> owners_;
  OutSlots out_;
  std::deque<Opened> open_order_;  // oldest first
  uint64_t closes_ = 0;
  uint64_t reused_ = 0;
};

// Merges `range` into a sorted, disjoint list. Returns false, without a change, if it overlaps the list.
bool merge_disjoint(std::vector<ByteRange>& ranges, ByteRange range);

}  // namespace scorpio::plan
