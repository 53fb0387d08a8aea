#include "exchange/progress/slot_binder.h"

#include <algorithm>

namespace scorpio::exchange {

SlotBinder::SlotBinder(Link& link) : link_(link) {
  const size_t most = link.common().in_use() ? link.lease().most_slots() : 0;
  owners_.resize(link.context().io_ranks->size(), {async::BoundedQueue<Opened>(most)});
}

void SlotBinder::forget_bound(Owner& owner, uint64_t bound) {
  while (!owner.pending.empty() && owner.pending.front().opening < bound) owner.pending.pop();
}

// A rank that contributes to no unit of an I/O rank binds none of its slots, and may be many calls ahead of
// the others: the list is kept short here. An activation that follows more others than there are slots cannot
// be bound before the use of one of them has ended; the I/O rank, which ends that use, has bound it and those
// before it. The I/O rank itself keeps the first ones. In a get it may come to more, and names those again
// when it looks ahead.
void SlotBinder::expect_common(plan::SlotUse& activation) {
  const int number = activation.unit.owner;
  if (activation.tag != 0 || !link_.owner_is_here(number)) return;
  activation.tag = tag_of(activation, link_.calls().hash());
  Owner& owner = owners_[static_cast<size_t>(number)];
  if (activation.opening < owner.expected) return;
  forget_bound(owner, link_.common().bound(number));
  if (number == link_.my_owner() && (owner.pending.full() || activation.opening > owner.expected)) return;
  owner.expected = activation.opening + 1;
  if (owner.pending.full()) owner.pending.pop();
  owner.pending.push(Opened(activation));
}

bool SlotBinder::bind_common(const plan::SlotUse& activation) {
  const CommonSlots& common = link_.common();
  const int number = activation.unit.owner;
  Owner& owner = owners_[static_cast<size_t>(number)];
  forget_bound(owner, common.bound(number));
  if (!common.all_bound(number, std::min(left_to_others(owner), activation.opening + 1))) return false;
  while (!owner.pending.empty() && owner.pending.front().opening <= activation.opening) {
    uint64_t wake = 0;
    const bool bound = common.bind(owner.pending.front(), wake);
    link_.ring_channels(wake);
    if (!bound) return false;
    owner.pending.pop();
  }
  if (common.is_bound(Opened(activation))) return true;
  link_.fail();
  return false;
}

}  // namespace scorpio::exchange
