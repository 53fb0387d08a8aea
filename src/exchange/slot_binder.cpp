#include "exchange/slot_binder.h"

namespace scorpio::exchange {

SlotBinder::SlotBinder(Link& link) : link_(link), owners_(link.fabric().io_ranks->size()) {}

void SlotBinder::forget_bound(Owner& owner, uint64_t bound) {
  while (!owner.pending.empty() && owner.pending.front().opening < bound) owner.pending.pop_front();
}

// A rank that contributes to no unit of an I/O rank binds none of its slots: the list is kept short here.
void SlotBinder::expect(plan::Activation& activation) {
  if (!link_.common().in_use() || activation.tag != 0) return;
  activation.tag = tag_of(activation, link_.calls_so_far());
  const int number = activation.unit.owner;
  Owner& owner = owners_[static_cast<size_t>(number)];
  if (activation.opening < owner.expected) return;
  owner.expected = activation.opening + 1;
  forget_bound(owner, link_.common().bound(number));
  owner.pending.emplace_back(activation);
}

bool SlotBinder::bind(const plan::Activation& activation) {
  const CommonSlots& common = link_.common();
  if (!common.in_use()) return true;
  const int number = activation.unit.owner;
  Owner& owner = owners_[static_cast<size_t>(number)];
  forget_bound(owner, common.bound(number));
  while (!owner.pending.empty() && owner.pending.front().opening <= activation.opening) {
    uint64_t wake = 0;
    const bool bound = common.bind(owner.pending.front(), wake);
    link_.ring_channels(wake);
    if (!bound) return false;
    owner.pending.pop_front();
  }
  if (common.is_bound(Opened(activation))) return true;
  link_.fail();
  return false;
}

}  // namespace scorpio::exchange
